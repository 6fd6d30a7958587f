// SPDX-License-Identifier: Apache-2.0
// An explanation as text for a terminal of any width.
#include <algorithm>
#include <cmath>

#include "plan/explain.h"
#include "types/text.h"

namespace tesela {
namespace {

constexpr size_t kMostTaps = 48;  // of one output in text; JSON has all
constexpr char kJoint = '\x01';   // a blank at which no line ends

// ---- Lines -----------------------------------------------------------------------------------------------------------

// Appends words to lines of a width. Further lines begin with `indent` blanks, few enough to leave room for words.
class Lines {
 public:
  Lines(std::string& out, size_t width) : out_(out), width_(width) {}

  void begin(std::string_view start, size_t indent) {
    indent_ = std::min(indent, width_ / 3);
    line_ = start;
  }

  void words(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find(' '), text.size());
      word(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void end() {
    flush(line_);
    line_.clear();
  }

 private:
  void word(std::string_view word) {
    if (word.empty()) return;
    const bool is_start = line_.find_first_not_of(' ') == std::string::npos;
    const bool ends_in_blank = line_.empty() || line_.back() == ' ';
    if (!is_start && line_.size() + (ends_in_blank ? 0 : 1) + word.size() > width_) {
      end();
      line_.assign(indent_, ' ');
    } else if (!ends_in_blank) {
      line_ += ' ';
    }
    for (const char c : word) line_ += c == kJoint ? ' ' : c;
    // A word longer than a line continues on the next ones, as it would in the terminal.
    while (line_.size() > width_) {
      size_t cut = width_;
      while (cut > 1 && (static_cast<unsigned char>(line_[cut]) & 0xC0) == 0x80) --cut;  // not inside a UTF-8 sequence
      flush(std::string_view(line_).substr(0, cut));
      line_.erase(0, cut);
    }
  }

  void flush(std::string_view line) {
    const size_t last = line.find_last_not_of(' ');
    out_ += line.substr(0, last == std::string_view::npos ? 0 : last + 1);
    out_ += '\n';
  }

  std::string& out_;
  size_t width_;
  size_t indent_ = 0;
  std::string line_;
};

void add_line(std::string& out, size_t width, std::string_view start, size_t indent, std::string_view text) {
  Lines lines(out, width);
  lines.begin(start, indent);
  lines.words(text);
  lines.end();
}

void add_rules(std::string& out, size_t width, const std::vector<std::pair<std::string, std::string>>& rules) {
  for (const auto& [what, rule] : rules) add_line(out, width, fmt::format("  {:<11}", what), 13, rule);
}

// ---- The picture -----------------------------------------------------------------------------------------------------

// Input cells above, the outputs at their positions below, as far as they fit.
class Picture {
 public:
  Picture(const ExplainedAxis& axis, size_t width) : axis_(axis), columns_(width - 2) {}

  std::string text() {
    if (!choose()) return "";
    draw();
    std::string out;
    for (std::string_view line : {std::string_view(cells_), std::string_view(marks_), std::string_view(numbers_)}) {
      line = line.substr(0, line.find_last_not_of(' ') + 1);
      out += fmt::format("  {}\n", line);
    }
    add_line(out, columns_ + 2, "  ", 2, legend());
    return out;
  }

 private:
  static size_t digits_of(int64_t value) { return fmt::formatted_size("{}", value); }

  // The inputs at which outputs land, of as many outputs as the width allows.
  bool choose() {
    const size_t most = columns_ - 1;
    for (const ExplainedOutput& row : axis_.outputs) {
      if (!axis_.ranges.empty() && row.output >= axis_.ranges.front().lo + axis_.ranges.front().n) break;
      const double at = std::isnan(row.x) ? 0 : std::clamp(row.x, 0.0, static_cast<double>(axis_.in - 1));
      const auto lo = static_cast<int64_t>(std::floor(at));
      const auto hi = static_cast<int64_t>(std::ceil(at));
      const int64_t first = shown_ == 0 ? lo : std::min(first_, lo);
      const int64_t last = shown_ == 0 ? hi : std::max(last_, hi);
      const size_t cell = std::max<size_t>(digits_of(last) + 2, 4);
      if (static_cast<size_t>(last - first + 1) > most / cell) break;
      first_ = first;
      last_ = last;
      ++shown_;
    }
    if (shown_ == 0) return false;
    const auto count = static_cast<size_t>(last_ - first_ + 1);
    cell_ = std::min<size_t>(most / count, 24);
    return true;
  }

  void draw() {
    const size_t width = cell_ * static_cast<size_t>(last_ - first_ + 1) + 1;
    for (int64_t j = first_; j <= last_; ++j) cells_ += fmt::format("|{:^{}}", j, cell_ - 1);
    cells_ += '|';
    marks_.assign(width, ' ');
    numbers_.assign(std::min(width + 1, columns_), ' ');
    for (size_t k = 0; k < shown_; ++k) {
      const ExplainedOutput& row = axis_.outputs[k];
      const size_t column = column_of(row);
      char& mark = marks_[column];
      mark = mark == ' ' ? mark_of(row) : '#';
      used_ += used_.find(mark) == std::string::npos ? std::string(1, mark) : "";
      const std::string number = fmt::format("{}", row.output);
      const size_t start = column - std::min(column, (number.size() - 1) / 2);
      const size_t end = start + number.size();
      // Blanks between it and its neighbours. Positions of a flipped crop descend.
      if (end > numbers_.size() || numbers_.find_first_not_of(' ', start - std::min<size_t>(start, 1)) <= end) continue;
      numbers_.replace(start, number.size(), number);
    }
  }

  size_t column_of(const ExplainedOutput& row) const {
    const double at = (std::isnan(row.x) ? 0 : row.x - static_cast<double>(first_) + 0.5) * static_cast<double>(cell_);
    return static_cast<size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(marks_.size() - 1)));
  }

  static char mark_of(const ExplainedOutput& row) {
    if (row.border == Border::kExtrapolated) return 'x';
    if (row.border != Border::kNone) return '!';
    return row.is_tie ? '=' : '^';
  }

  std::string legend() const {
    std::string text = "Inputs above, outputs below:";
    const std::pair<char, std::string_view> meanings[] = {
        {'^', "an output"}, {'=', "at a tie"}, {'!', "at a border"}, {'x', "extrapolated"}, {'#', "several"}};
    for (const auto& [mark, meaning] : meanings)
      if (used_.find(mark) != std::string::npos) text += fmt::format(" {} {},", mark, meaning);
    text.back() = '.';
    return text;
  }

  const ExplainedAxis& axis_;
  size_t columns_;
  size_t shown_ = 0;
  int64_t first_ = 0;
  int64_t last_ = 0;
  size_t cell_ = 0;
  std::string cells_, marks_, numbers_, used_;
};

// ---- The table -------------------------------------------------------------------------------------------------------

std::string taps_text(const ExplainedOutput& row) {
  std::string text;
  for (size_t k = 0; k < row.weights.size(); ++k) {
    if (row.weights.size() > kMostTaps && k == kMostTaps / 2) {
      const size_t left_out = row.weights.size() - kMostTaps;
      text += fmt::format(", ... {} more", left_out);
      k += left_out;
    }
    text +=
        fmt::format("{}{}:{}{}", text.empty() ? "" : ", ", row.first + static_cast<int64_t>(k), kJoint, row.weights[k]);
  }
  return text;
}

std::string row_text(const ExplainedAxis& axis, const ExplainedOutput& row) {
  std::string text;
  if (row.count > 0) text = axis.kind == ExplainedAxis::Kind::kWeighted ? taps_text(row) : fmt::format("{}", row.first);
  if (!row.rule.empty()) text += fmt::format("{}({})", text.empty() ? "" : " ", row.rule);
  return text;
}

void add_table(std::string& out, size_t width, const ExplainedAxis& axis) {
  const bool tiled = axis.kind == ExplainedAxis::Kind::kTiled;
  size_t longest = 1;
  for (const ExplainedOutput& row : axis.outputs) longest = std::max(longest, position_text(row).size());
  const size_t x_width = tiled ? 0 : std::min(longest, width / 2);
  const size_t number =
      std::max<size_t>(fmt::formatted_size("{}", axis.outputs.empty() ? 0 : axis.outputs.back().output), 3);
  const size_t indent = number + 4 + (tiled ? 0 : x_width + 2);
  const std::string_view last = axis.kind == ExplainedAxis::Kind::kWeighted ? "input: weight" : "input";
  add_line(
      out, width,
      tiled ? fmt::format("  {:>{}}  ", "out", number) : fmt::format("  {:>{}}  {:<{}}  ", "out", number, "x", x_width),
      indent, last);
  Lines lines(out, width);
  int64_t next = axis.outputs.empty() ? 0 : axis.outputs.front().output;
  for (const ExplainedOutput& row : axis.outputs) {
    if (row.output != next) add_line(out, width, "  ", 2, fmt::format("... {} more outputs", row.output - next));
    next = row.output + 1;
    const std::string start = fmt::format("  {:>{}}  ", row.output, number);
    const std::string x = tiled ? "" : position_text(row);
    if (x.size() <= x_width) {
      lines.begin(tiled ? start : fmt::format("{}{:<{}}  ", start, x, x_width), indent);
    } else {
      lines.begin(start, number + 4);
      lines.words(x);
    }
    lines.words(row_text(axis, row));
    lines.end();
  }
}

void add_axis(std::string& out, const ExplainedAxis& axis, size_t width) {
  out += '\n';
  std::string head = fmt::format("axis {}: {} -> {}", axis.axis, axis.in, axis.out);
  if (axis.scale)
    head += fmt::format(", scale {}", axis.exact_scale.empty() ? fmt::format("{}", *axis.scale) : axis.exact_scale);
  if (!axis.coordinate_mode.empty()) head += ", " + axis.coordinate_mode;
  add_line(out, width, "", 2, head);
  add_line(out, width, "  ", 4, axis.formula);
  add_rules(out, width, axis.rules);
  if (axis.kind != ExplainedAxis::Kind::kTiled) out += Picture(axis, width).text();
  add_table(out, width, axis);
}

void add_axes(std::string& out, size_t width, const std::vector<size_t>& axes, std::string_view what) {
  if (axes.empty()) return;
  std::string list;
  for (const size_t axis : axes) list += fmt::format("{}{}", list.empty() ? "" : ", ", axis);
  add_line(out, width, "", 2, fmt::format("{} {}: {}", axes.size() == 1 ? "axis" : "axes", list, what));
}

}  // namespace

std::string explanation_plain(const Explanation& explanation, const ExplainStyle& style) {
  const size_t width = static_cast<size_t>(style.width);
  std::string out;
  if (!style.title.empty()) add_line(out, width, "", 2, printable(style.title));
  std::string head = fmt::format("{}: {} ", explanation.work, name(explanation.type));
  if (explanation.has_input) head += shape_text(explanation.in) + " -> ";
  add_line(out, width, "", 2, head + shape_text(explanation.out));
  add_rules(out, width, explanation.rules);
  if (!explanation.fields.empty()) {
    std::string fields;
    for (const std::string& field : explanation.fields) fields += (fields.empty() ? "" : ", ") + field;
    add_rules(out, width, {{"fields", fields}});
  }
  add_axes(out, width, explanation.unchanged, "unchanged, output i is input i");
  add_axes(out, width, explanation.empty, "no outputs");
  for (const ExplainedAxis& axis : explanation.axes) add_axis(out, axis, width);
  return out;
}

}  // namespace tesela
