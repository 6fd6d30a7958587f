// Names of other libraries, and the distance between words.
#include "types/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "types/status.h"

namespace tesela {
namespace {

struct Synonym {
  std::string_view theirs;
  std::string_view ours;
};

// As PyTorch, OpenCV, Pillow, TensorFlow and SciPy have them, written as `plain` writes.
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

// Letters that must be added, left out or changed.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t corner = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view name, std::span<const std::string_view> known) {
  constexpr size_t kLongest = 40;  // no name of ours is longer
  constexpr size_t kLetters = 4;   // of a word that may hold one more mistake
  const std::string given = plain(name.substr(0, kLongest));
  std::string_view nearest;
  size_t least = given.size() / kLetters + 2;  // a swap counts as two
  for (const std::string_view candidate : known) {
    const auto* synonym = std::find_if(std::begin(kSynonyms), std::end(kSynonyms), [&](const Synonym& row) {
      return row.ours == candidate && plain(row.theirs) == given;
    });
    const size_t apart = synonym != std::end(kSynonyms) ? 0 : distance(given, plain(candidate));
    if (apart < least) {
      least = apart;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", quoted(nearest));
}

}  // namespace tesela
