// SPDX-License-Identifier: Apache-2.0
// TensorProto: its fields, and the tensor that they encode.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/external_data.h"
#include "model/pb_fields.h"
#include "types/limits.h"
#include "types/tensor.h"

namespace tesela {

/// A TensorProto, unchecked. Views point into the file.
struct TensorFields {
  std::vector<int64_t> dims;
  int32_t data_type = 0;
  bool is_segment = false;
  bool is_external = false;
  std::string_view name;
  std::optional<std::string_view> raw;
  std::vector<float> floats;
  std::vector<int32_t> int32s;
  std::vector<int64_t> int64s;
  std::vector<double> doubles;
  std::vector<uint64_t> uint64s;
  std::vector<std::string_view> strings;
  std::vector<std::pair<std::string_view, std::string_view>> external;
};

/// Merges a message into `fields`, as protobuf specifies for messages in pieces. Throws the exceptions that
/// parse_protobuf catches.
void read_tensor_fields(std::string_view message, PbPosition& position, TensorFields& fields);

/// Sources of a tensor's bytes.
struct TensorSource {
  std::shared_ptr<const void> owner;  // of the message's bytes
  bool borrow = true;                 // the owner, or the caller if it is null, keeps the bytes long enough
  ExternalFiles* external = nullptr;  // null: data in other files is unsupported
  const Limits& limits;
};

/// The tensor; it borrows the file's bytes if they are aligned for its type.
/// Errors: type, shape, limit, parse (contradictory fields), value (numbers out of the type's range), unsupported
/// (segments), and those of external data.
Result<Tensor> make_tensor(const TensorFields& fields, const TensorSource& source);

}  // namespace tesela
