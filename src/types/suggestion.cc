// SPDX-License-Identifier: Apache-2.0
// Synonyms from other libraries, and distances between words.
#include "types/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "types/status.h"

namespace tesela {
namespace {

struct Synonym {
  std::string_view synonym;
  std::string_view name;
};

// Names in PyTorch, OpenCV, Pillow, TensorFlow and SciPy, in the form that `plain` returns.
constexpr Synonym kSynonyms[] = {
    {"bilinear", "linear"},          {"trilinear", "linear"},
    {"linear_onnx", "linear"},       {"triangle", "linear"},
    {"interlinear", "linear"},       {"bicubic", "cubic"},
    {"intercubic", "cubic"},         {"catmullrom", "cubic"},
    {"nearestexact", "nearest"},     {"nearestneighbor", "nearest"},
    {"nearestneighbour", "nearest"}, {"neighbor", "nearest"},
    {"internearest", "nearest"},     {"corners", "align_corners"},
    {"aligned", "align_corners"},    {"halfpixelcenters", "half_pixel"},
    {"crop", "tf_crop_and_resize"},  {"round", "round_prefer_floor"},
};

// Lower case without '-', '_', '.' and blanks: "Half-Pixel" is "halfpixel".
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if (c != '-' && c != '_' && c != '.' && c != ' ')
      out += c;
  return out;
}

// The number of letters to insert, delete, change or swap with their neighbours.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

bool is_synonym(std::string_view given, std::string_view name) {
  return std::any_of(std::begin(kSynonyms), std::end(kSynonyms),
                     [&](const Synonym& row) { return row.name == name && plain(row.synonym) == given; });
}

std::string_view nearest_by_letters(std::string_view given, std::span<const std::string_view> known) {
  size_t least = std::max<size_t>(1, (given.size() + 1) / 3) + 1;  // the limit for near names
  std::string_view nearest;
  for (const std::string_view candidate : known) {
    const std::string letters = plain(candidate);
    const size_t apart = distance(given, letters);
    if (apart >= least || apart >= letters.size()) continue;
    least = apart;
    nearest = candidate;
  }
  return nearest;
}

std::string_view shortest_that_begins_with(std::string_view given, std::span<const std::string_view> known) {
  std::string_view shortest;
  for (const std::string_view candidate : known)
    if (plain(candidate).starts_with(given) && (shortest.empty() || candidate.size() < shortest.size()))
      shortest = candidate;
  return shortest;
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  constexpr size_t kMax = 64;  // no known name is longer; the time grows with both lengths
  if (name.size() > kMax) return {};
  const std::string given = plain(name);
  const auto synonym = std::find_if(known.begin(), known.end(),
                                    [&](std::string_view candidate) { return is_synonym(given, candidate); });
  if (synonym != known.end()) return *synonym;
  const std::string_view nearest = nearest_by_letters(given, known);
  return nearest.empty() && given.size() > 1 ? shortest_that_begins_with(given, known) : nearest;
}

std::string suggestion(std::string_view name, std::span<const std::string_view> known) {
  const std::string_view nearest = nearest_name(name, known);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(nearest));
}

}  // namespace tesela
