// SPDX-License-Identifier: Apache-2.0
// An explanation as an SVG: inputs as cells, outputs as points at their positions, with a line to each of their inputs.
#include <algorithm>
#include <cmath>

#include "plan/explain.h"
#include "types/text.h"

namespace tesela {
namespace {

constexpr double kWidth = 960;         // of the drawing
constexpr double kMargin = 24;         // on each side
constexpr double kCell = 160;          // the widest cell
constexpr double kLine = 18;           // between lines of text
constexpr size_t kColumns = 118;       // characters of a line of text
constexpr int64_t kStripInputs = 32;   // of one strip
constexpr int64_t kStripOutputs = 32;  // of one strip

constexpr std::string_view kStyle = R"(<style>
  .page { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .head { font-weight: 600 }
  .rule { fill: #57606a }
  .number { text-anchor: middle }
  .cell { fill: #eef3fb; stroke: #8ba3c7 }
  .tap { stroke: #1f5fbf }
  .negative { stroke: #b3261e; stroke-dasharray: 4 2 }
  .output { fill: #1f5fbf }
  .tie { fill: #ffffff; stroke: #1f5fbf; stroke-width: 2.5 }
  .border { fill: #c2410c }
  .outside { fill: none; stroke: #c2410c; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #e6edf3 }
    .rule { fill: #9da7b3 }
    .cell { fill: #16233a; stroke: #4d6a99 }
    .tap { stroke: #79b0ff }
    .negative { stroke: #ff8a80 }
    .output { fill: #79b0ff }
    .tie { fill: #0d1117; stroke: #79b0ff }
    .border { fill: #ffa657 }
    .outside { stroke: #ffa657 }
  }
</style>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  // XML has no U+FFFE and no U+FFFF.
  for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (size_t at = out.find(none); at != std::string::npos; at = out.find(none, at))
      out.replace(at, none.size(), "?");
  return out;
}

class Drawing {
 public:
  void text(std::string_view css, double x, std::string_view words) {
    y_ += kLine;
    out_ += fmt::format("<text class=\"{}\" x=\"{:.4g}\" y=\"{:.6g}\">{}</text>\n", css, x, y_, escaped(words));
  }

  // Words in lines of limited length.
  void paragraph(std::string_view css, std::string_view words) {
    while (words.size() > kColumns) {
      size_t end = words.rfind(' ', kColumns);
      if (end == std::string_view::npos || end == 0) end = std::min(words.find(' ', 1), words.size());
      text(css, kMargin, words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
    if (!words.empty()) text(css, kMargin, words);
  }

  void gap(double height) { y_ += height; }
  void add(std::string_view element) { out_ += element; }
  double y() const { return y_; }
  const std::string& elements() const { return out_; }

 private:
  std::string out_;
  double y_ = 8;
};

// ---- Marks -----------------------------------------------------------------------------------------------------------

std::string mark(const ExplainedOutput& row, double x, double y) {
  if (row.border == Border::kExtrapolated)
    return fmt::format(
        "<path class=\"outside\" d=\"M{0:.6g} {2:.6g}L{1:.6g} {3:.6g}M{0:.6g} {3:.6g}L{1:.6g} {2:.6g}\"/>", x - 4,
        x + 4, y - 4, y + 4);
  if (row.border != Border::kNone)
    return fmt::format("<rect class=\"border\" x=\"{:.6g}\" y=\"{:.6g}\" width=\"9\" height=\"9\"/>", x - 4.5, y - 4.5);
  return fmt::format("<circle class=\"{}\" cx=\"{:.6g}\" cy=\"{:.6g}\" r=\"4.5\"/>", row.is_tie ? "tie" : "output", x,
                     y);
}

void add_legend(Drawing& drawing) {
  drawing.gap(kLine + 4);
  const double y = drawing.y();
  double x = kMargin + 6;
  const auto entry = [&](const ExplainedOutput& row, std::string_view words) {
    drawing.add(fmt::format("{}<text class=\"rule\" x=\"{:.6g}\" y=\"{:.6g}\">{}</text>\n", mark(row, x, y - 4.5),
                            x + 11, y, words));
    x += 30 + 7 * static_cast<double>(words.size());
  };
  ExplainedOutput row;
  entry(row, "output");
  row.is_tie = true;
  entry(row, "between two inputs (tie)");
  row.border = Border::kFolded;
  entry(row, "at a border");
  row.border = Border::kExtrapolated;
  entry(row, "extrapolated");
  drawing.add(fmt::format(
      "<text class=\"rule\" x=\"{:.6g}\" y=\"{:.6g}\">thicker lines weigh more; dashed ones are negative</text>\n", x,
      y));
}

std::string row_title(const ExplainedAxis& axis, const ExplainedOutput& row) {
  std::string text = fmt::format("output {}", row.output);
  if (axis.kind != ExplainedAxis::Kind::kTiled) text += fmt::format(": x = {}", position_text(row));
  for (int64_t k = 0; k < row.count; ++k) {
    text += fmt::format("{} {}", k == 0 ? "; input" : ",", row.first + k);
    if (!row.weights.empty()) text += fmt::format(": {}", row.weights[static_cast<size_t>(k)]);
  }
  return row.rule.empty() ? text : text + "; " + row.rule;
}

// ---- Strips ----------------------------------------------------------------------------------------------------------

// Consecutive outputs and the inputs that they use.
struct Strip {
  std::vector<const ExplainedOutput*> rows;
  int64_t first = 0;
  int64_t last = 0;
};

// The inputs that an output uses; of an extrapolated one the nearest.
TapWindow inputs_of(const ExplainedAxis& axis, const ExplainedOutput& row) {
  if (row.count > 0) return {row.first, row.first + row.count - 1};
  const int64_t near = exact::clamp_position(std::floor(row.x), axis.in);
  return {near, near};
}

std::vector<Strip> strips_of(const ExplainedAxis& axis) {
  std::vector<Strip> strips;
  for (const ExplainedOutput& row : axis.outputs) {
    const TapWindow used = inputs_of(axis, row);
    if (!strips.empty()) {
      Strip& strip = strips.back();
      const int64_t first = std::min(strip.first, used.lo);
      const int64_t last = std::max(strip.last, used.hi);
      const bool fits = last - first < kStripInputs && strip.rows.size() < kStripOutputs;
      if (fits && strip.rows.back()->output + 1 == row.output) {
        strip.rows.push_back(&row);
        strip.first = first;
        strip.last = last;
        continue;
      }
    }
    strips.push_back({{&row}, used.lo, used.hi});
  }
  return strips;
}

class StripDrawing {
 public:
  StripDrawing(const ExplainedAxis& axis, const Strip& strip, Drawing& drawing)
      : axis_(axis), strip_(strip), drawing_(drawing), top_(drawing.y() + kAbove) {
    const auto inputs = static_cast<double>(strip.last - strip.first + 1);
    cell_ = std::min(kCell, (kWidth - 2 * kMargin - 2 * kOverhang) / inputs);
  }

  void draw() {
    for (int64_t j = strip_.first; j <= strip_.last; ++j) add_cell(j);
    for (const ExplainedOutput* row : strip_.rows) add_output(*row);
    drawing_.gap(kAbove + kOutputs + 15 * lines_);
  }

 private:
  static constexpr double kOverhang = 36;  // for outputs outside the input
  static constexpr double kAbove = 28;     // from the text to the cells, with room for numbers
  static constexpr double kHeight = 26;    // of a cell
  static constexpr double kOutputs = 104;  // from the top of the cells

  double middle(double j) const { return kMargin + kOverhang + (j - static_cast<double>(strip_.first) + 0.5) * cell_; }

  void add_cell(int64_t j) {
    const double x = middle(static_cast<double>(j));
    drawing_.add(fmt::format("<rect class=\"cell\" x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{}\"/>\n",
                             x - cell_ / 2, top_, cell_, kHeight));
    // Numbers that do not fit the cells stand above them, as many as fit side by side.
    const double room = 8 * static_cast<double>(fmt::formatted_size("{}", strip_.last)) + 6;
    const auto every = static_cast<int64_t>(std::ceil(room / cell_));
    if ((j - strip_.first) % every == 0)
      drawing_.add(fmt::format("<text class=\"number\" x=\"{:.6g}\" y=\"{:.6g}\">{}</text>\n", x,
                               every == 1 ? top_ + 18 : top_ - 4, j));
  }

  // Where an output is drawn: at its position, or at the edge if that is outside the drawing. Copies of a tile stand
  // side by side below their inputs.
  double place(const ExplainedOutput& row) const {
    if (axis_.kind == ExplainedAxis::Kind::kTiled) {
      const auto lo = static_cast<double>(strip_.rows.front()->output);
      const auto n = static_cast<double>(strip_.rows.size());
      const double left = middle(static_cast<double>(strip_.first)) - cell_ / 2;
      const double right =
          std::max(middle(static_cast<double>(strip_.last)) + cell_ / 2, std::min(left + 28 * n, kWidth - kMargin));
      return left + (static_cast<double>(row.output) - lo + 0.5) * (right - left) / n;
    }
    const double x = std::isnan(row.x) ? middle(static_cast<double>(strip_.first)) : middle(row.x);
    return std::clamp(x, kMargin, kWidth - kMargin);
  }

  void add_output(const ExplainedOutput& row) {
    const double x = place(row);
    const double y = top_ + kOutputs;
    drawing_.add("<g><title>" + escaped(row_title(axis_, row)) + "</title>\n");
    double largest = 0;
    for (const double weight : row.weights) largest = std::max(largest, std::abs(weight));
    for (int64_t k = 0; k < row.count; ++k) {
      const double weight = row.weights.empty() ? 1 : row.weights[static_cast<size_t>(k)];
      if (weight == 0) continue;
      const double share = row.weights.empty() ? 1 : std::abs(weight) / largest;
      drawing_.add(
          fmt::format("<line class=\"tap{}\" x1=\"{:.6g}\" y1=\"{:.6g}\" x2=\"{:.6g}\" y2=\"{:.6g}\" "
                      "stroke-width=\"{:.3g}\" stroke-opacity=\"{:.3g}\"/>\n",
                      weight < 0 ? " negative" : "", x, y, middle(static_cast<double>(row.first + k)), top_ + kHeight,
                      0.6 + 2.4 * share, 0.25 + 0.75 * share));
    }
    drawing_.add(mark(row, x, y));
    const std::string number = fmt::format("{}", row.output);
    const double half = 4 * static_cast<double>(number.size()) + 2;
    for (int line = 0; line < 3; ++line) {
      Numbers& numbers = numbers_[line];
      if (x - half < 0 || (x - half < numbers.end && x + half > numbers.begin)) continue;
      numbers.begin = std::min(numbers.begin, x - half);
      numbers.end = std::max(numbers.end, x + half);
      lines_ = std::max(lines_, line + 1);
      drawing_.add(
          fmt::format("<text class=\"number\" x=\"{:.6g}\" y=\"{:.6g}\">{}</text>", x, y + 20 + 15 * line, number));
      break;
    }
    drawing_.add("</g>\n");
  }

  const ExplainedAxis& axis_;
  const Strip& strip_;
  Drawing& drawing_;
  double top_;
  double cell_;
  // The outputs' numbers stand on up to three lines. Positions ascend or, of a flipped crop, descend.
  struct Numbers {
    double begin = kWidth;
    double end = 0;
  };
  Numbers numbers_[3];
  int lines_ = 0;
};

// ---- The whole -------------------------------------------------------------------------------------------------------

void add_axis(Drawing& drawing, const ExplainedAxis& axis) {
  drawing.gap(18);
  std::string head = fmt::format("Axis {}: {} → {}", axis.axis, axis.in, axis.out);
  if (axis.scale)
    head += fmt::format(", scale {}", axis.exact_scale.empty() ? fmt::format("{}", *axis.scale) : axis.exact_scale);
  if (!axis.coordinate_mode.empty()) head += ", " + axis.coordinate_mode;
  drawing.text("head", kMargin, head);
  drawing.paragraph("", axis.formula);
  for (const auto& [what, rule] : axis.rules) drawing.paragraph("rule", what + ": " + rule);
  int64_t next = axis.outputs.empty() ? 0 : axis.outputs.front().output;
  for (const Strip& strip : strips_of(axis)) {
    const int64_t begin = strip.rows.front()->output;
    if (begin != next) drawing.text("rule", kMargin, fmt::format("… {} more outputs", begin - next));
    next = strip.rows.back()->output + 1;
    StripDrawing(axis, strip, drawing).draw();
  }
}

std::string axes_text(const std::vector<size_t>& axes, std::string_view what) {
  std::string list;
  for (const size_t axis : axes) list += fmt::format("{}{}", list.empty() ? "" : ", ", axis);
  return fmt::format("{} {}: {}", axes.size() == 1 ? "Axis" : "Axes", list, what);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

}  // namespace

std::string explanation_svg(const Explanation& explanation, const ExplainStyle& style) {
  const std::string shapes =
      (explanation.has_input ? shape_text(explanation.in) + " → " : "") + shape_text(explanation.out);
  const std::string what = fmt::format("{}: {} {}", explanation.work, name(explanation.type), shapes);
  Drawing drawing;
  if (!style.title.empty()) drawing.paragraph("head", style.title);
  drawing.text(style.title.empty() ? "head" : "", kMargin, what);
  for (const auto& [key, rule] : explanation.rules) drawing.paragraph("rule", key + ": " + rule);
  if (!explanation.fields.empty()) drawing.paragraph("rule", "fields: " + joined(explanation.fields));
  if (!explanation.unchanged.empty())
    drawing.paragraph("rule", axes_text(explanation.unchanged, "unchanged, output i is input i"));
  if (!explanation.empty.empty()) drawing.paragraph("rule", axes_text(explanation.empty, "no outputs"));
  if (!explanation.axes.empty()) add_legend(drawing);
  for (const ExplainedAxis& axis : explanation.axes) add_axis(drawing, axis);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.6g}\" role=\"img\" aria-labelledby=\"title "
      "desc\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">Where the outputs of each axis land and which inputs weigh "
      "how "
      "much. Inputs are cells, outputs are points below them, with a line to each input that they use.</desc>\n{3}"
      "<rect class=\"page\" width=\"{0}\" height=\"{1:.6g}\"/>\n{4}</svg>\n",
      kWidth, drawing.y() + kMargin, escaped(what), kStyle, drawing.elements());
}

}  // namespace tesela
