// SPDX-License-Identifier: Apache-2.0
// tesela fill: makes a tensor with one value.
#include <optional>

#include "element_value.h"
#include "numbers.h"
#include "one_operator.h"

namespace tesela::cli {
namespace {

struct FillRequest {
  OperatorRequest shared;
  std::vector<int64_t> shape;
  std::optional<std::string> value;
  tesela_dtype dtype = TESELA_FLOAT;
};

int print_fill(const FillRequest& request, const Value& value) {
  const tesela_tensor element = value.c();
  const auto* bytes = static_cast<const uint8_t*>(element.data);
  const size_t count = (static_cast<size_t>(dtype_bits(element.dtype)) + 7) / 8;
  return print_call("constant_of_shape", request.shared,
                    {{"shape", request.shape},
                     {"value", std::vector<int>(bytes, bytes + count)},
                     {"dtype", tesela_dtype_name(element.dtype)}});
}

int fill(const FillRequest& request) {
  const Value value = parse_element("--value", request.dtype, request.value.value_or("0"));
  if (request.shared.stream.prints_call) return print_fill(request, value);
  const TensorTarget target = plan_output("fill", request.shared);
  Op op("ConstantOfShape", request.shared.opset);
  op.set_tensor("value", value);
  apply("ConstantOfShape", op, request.shape, {}, request.shared, target, "");
  return 0;
}

constexpr const char* kFillExamples =
    R"(Integers are read exactly. Floats are decimal, 0x-hexadecimal, nan or inf, and rounded to the nearest.

Examples:
  tesela fill zeros.npy --shape 2,3
  tesela fill grey.png --shape 480,640,3 --dtype uint8 --value 128
  tesela fill ones.pb --shape 4,4 --dtype bfloat16 --value 1
  tesela fill scalar.npy --shape "" --value 2.5
)";

}  // namespace

void add_fill(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "fill", "Write a tensor of one value (ConstantOfShape)");
  verb.footer(kFillExamples);
  FillRequest& r = set_action<FillRequest>(verb, chosen, fill);
  add_text(verb, "--shape", "N,N,...", "The extents; an empty list makes a scalar", [&r](const std::string& text) {
    r.shape = parse_integers("--shape", text, 0, INT64_MAX);
  })->required();
  add_text(verb, "--value", "V", "The value of every element (default 0)",
           [&r](const std::string& text) { r.value = text; });
  add_text(verb, "--dtype", "TYPE", "The element type (default float)",
           [&r](const std::string& text) { r.dtype = parse_dtype("--dtype", text); });
  add_output(verb, r.shared);
}

}  // namespace tesela::cli
