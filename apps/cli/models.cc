// Loading models.
#include "models.h"

#include "streams.h"

namespace tesela::cli {
namespace {

// A protobuf message cannot be longer, and what is longer yet than this is no model from a pipe.
constexpr uint64_t kLongestStream = uint64_t{2} << 30;

}  // namespace

Model::Model(const ModelSource& source, const tesela_limits& limits) {
  tesela_load_options options{};
  options.struct_size = sizeof options;
  options.limits = &limits;
  options.assume_opset = source.assume_opset;
  options.extents = source.extents.empty() ? nullptr : source.extents.c_str();
  tesela_model* model = nullptr;
  if (auto bytes = read_stream(source.path, kLongestStream)) {
    bytes_ = std::move(*bytes);
    call(tesela_model_load_memory, bytes_.data(), bytes_.size(), &options, &model);
  } else {
    call(tesela_model_load, source.path.c_str(), &options, &model);
  }
  model_.reset(model);
}

std::vector<std::string> Model::input_names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < tesela_model_input_count(get()); ++i) names.emplace_back(tesela_model_input_name(get(), i));
  return names;
}

std::vector<std::string> Model::output_names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < tesela_model_output_count(get()); ++i) names.emplace_back(tesela_model_output_name(get(), i));
  return names;
}

}  // namespace tesela::cli
