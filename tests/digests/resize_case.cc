// SPDX-License-Identifier: Apache-2.0
// Draws calls of Resize, Upsample and OpenVINO's Interpolate.
#include "digests/resize_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "types/float_formats.h"

namespace tesela::digests {
namespace {

using Strings = std::initializer_list<const char*>;

void add(Case& drawn, const char* name, const std::string& value) {
  drawn.attributes.push_back({name, value});
}

// The extents to ask for, with at most about `room` outputs.
std::vector<int64_t> draw_outputs(const std::vector<int64_t>& extents, int64_t room, Random& random) {
  std::vector<int64_t> outputs = extents;
  // Tall inputs may have more elements than outputs should.
  int64_t inputs = 1;
  for (const int64_t extent : extents) inputs *= extent;
  if (inputs > room) {
    const int64_t factor = random.pick(2, 4);
    for (int64_t& extent : outputs) extent = (extent + factor - 1) / factor + random.pick(0, 1);
    return outputs;
  }
  for (const int64_t extent : extents) room /= std::max<int64_t>(extent, 1);
  for (size_t d = outputs.size(); d-- > 0;) {
    const int64_t n = extents[d];
    if (random.one_in(3)) continue;
    int64_t m = random.any<int64_t>({2 * n, 2 * n, 3 * n, n / 2, n / 2, n / 3, n / 8, n + 1, n - 1, 1, 4 * n});
    if (random.one_in(2)) m = random.pick(1, 2 * n + 3);
    if (random.one_in(12)) m = n * room;
    m = std::max<int64_t>(std::min(m, n * std::max<int64_t>(room, 1)), random.one_in(200) ? 0 : 1);
    room = n == 0 ? room : room * n / std::max<int64_t>(m, 1);
    outputs[d] = m;
  }
  return outputs;
}

// Mostly out / in, rounded.
float draw_scale(int64_t in, int64_t out, Random& random) {
  const auto whole = static_cast<float>(out) / static_cast<float>(std::max<int64_t>(in, 1));
  if (out == in || in == 0) return random.one_in(6) ? 1 + 1.0f / 65536 : 1;
  switch (random.pick(0, 5)) {
    case 0: return static_cast<float>(std::max<int64_t>(out * 4 / in, 1)) / 4;
    case 1: return static_cast<float>(std::max<int64_t>(out * 10 / in, 1)) / 10;
    case 2: return whole * (1 + static_cast<float>(random.pick(0, 255)) / 65536);
    default: return whole;
  }
}

std::vector<float> draw_scales(const std::vector<int64_t>& in, const std::vector<int64_t>& out, Random& random) {
  std::vector<float> scales;
  for (size_t d = 0; d < in.size(); ++d) scales.push_back(draw_scale(in[d], out[d], random));
  return scales;
}

// Starts, then ends: inside, around, reversed; multiples of 1/16, so that every type holds them.
Values draw_roi(size_t axes, Random& random) {
  std::vector<double> roi;
  for (size_t k = 0; k < 2 * axes; ++k) {
    const bool is_end = k >= axes;
    const int64_t usual = is_end ? random.pick(8, 18) : random.pick(-2, 8);
    roi.push_back(static_cast<double>(random.one_in(12) ? random.pick(-32, 32) : usual) / 16);
  }
  if (random.one_in(3)) return values_of(DataType::kDouble, roi);
  if (random.one_in(2)) return values_of(DataType::kFloat, std::vector<float>(roi.begin(), roi.end()));
  std::vector<uint16_t> halves;
  for (const double entry : roi) halves.push_back(to_small_float<Float16>(entry).bits);
  return values_of(DataType::kFloat16, halves);
}

const char* draw_coordinates(int64_t opset, Random& random) {
  // A few that the version does not have.
  if (opset == 11 ? random.one_in(5) : random.one_in(300)) return "tf_half_pixel_for_nn";
  if (opset == 19 ? random.one_in(5) : random.one_in(300)) return "half_pixel_symmetric";
  return random.any<const char*>(
      {"half_pixel", "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"});
}

float draw_cubic_a(Random& random) {
  return random.any<float>({-0.75f, -0.75f, -0.5f, -0.5f, -1.0f, 0.0f, 0.5f, 4.0f, -0.6f, 1e15f});
}

// Plan fields, which only some calls may have.
void draw_fields(Case& drawn, const std::string& mode, bool sizes, const std::vector<int64_t>& in,
                 const std::vector<int64_t>& out, Random& random) {
  switch (random.pick(0, 7)) {
    case 0:
    case 1: return add(drawn, "tesela.order", random.any<const char*>({"first_axis_first", "last_axis_first"}));
    case 2:
      return add(drawn, "tesela.coordinates",
                 random.any<const char*>({"float32", "float64", "reciprocal64", "rounded64"}));
    case 4: return add(drawn, "tesela.extents", random.any<const char*>({"host", "openvino"}));
    case 5:
      if (mode != "cubic") add(drawn, "tesela.rules", "onnxruntime_positions");
      return;
    case 6:
      if (drawn.dtype != DataType::kUint8) return;
      add(drawn, "tesela.weights", random.any<const char*>({"fixed8", "fixed22", "int16"}));
      if (random.one_in(2)) add(drawn, "tesela.intermediate", "uint8");
      return;
    default: break;
  }
  if (!sizes) return;
  std::string scales;  // with decimals, which the locale must not affect
  for (size_t d = 0; d < in.size(); ++d)
    scales += fmt::format("{}{}", d > 0 ? "," : "",
                          (static_cast<double>(out[d]) + 0.25) / static_cast<double>(std::max<int64_t>(in[d], 1)));
  add(drawn, "tesela.position_scales", scales);
}

void draw_attributes(Case& drawn, const std::string& mode, Random& random) {
  add(drawn, "coordinate_transformation_mode", draw_coordinates(drawn.opset, random));
  if (mode == "nearest")
    add(drawn, "nearest_mode", random.any<const char*>({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  if (random.one_in(3)) drawn.attributes.push_back({"exclude_outside", int64_t{1}});
  if (mode == "cubic") drawn.attributes.push_back({"cubic_coeff_a", draw_cubic_a(random)});
  if (random.one_in(2))
    drawn.attributes.push_back({"extrapolation_value", random.any<float>({-0.0f, 0.5f, 2.5f, -1.0f, 300.0f, 1e30f})});
  if (drawn.opset < 18) return;
  if (random.one_in(2)) drawn.attributes.push_back({"antialias", int64_t{1}});
}

// The listed axes, in any order, some of them negative.
std::vector<int64_t> draw_axes(Case& drawn, Random& random) {
  const int64_t rank = std::ssize(drawn.extents);
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < rank; ++d) axes.push_back(d);
  if (drawn.opset < 18 || !random.one_in(3)) return axes;
  random.shuffle(axes);
  axes.resize(static_cast<size_t>(random.pick(0, rank)));
  std::vector<int64_t> written = axes;
  for (int64_t& axis : written)
    if (random.one_in(3)) axis -= rank;
  drawn.attributes.push_back({"axes", written});
  return axes;
}

// Resize since version 11: X, roi, scales, sizes.
void draw_recent(Case& drawn, const std::string& mode, int64_t room, Random& random) {
  draw_attributes(drawn, mode, random);
  std::vector<int64_t> in;
  for (const int64_t axis : draw_axes(drawn, random)) in.push_back(drawn.extents[static_cast<size_t>(axis)]);
  int64_t listed = 1;
  for (const int64_t extent : in) listed *= extent;
  int64_t unlisted = 1;
  for (const int64_t extent : drawn.extents) unlisted *= extent;
  const std::vector<int64_t> out =
      draw_outputs(in, listed == 0 ? room : room / std::max<int64_t>(unlisted / listed, 1), random);
  const bool sizes = random.one_in(2);
  drawn.controls = {draw_roi(in.size(), random), std::nullopt, std::nullopt};
  if (drawn.opset == 11) drawn.controls[1] = values_of(DataType::kFloat, std::vector<float>());
  if (sizes)
    drawn.controls[2] = values_of(DataType::kInt64, out);
  else
    drawn.controls[1] = values_of(DataType::kFloat, draw_scales(in, out, random));
  if (!sizes) drawn.controls.pop_back();
  if (drawn.opset >= 18 && sizes && random.one_in(3))
    add(drawn, "keep_aspect_ratio_policy", random.any<const char*>({"not_larger", "not_smaller"}));
  if (random.one_in(7)) draw_fields(drawn, mode, sizes, in, out, random);
}

void draw_upsample(Case& drawn, const std::string& mode, const std::vector<int64_t>& out, Random& random) {
  std::vector<float> scales = draw_scales(drawn.extents, out, random);
  if (drawn.type == "Upsample")
    for (float& scale : scales) scale = std::max(scale, 1.0f);
  if (drawn.type == "Upsample" && drawn.opset == 1) {
    drawn.extents.resize(4, 2);
    scales.resize(4, 2.5f);
    drawn.attributes = {{"height_scale", scales[2]}, {"width_scale", scales[3]}};
    return add(drawn, "mode", mode == "nearest" ? "nearest" : "bilinear");
  }
  add(drawn, "mode", mode == "nearest" ? "nearest" : "linear");
  if (drawn.type == "Upsample" && drawn.opset == 7)
    drawn.attributes.push_back({"scales", scales});
  else
    drawn.controls = {values_of(DataType::kFloat, scales)};
}

// Interpolate-4 with sizes and axes.
void draw_interpolate(Case& drawn, const std::vector<int64_t>& out, Random& random) {
  drawn.domain = "openvino";
  drawn.type = "Interpolate";
  drawn.opset = random.any<int64_t>({4, 11});
  const char* mode = random.any<const char*>({"nearest", "linear_onnx", "linear_onnx", "cubic", "cubic"});
  if (drawn.opset == 11 && random.one_in(2)) mode = random.any<const char*>({"bilinear_pillow", "bicubic_pillow"});
  add(drawn, "mode", mode);
  add(drawn, "shape_calculation_mode", "sizes");
  if (random.one_in(2))
    add(drawn, "coordinate_transformation_mode",
        random.any<const char*>({"half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"}));
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < std::ssize(out); ++d) axes.push_back(d);
  const Values sizes = values_of(DataType::kInt64, out);
  const Values listed = values_of(DataType::kInt64, axes);
  if (drawn.opset == 11) {
    drawn.controls = {sizes, listed};
    return;
  }
  const std::vector<float> scales = draw_scales(drawn.extents, out, random);
  drawn.controls = {sizes, values_of(DataType::kFloat, scales), listed};
}

// Channels last, at less than half the width, for sums of two by two pixels.
void draw_pixels(Case& drawn, Random& random) {
  drawn.opset = random.any<int64_t>({18, 19});
  drawn.dtype = random.any({DataType::kFloat, DataType::kUint8, DataType::kInt8, DataType::kUint16, DataType::kInt16,
                            DataType::kFloat16, DataType::kBfloat16});
  const std::vector<int64_t> out = {random.pick(1, 12), random.pick(1, 24), random.pick(3, 4)};
  drawn.extents = {random.pick(2, 20), 2 * out[1] + random.pick(1, 30), out[2]};
  add(drawn, "mode", "linear");
  drawn.controls = {std::nullopt, std::nullopt, values_of(DataType::kInt64, out)};
}

// Long rows that grow by a whole factor, for sums of rows that are resampled in the same loop.
void draw_grown(Case& drawn, Random& random) {
  drawn.opset = random.any<int64_t>({18, 19});
  drawn.dtype = random.any(
      {DataType::kFloat, DataType::kFloat16, DataType::kDouble, DataType::kComplex64, DataType::kComplex128});
  const int64_t factor = random.any<int64_t>({2, 2, 3, 4});
  drawn.extents = {random.pick(2, 5), random.pick(100, 400)};
  add(drawn, "mode", random.any<const char*>({"linear", "cubic"}));
  const std::vector<int64_t> out = {factor * drawn.extents[0], factor * drawn.extents[1]};
  drawn.controls = {std::nullopt, std::nullopt, values_of(DataType::kInt64, out)};
}

// Images of bytes at exactly half the size, or strongly reduced in fixed point along rows.
void draw_image(Case& drawn, Random& random) {
  const bool half = random.one_in(2);
  drawn.opset = random.any<int64_t>({18, 19});
  drawn.dtype = DataType::kUint8;
  std::vector<int64_t> out = {random.pick(1, 12), random.pick(1, 24)};
  const int64_t factor = half ? 2 : random.pick(5, 12);
  drawn.extents = {out[0] * factor, out[1] * factor};
  if (!half) drawn.extents[1] += random.pick(0, 9);
  if (half && random.one_in(2)) {  // channels last
    const int64_t channels = random.pick(1, 5);
    drawn.extents.push_back(channels);
    out.push_back(channels);
  }
  add(drawn, "mode", half ? "linear" : random.any<const char*>({"linear", "cubic"}));
  drawn.controls = {std::nullopt, std::nullopt, values_of(DataType::kInt64, out)};
  if (half) return;
  drawn.attributes.push_back({"antialias", int64_t{1}});
  add(drawn, "tesela.order", "last_axis_first");
  add(drawn, "tesela.weights", "int16");
  add(drawn, "tesela.intermediate", "uint8");
}

// For the kernels that few other draws reach.
void draw_special(Case& drawn, Random& random) {
  if (random.one_in(3)) return draw_pixels(drawn, random);
  if (random.one_in(3)) return draw_grown(drawn, random);
  draw_image(drawn, random);
}

}  // namespace

void draw_resize(Case& drawn, Random& random) {
  drawn.type = "Resize";
  if (random.one_in(60)) return draw_special(drawn, random);
  drawn.opset = random.any<int64_t>({10, 11, 11, 13, 13, 18, 18, 18, 19, 19, 19, 19});
  drawn.dtype = any_computed(random);
  std::string mode = random.any<const char*>({"nearest", "linear", "linear", "cubic", "cubic"});
  if (mode == "nearest" && random.one_in(12)) drawn.dtype = DataType::kString;
  if (random.one_in(200)) drawn.dtype = DataType::kFloat8e5m2;  // which no version has
  const Size size = draw_size(random);
  drawn.extents = draw_extents(size, random);
  const bool is_interpolate = random.one_in(16);
  const bool is_upsample = random.one_in(14);
  if (is_upsample) {
    drawn.type = "Upsample";
    drawn.opset = random.any<int64_t>({1, 7, 9});
    if (drawn.opset == 1) drawn.extents.resize(4, 2);
    if (drawn.opset == 1 && !random.one_in(10)) drawn.dtype = random.any({DataType::kFloat, DataType::kInt32});
  }
  if (is_interpolate || is_upsample || drawn.opset == 10) {
    const std::vector<int64_t> out = draw_outputs(drawn.extents, room_of(size), random);
    return is_interpolate ? draw_interpolate(drawn, out, random) : draw_upsample(drawn, mode, out, random);
  }
  add(drawn, "mode", mode);
  draw_recent(drawn, mode, room_of(size), random);
}

}  // namespace tesela::digests
