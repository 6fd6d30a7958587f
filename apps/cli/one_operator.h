// The verbs that apply one operator: what they share.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "tensor_files.h"

namespace tesela::cli {

struct OperatorRequest {
  TensorSource input;  // path empty: the operator has none
  std::string output;
  std::string format;
  int64_t opset = 0;
  RunFlags flags;
};

/// IN, --dtype and --entry.
void add_input(CLI::App& verb, OperatorRequest& request);
/// OUT, --format, --opset and the flags of a run.
void add_output(CLI::App& verb, OperatorRequest& request);

/// The target of OUT, checked before any work.
TensorTarget plan_output(const OperatorRequest& request);

/// A 1-D tensor over numbers that are kept elsewhere.
class ListTensor {
 public:
  explicit ListTensor(const std::vector<int64_t>& numbers) : ListTensor(TESELA_INT64, numbers.data(), numbers.size()) {}
  explicit ListTensor(const std::vector<float>& numbers) : ListTensor(TESELA_FLOAT, numbers.data(), numbers.size()) {}
  ListTensor(const ListTensor&) = delete;
  ListTensor& operator=(const ListTensor&) = delete;

  const tesela_tensor* view() const { return &view_; }

 private:
  // The C interface reads inputs through the same struct that it writes outputs through.
  ListTensor(tesela_dtype dtype, const void* numbers, size_t count)
      : extent_(static_cast<int64_t>(count)), view_{const_cast<void*>(numbers), dtype, 1, &extent_, nullptr, 0} {}

  int64_t extent_;
  tesela_tensor view_;
};

/// An input of an operator. name: null for the first. tensor: null for an omitted one.
struct NamedInput {
  const char* name;
  const tesela_tensor* tensor;
};

/// Plans and runs `op`, says so in a line, and writes the output. name: of the tensor in the output's file.
void apply(const char* type, const tesela_op* op, const std::vector<NamedInput>& inputs, const OperatorRequest& request,
           const TensorTarget& target, const std::string& name);

}  // namespace tesela::cli
