// SPDX-License-Identifier: Apache-2.0
// Folders of ONNX's backend tests: model.onnx (or OpenVINO's model.xml) and test_data_set_N/{input,output}_N.pb.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tesela::cli {

struct TestCase {
  std::string name;
  std::filesystem::path folder;
  std::filesystem::path model;
};

/// Each folder is a case or contains cases at any depth. Sorted by name within each folder.
/// Errors: usage (a folder without cases), io.
std::vector<TestCase> find_cases(const std::vector<std::string>& folders);

struct DataSet {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> inputs;  // [N] is of input_N.pb
  std::vector<std::filesystem::path> outputs;
};

/// Errors: count (no data set, a missing file), io.
std::vector<DataSet> find_data_sets(const TestCase& test);

}  // namespace tesela::cli
