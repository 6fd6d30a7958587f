// SPDX-License-Identifier: Apache-2.0
// The passes of a plan, whose sums are carried from box to box.
#include "errors.h"
#include "interrupts.h"
#include "module.h"
#include "tensors.h"

namespace tesela_python {
namespace {

size_t pass_count(nb::handle plan) {
  tesela_error error = {};
  size_t count = 0;
  check(tesela_plan_pass_count(plan_of(plan), &count, &error), error);
  return count;
}

tesela_pass read_pass(const tesela_plan* plan, size_t index, int64_t* input, int64_t* output) {
  tesela_error error = {};
  tesela_pass pass = {};
  pass.struct_size = sizeof pass;
  check(tesela_plan_pass_info(plan, index, &pass, input, output, &error), error);
  return pass;
}

nb::tuple pass_info(nb::handle plan, size_t index) {
  const tesela_plan* const known = plan_of(plan);
  const auto rank = static_cast<size_t>(read_pass(known, index, nullptr, nullptr).rank);
  Extents input(rank);
  Extents output(rank);
  const tesela_pass pass = read_pass(known, index, input.data(), output.data());
  return nb::make_tuple(pass.axis, make_tuple(input.data(), rank), make_tuple(output.data(), rank), pass.input_dtype,
                        pass.accumulator_dtype, pass.output_dtype, pass.window);
}

Extents read_position(nb::handle sequence, const tesela_pass& pass) {
  Extents position = read_extents(sequence);
  if (position.size() != static_cast<size_t>(pass.rank))
    fail(TESELA_ERROR_RANK, "a box does not have as many entries as the pass has axes");
  return position;
}

nb::tuple pass_input_region(nb::handle plan, size_t index, nb::handle lo, nb::handle extents) {
  const tesela_plan* const known = plan_of(plan);
  const tesela_pass pass = read_pass(known, index, nullptr, nullptr);
  const Extents to_lo = read_position(lo, pass);
  const Extents to_extents = read_position(extents, pass);
  Extents from_lo(to_lo.size());
  Extents from_extents(to_lo.size());
  tesela_error error = {};
  check(tesela_plan_pass_input_region(known, index, to_lo.data(), to_extents.data(), from_lo.data(),
                                      from_extents.data(), &error),
        error);
  return nb::make_tuple(make_tuple(from_lo.data(), from_lo.size()),
                        make_tuple(from_extents.data(), from_extents.size()));
}

void pass_begin(nb::handle plan, size_t index, nb::handle accumulator) {
  const tesela_plan* const known = plan_of(plan);
  const Tensor sums(accumulator, read_pass(known, index, nullptr, nullptr).accumulator_dtype, true, nullptr);
  tesela_error error = {};
  check(tesela_plan_pass_begin(known, index, sums.get(), &error), error);
}

tesela_run_options options_of(int threads) {
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = threads;
  return options;
}

void pass_add(nb::handle plan, size_t index, nb::handle x, nb::handle x_lo, nb::handle accumulator, nb::handle lo,
              int threads) {
  const tesela_plan* const known = plan_of(plan);
  const tesela_pass pass = read_pass(known, index, nullptr, nullptr);
  const Tensor from(x, pass.input_dtype, false, nullptr);
  const Tensor sums(accumulator, pass.accumulator_dtype, true, nullptr);
  const Extents from_lo = read_position(x_lo, pass);
  const Extents to_lo = read_position(lo, pass);
  run_interruptible(options_of(threads), [&](const tesela_run_options* options, tesela_error* error) {
    return tesela_plan_pass_add(known, index, from.get(), from_lo.data(), sums.get(), to_lo.data(), options, error);
  });
}

void pass_finish(nb::handle plan, size_t index, nb::handle accumulator, nb::handle y, nb::handle lo, int threads) {
  const tesela_plan* const known = plan_of(plan);
  const tesela_pass pass = read_pass(known, index, nullptr, nullptr);
  const Tensor sums(accumulator, pass.accumulator_dtype, false, nullptr);
  const Tensor to(y, pass.output_dtype, true, nullptr);
  const Extents to_lo = read_position(lo, pass);
  run_interruptible(options_of(threads), [&](const tesela_run_options* options, tesela_error* error) {
    return tesela_plan_pass_finish(known, index, sums.get(), to.get(), to_lo.data(), options, error);
  });
}

}  // namespace

void bind_passes(nb::module_& module) {
  module.def("pass_count", &pass_count, nb::arg("plan"), "The number of passes of a Plan.");
  module.def("pass_info", &pass_info, nb::arg("plan"), nb::arg("index"),
             "The axis, input and output extents, dtypes of input, accumulator and output, and the window of a pass.");
  module.def("pass_input_region", &pass_input_region, nb::arg("plan"), nb::arg("index"), nb::arg("lo"),
             nb::arg("extents"));
  module.def("pass_begin", &pass_begin, nb::arg("plan"), nb::arg("index"), nb::arg("accumulator"));
  module.def("pass_add", &pass_add, nb::arg("plan"), nb::arg("index"), nb::arg("x"), nb::arg("x_lo"),
             nb::arg("accumulator"), nb::arg("lo"), nb::arg("threads"));
  module.def("pass_finish", &pass_finish, nb::arg("plan"), nb::arg("index"), nb::arg("accumulator"), nb::arg("y"),
             nb::arg("lo"), nb::arg("threads"));
}

}  // namespace tesela_python
