// SPDX-License-Identifier: Apache-2.0
// Enlarges a small tensor through the installed library from C++, whole and a part of its input at a time. Argument: the version
// of the package.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <tesela/tesela.hpp>

int main(int argc, char** argv) try {
  if (argc != 2 || std::string_view(argv[1]) != tesela_version()) {
    std::fprintf(stderr, "the library is version %s\n", tesela_version());
    return 1;
  }

  const std::array<float, 2> x{1, 2};
  const std::array<int64_t, 2> sizes{2, 4};
  std::array<float, 8> y{};
  tesela::Op op("Resize", 19);
  op.set("mode", "linear");
  const tesela::Plan plan = op.plan({{x, {1, 2}}, {}, {}, sizes});
  plan.run({x, {1, 2}}, {y, {2, 4}});

  // Half-pixel positions of 2 -> 4 are -0.25, 0.25, 0.75, 1.25.
  const std::array<float, 8> expected{1, 1.25F, 1.75F, 2, 1, 1.25F, 1.75F, 2};
  if (y != expected) {
    std::fprintf(stderr, "wrong elements\n");
    return 1;
  }

  const tesela::Pass pass = plan.passes().front();  // along the rows
  tesela::Value sums = pass.partial({1, 4});
  for (const int64_t i : {0, 1})
    pass.add({std::span(x).subspan(static_cast<size_t>(i), 1), {1, 1}}, {0, i}, sums.view(), {0, 0});
  std::array<float, 4> row{};
  pass.finish(sums.view(), {row, {1, 4}}, {0, 0});
  if (!std::equal(row.begin(), row.end(), expected.begin())) {
    std::fprintf(stderr, "wrong sums\n");
    return 1;
  }
  return 0;
} catch (const tesela::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_code();
}
