// Plans in words.
#include <gtest/gtest.h>

#include <cstdio>

#include "backend/cpu/sample_plan.h"

namespace tesela::testing {
namespace {

struct Words {
  std::string mode;
  DataType type = DataType::kFloat;
  Extents in;  // empty for fills
  Extents out;
};

Extents parse_extents(const std::string& text) {
  Extents extents;
  for (size_t at = 0; at < text.size();) {
    size_t used = 0;
    extents.push_back(std::stoll(text.substr(at), &used));
    at += used + 1;
  }
  return extents;
}

Words parse(const std::string& text) {
  char mode[32];
  char type[32];
  char in[64] = "";
  char out[64];
  int read = std::sscanf(text.c_str(), "%31s %31s -> %63[0-9x]", mode, type, out) + 1;
  if (read != 4) read = std::sscanf(text.c_str(), "%31s %31s %63[0-9x] -> %63[0-9x]", mode, type, in, out);
  EXPECT_EQ(read, 4) << text;
  return {mode, *find_data_type(type), parse_extents(in), parse_extents(out)};
}

ResizeParams params_of(const Words& words) {
  ResizeParams params;
  params.type = words.type;
  params.in = words.in;
  const bool nearest = words.mode.starts_with("nearest");
  const bool cubic = words.mode.starts_with("cubic");
  params.sampling.filter = nearest ? Filter::kNearest : cubic ? Filter::kCubic : Filter::kLinear;
  params.sampling.antialias = words.mode.find("antialias") != std::string::npos;
  params.fast = words.mode.ends_with("fast");
  for (size_t d = 0; d < words.in.size(); ++d)
    params.axes.push_back({d, words.in[d], words.out[d], true, words.out[d], words.in[d]});
  return params;
}

}  // namespace

ResizeParams sample_params(const std::string& words) {
  return params_of(parse(words));
}

Plan sample_plan(const std::string& text) {
  const Words words = parse(text);
  if (words.mode == "fill") return *make_fill_plan({words.type, words.out, {std::byte{0x3c}}}, Limits::none());
  if (words.mode == "tile") return *make_tile_plan({words.type, words.in, words.out}, Limits::none());
  return *make_resize_plan(params_of(words), Limits::none());
}

}  // namespace tesela::testing
