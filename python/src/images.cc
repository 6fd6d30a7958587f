// SPDX-License-Identifier: Apache-2.0
// Images that need not fit into memory.
#include "errors.h"
#include "interrupts.h"
#include "module.h"
#include "tensors.h"

#include <array>
#include <cerrno>

namespace tesela_python {
namespace {

tesela_tensor described(tesela_dtype dtype, const Extents& extents) {
  return {nullptr, dtype, static_cast<int32_t>(extents.size()), extents.data(), nullptr, 0};
}

tesela_run_options no_options() {
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  return options;
}

nb::tuple image_unpack(const char* path, int64_t memory, int to, nb::handle progress) {
  tesela_limits limits = {};
  limits.struct_size = sizeof limits;
  limits.max_output_bytes = INT64_MAX;
  limits.max_pixels = INT64_MAX;
  limits.max_working_bytes = memory;
  tesela_dtype dtype = 0;
  std::array<int64_t, 3> extents = {};
  const auto unpack = [&](const tesela_run_options* options, tesela_error* error) {
    return tesela_image_unpack(path, &limits, to, options, &dtype, extents.data(), error);
  };
  run_interruptible(no_options(), unpack, progress);
  return nb::make_tuple(dtype, make_tuple(extents.data(), extents.size()));
}

void image_check(tesela_dtype dtype, nb::handle shape, int format) {
  const Extents extents = read_extents(shape);
  const tesela_tensor tensor = described(dtype, extents);
  tesela_error error = {};
  check(tesela_image_check(&tensor, static_cast<tesela_file_format>(format), &error), error);
}

void image_pack(tesela_dtype dtype, nb::handle shape, int from, int format, int to, nb::handle progress) {
  const Extents extents = read_extents(shape);
  const tesela_tensor tensor = described(dtype, extents);
  tesela_file_options file = {};
  file.struct_size = sizeof file;
  file.format = static_cast<tesela_file_format>(format);
  const auto pack = [&](const tesela_run_options* options, tesela_error* error) {
    return tesela_image_pack(&tensor, from, &file, to, options, error);
  };
  run_interruptible(no_options(), pack, progress);
}

}  // namespace

void bind_images(nb::module_& module) {
  module.attr("FILE_PNG") = static_cast<int>(TESELA_FILE_PNG);
  module.attr("FILE_JPEG") = static_cast<int>(TESELA_FILE_JPEG);
  module.def("image_unpack", &image_unpack, nb::arg("path"), nb::arg("memory"), nb::arg("to"),
             nb::arg("progress").none() = nb::none(),
             "Decodes a PNG or JPEG file to an open file of elements. Returns their type and extents. "
             "progress: called with the share of rows that are decoded.");
  module.def("image_check", &image_check, nb::arg("dtype"), nb::arg("shape"), nb::arg("format"),
             "Raises what image_pack would raise for such a tensor.");
  module.def(
      "image_pack", &image_pack, nb::arg("dtype"), nb::arg("shape"), nb::arg("from_"), nb::arg("format"), nb::arg("to"),
      nb::arg("progress").none() = nb::none(),
      "Encodes the elements of an open file to another one. progress: called with the share of rows that are encoded.");
}

}  // namespace tesela_python
