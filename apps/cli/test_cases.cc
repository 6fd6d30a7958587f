// SPDX-License-Identifier: Apache-2.0
// Searches folders, in an order that does not depend on the file system.
#include "test_cases.h"

#include <algorithm>
#include <map>
#include <optional>

#include "failure.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModels[] = {"model.onnx", "model.xml"};
constexpr const char* kDataSet = "test_data_set_";

// The number N in a name that is prefix, N and suffix.
std::optional<int64_t> number_in(const std::string& name, std::string_view prefix, std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  if (name.size() < prefix.size() + suffix.size()) return std::nullopt;
  return integer_from<int64_t>(
      std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
}

std::map<int64_t, fs::path> numbered(const fs::path& folder, std::string_view prefix, std::string_view suffix) {
  std::map<int64_t, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (const auto number = number_in(entry.path().filename().string(), prefix, suffix)) found[*number] = entry.path();
  return found;
}

std::vector<fs::path> without_gaps(const std::map<int64_t, fs::path>& files, const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& [number, path] : files) {
    if (number != static_cast<int64_t>(paths.size()))
      fail(TESELA_ERROR_COUNT, in_quotes(folder.string()) + " has " + in_quotes(path.filename().string()) +
                                   ", but none with the number " + std::to_string(paths.size()));
    paths.push_back(path);
  }
  return paths;
}

std::string case_name(const fs::path& folder) {
  const fs::path clean = fs::absolute(folder).lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

void add_cases(const fs::path& folder, std::vector<TestCase>& cases) {
  // A model with its data in the same folder.
  const bool is_model = folder.extension() == ".onnx" || folder.extension() == ".xml";
  if (is_model && fs::is_regular_file(folder)) {
    const fs::path around = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    cases.push_back({case_name(around), around, folder});
    return;
  }
  for (const char* model : kModels) {
    if (!fs::is_regular_file(folder / model)) continue;
    cases.push_back({case_name(folder), folder, folder / model});
    return;
  }
  std::vector<fs::path> inner;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    // A link could form a cycle.
    if (entry.is_directory() && !entry.is_symlink()) inner.push_back(entry.path());
  std::sort(inner.begin(), inner.end());
  for (const fs::path& path : inner) add_cases(path, cases);
}

// Converts exceptions of the file system to our errors.
template <class Work>
auto guarded(const Work& work) {
  try {
    return work();
  } catch (const fs::filesystem_error& error) {
    fail(TESELA_ERROR_IO, "cannot read " + in_quotes(error.path1().string()) + ": " + error.code().message());
  }
}

}  // namespace

std::vector<TestCase> find_cases(const std::vector<std::string>& folders) {
  std::vector<TestCase> cases;
  for (const std::string& folder : folders) {
    const size_t before = cases.size();
    guarded([&] {
      add_cases(folder, cases);
      return 0;
    });
    if (cases.size() == before)
      usage("there is no " + std::string(kModels[0]) + " or " + kModels[1] + " in " + in_quotes(folder) +
            " or in the folders in it");
  }
  return cases;
}

std::vector<DataSet> find_data_sets(const TestCase& test) {
  return guarded([&] {
    std::vector<DataSet> sets;
    for (const auto& [number, folder] : numbered(test.folder, kDataSet, "")) {
      if (!fs::is_directory(folder)) continue;
      sets.push_back({folder, without_gaps(numbered(folder, "input_", ".pb"), folder),
                      without_gaps(numbered(folder, "output_", ".pb"), folder)});
    }
    if (sets.empty()) fail(TESELA_ERROR_COUNT, "there is no folder " + std::string(kDataSet) + "0");
    return sets;
  });
}

}  // namespace tesela::cli
