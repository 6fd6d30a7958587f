// SPDX-License-Identifier: Apache-2.0
// Notes on each operator, and values that only an older version allows.
#include "schema/notes.h"

#include "schema/interpolate_request.h"

namespace tesela {
namespace {

bool is_default(const Attribute& given, const AttributeSpec& spec) {
  if (const auto* number = std::get_if<float>(&given.value)) return *number == spec.default_float;
  const auto* text = std::get_if<std::string>(&given.value);
  return text != nullptr && *text == spec.default_string;
}

/// Sentences about one operator, each prefixed with its name.
class Notes {
 public:
  explicit Notes(const OpDesc& op) : op_(op) {}

  void add(std::string_view text) { texts_.push_back(op_.where() + std::string(text)); }

  // Exporters write defaults in every mode.
  void add_if_ignored(bool is_ignored, std::string_view attribute, std::string_view where) {
    const Attribute* given = op_.find(attribute);
    if (is_ignored && given != nullptr && !is_default(*given, *find_attribute(*op_.schema, attribute)))
      add(fmt::format("attribute '{}' has no effect {} and is ignored", attribute, where));
  }

  std::vector<std::string> take() { return std::move(texts_); }

 private:
  const OpDesc& op_;
  std::vector<std::string> texts_;
};

// OpenVINO writes every attribute in every mode, so only attributes that would make a difference are noted.
void add_interpolate_notes(const OpDesc& op, Notes& notes) {
  const std::string_view mode = op.string_value("mode");
  notes.add_if_ignored(op.int_value("antialias") != 0 && !op.is("mode", InterpolateMode::kLinear) && !is_pillow(op),
                       "antialias", fmt::format("in mode {}", mode));
}

void add_ignored_attributes(const OpDesc& op, Notes& notes) {
  const bool is_nearest = op.is("mode", Filter::kNearest);
  notes.add_if_ignored(!is_nearest, "nearest_mode", "outside mode nearest");
  notes.add_if_ignored(!op.is("mode", Filter::kCubic), "cubic_coeff_a", "outside mode cubic");
  notes.add_if_ignored(is_nearest && op.int_value("exclude_outside") != 0, "exclude_outside", "in mode nearest");
  notes.add_if_ignored(!op.is("coordinate_transformation_mode", CoordinateMode::kTfCropAndResize),
                       "extrapolation_value", "outside coordinate_transformation_mode tf_crop_and_resize");
}

// Positions of tf_half_pixel_for_nn are half an element after those of half_pixel; some roundings compensate for it.
std::string_view cure_for_nn(const OpDesc& op) {
  const bool is_nearest = op.is("mode", Filter::kNearest);
  if (is_nearest && op.is("nearest_mode", NearestMode::kFloor))
    return "'half_pixel' and nearest_mode 'round_prefer_ceil', which take the same elements (tesela fix)";
  if (is_nearest && op.is("nearest_mode", NearestMode::kRoundPreferFloor))
    return "'half_pixel' and nearest_mode 'ceil', which take the same elements (tesela fix)";
  return "'half_pixel', and nearest_mode 'round_prefer_ceil' for what TensorFlow computes";
}

}  // namespace

std::vector<std::string> notes(const OpDesc& op) {
  Notes notes(op);
  if (op.schema->op == Operator::kInterpolate) add_interpolate_notes(op, notes);
  if (op.schema->op == Operator::kResize) add_ignored_attributes(op, notes);
  return notes.take();
}

std::vector<Status> departures(const OpDesc& op) {
  std::vector<Status> found;
  for (const Attribute& attribute : op.attributes) {
    const auto* value = std::get_if<std::string>(&attribute.value);
    if (value == nullptr) continue;
    const WithdrawnValue* withdrawn = find_withdrawn(*find_attribute(*op.schema, attribute.name), *value);
    if (withdrawn == nullptr) continue;
    found.push_back(
        attribute_error("{}attribute '{}' is '{}', which version {} was the last to allow; it is computed as there; "
                        "write {}",
                        op.where(), attribute.name, withdrawn->value, withdrawn->last_version, cure_for_nn(op)));
  }
  return found;
}

}  // namespace tesela
