// Enlarges a small tensor through the installed library from C++. Argument: the version that the package names.
#include <tesela/tesela.h>

#include <array>
#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  if (argc != 2 || std::string_view(argv[1]) != tesela_version()) {
    std::fprintf(stderr, "the library is version %s\n", tesela_version());
    return 1;
  }

  const std::array<int64_t, 2> x_extents{1, 2}, y_extents{2, 4};
  const std::array<int64_t, 1> sizes_extents{2};
  std::array<float, 2> x_data{1, 2};
  std::array<int64_t, 2> sizes_data{2, 4};
  std::array<float, 8> y_data{};
  const tesela_tensor x{x_data.data(), TESELA_FLOAT, 2, x_extents.data(), nullptr, 0};
  const tesela_tensor sizes{sizes_data.data(), TESELA_INT64, 1, sizes_extents.data(), nullptr, 0};
  const tesela_tensor y{y_data.data(), TESELA_FLOAT, 2, y_extents.data(), nullptr, 0};
  const std::array<const tesela_tensor*, 4> inputs{&x, nullptr, nullptr, &sizes};

  tesela_error error{};
  tesela_op* op = nullptr;
  tesela_plan* plan = nullptr;
  if (tesela_op_create("", "Resize", 19, "consumer", &op, &error) != TESELA_OK ||
      tesela_op_set_string(op, "mode", "linear", &error) != TESELA_OK ||
      tesela_plan_create(op, inputs.size(), inputs.data(), nullptr, &plan, &error) != TESELA_OK ||
      tesela_plan_run(plan, &x, &y, nullptr, &error) != TESELA_OK) {
    std::fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  tesela_plan_destroy(plan);
  tesela_op_destroy(op);

  // Half-pixel positions of 2 -> 4 are -0.25, 0.25, 0.75, 1.25.
  const std::array<float, 8> expected{1, 1.25F, 1.75F, 2, 1, 1.25F, 1.75F, 2};
  if (y_data != expected) {
    std::fprintf(stderr, "wrong elements\n");
    return 1;
  }
  return 0;
}
