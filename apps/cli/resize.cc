// SPDX-License-Identifier: Apache-2.0
// tesela resize: resizes a tensor or an image.
#include <cmath>
#include <optional>

#include "failure.h"
#include "numbers.h"
#include "one_operator.h"
#include "resize_attributes.h"

namespace tesela::cli {
namespace {

struct ResizeRequest {
  OperatorRequest shared;
  std::optional<std::vector<float>> scales, roi;
  std::optional<std::vector<int64_t>> sizes;
  AttributeValues attributes;
};

constexpr size_t kImageAxes = 2;  // height and width

std::vector<float> parse_scales(const std::string& text) {
  const std::vector<float> scales = parse_floats("--scales", text);
  for (const float scale : scales)
    if (!std::isfinite(scale) || scale <= 0)
      usage("--scales: " + in_quotes(text) +
            " has an entry that is 0, negative or not finite; expected finite numbers above 0");
  return scales;
}

void set_field(ResizeRequest& request, const char* name, const std::string& value) {
  request.attributes[name] = value;
}

bool has_two_axes(const ResizeRequest& request) {
  return request.sizes ? request.sizes->size() == kImageAxes : request.scales && request.scales->size() == kImageAxes;
}

// For an image, two numbers are for height and width; channels are not resized. A version without `axes` gets a number
// for each axis.
void take_image_axes(ResizeRequest& request, const Shape& image, const Op& op) {
  if (op.attribute_kind("axes") != TESELA_ATTRIBUTE_NONE) {
    request.attributes["axes"] = std::vector<int64_t>{0, 1};
    return;
  }
  for (size_t axis = kImageAxes; axis < image.size(); ++axis) {
    if (request.sizes) request.sizes->push_back(image[axis]);
    if (request.scales) request.scales->push_back(1);
  }
  if (!request.roi || request.roi->size() != 2 * kImageAxes) return;
  const size_t others = image.size() - kImageAxes;
  request.roi->insert(request.roi->begin() + kImageAxes, others, 0.0f);
  request.roi->insert(request.roi->end(), others, 1.0f);
}

int print_resize(const ResizeRequest& request) {
  constexpr std::string_view kField = "tesela.";
  Json parameters = Json::object();
  for (const auto& [name, value] : request.attributes) {
    const std::string plain = name.starts_with(kField) ? name.substr(kField.size()) : name;
    std::visit([&](const auto& given) { parameters[plain] = given; }, value);
  }
  if (request.roi) parameters["roi"] = *request.roi;
  if (request.scales) parameters["scales"] = *request.scales;
  if (request.sizes) parameters["sizes"] = *request.sizes;
  return print_call("resize", request.shared, std::move(parameters));
}

int resize(const ResizeRequest& given) {
  ResizeRequest request = given;
  if (request.sizes.has_value() == request.scales.has_value()) usage("resize needs either --sizes or --scales");
  if (request.shared.stream.prints_call) return print_resize(request);
  const TensorTarget target = plan_output("resize", request.shared);
  Op op("Resize", request.shared.opset);
  const LoadedTensor input = load_tensor(request.shared.input, request.shared.flags.limits());
  if (input.is_image && !request.attributes.contains("axes") && has_two_axes(request))
    take_image_axes(request, input.value.extents(), op);
  for (const auto& [name, value] : request.attributes)
    std::visit([&op, name = name](const auto& given) { op.set(name, given); }, value);
  OtherInputs others;
  if (request.roi) others.emplace_back("roi", *request.roi);
  if (request.scales) others.emplace_back("scales", *request.scales);
  if (request.sizes) others.emplace_back("sizes", *request.sizes);
  apply("Resize", op, input.value, others, request.shared, target, input.value.name());
  return 0;
}

constexpr const char* kResizeExamples =
    R"(Images are height x width x channels; two sizes or scales mean height and width.

Examples:
  tesela resize photo.jpg small.png --sizes 240,320 --mode linear --antialias 1
  tesela resize photo.png double.png --scales 2,2 --mode cubic
  tesela resize x.npy y.npy --scales 1,1,0.5,0.5 --mode linear --coordinate-transformation-mode align_corners
  tesela resize x.npy y.npy --axes 2,3 --sizes 224,224 --mode cubic --keep-aspect-ratio-policy not_larger
)";

}  // namespace

void add_resize(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "resize", "Resize a tensor or an image");
  verb.footer(kResizeExamples);
  ResizeRequest& r = set_action<ResizeRequest>(verb, chosen, resize);
  add_input(verb, r.shared);
  add_text(verb, "--sizes", "N,N,...", "The extents of the output",
           [&r](const std::string& text) { r.sizes = parse_integers("--sizes", text, 0, INT64_MAX); });
  add_text(verb, "--scales", "X,X,...", "What to multiply the extents by",
           [&r](const std::string& text) { r.scales = parse_scales(text); });
  add_text(verb, "--roi", "X,X,...", "The region that tf_crop_and_resize takes: all starts, then all ends",
           [&r](const std::string& text) { r.roi = parse_floats("--roi", text); });
  add_text(verb, "--rules", "NAME",
           "Give the results of another library: onnxruntime, onnx_reference, openvino, pytorch",
           [&r](const std::string& text) { set_field(r, "tesela.rules", text); });
  add_extents(verb, [&r](const std::string& text) { set_field(r, "tesela.extents", text); });
  add_output(verb, r.shared);
  add_resize_attributes(verb, r.attributes);
}

}  // namespace tesela::cli
