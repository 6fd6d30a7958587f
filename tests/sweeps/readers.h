// SPDX-License-Identifier: Apache-2.0
// What the sweeps do with a file: everything that load, inspect and check do.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "types/limits.h"
#include "types/status.h"

namespace tesela::testing {

/// Ok: the file is accepted, a model without faults.
using Reader = std::function<Status(std::span<const std::byte>)>;

/// The reader for the contents of a file with this path, chosen by the extension: .onnx, .xml, .bin, .npy, .npz, .pb,
/// .png, .jpg; null for another one. An IR is read from a folder of its own, with the other half of the pair as it is
/// at this path.
Reader reader_for(const std::string& path, const Limits& limits = {});

/// The bytes of a file. It must be readable.
std::string read_whole(const std::string& path);

}  // namespace tesela::testing
