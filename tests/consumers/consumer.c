/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles a small tensor through the installed C interface, and resizes one a part of its input at a time. Argument: the version of
 * the package. */
#include <stdio.h>
#include <string.h>
#include <tesela/tesela.h>

static int fail(const char* what, const tesela_error* error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  return 1;
}

/* The only pass of a plan reads its input element by element. */
static int resize_by_parts(void) {
  const int64_t two = 2, four = 4, one = 1, zero = 0;
  float x_data[] = {1, 2};
  int64_t sizes_data[] = {4};
  float sums_data[4];
  const float expected[] = {1, 1.25f, 1.75f, 2}; /* half-pixel positions of 2 -> 4 are -0.25, 0.25, 0.75, 1.25 */
  const tesela_tensor x = {x_data, TESELA_FLOAT, 1, &two, NULL, 0};
  const tesela_tensor sizes = {sizes_data, TESELA_INT64, 1, &one, NULL, 0};
  const tesela_tensor sums = {sums_data, TESELA_FLOAT, 1, &four, NULL, 0};
  const tesela_tensor* inputs[] = {&x, NULL, NULL, &sizes};
  tesela_error error;
  tesela_op* op = NULL;
  tesela_plan* plan = NULL;
  size_t count = 0;

  if (tesela_op_create("", "Resize", 19, NULL, &op, &error) != TESELA_OK) return fail("op", &error);
  if (tesela_op_set_string(op, "mode", "linear", &error) != TESELA_OK) return fail("mode", &error);
  if (tesela_plan_create(op, 4, inputs, NULL, &plan, &error) != TESELA_OK) return fail("plan", &error);
  if (tesela_plan_pass_count(plan, &count, &error) != TESELA_OK || count != 1) return fail("passes", &error);
  if (tesela_plan_pass_begin(plan, 0, &sums, &error) != TESELA_OK) return fail("begin", &error);
  for (int64_t i = 0; i < 2; ++i) {
    const tesela_tensor part = {x_data + i, TESELA_FLOAT, 1, &one, NULL, 0};
    if (tesela_plan_pass_add(plan, 0, &part, &i, &sums, &zero, NULL, &error) != TESELA_OK) return fail("add", &error);
  }
  if (tesela_plan_pass_finish(plan, 0, &sums, &sums, &zero, NULL, &error) != TESELA_OK) return fail("finish", &error);
  tesela_plan_destroy(plan);
  tesela_op_destroy(op);
  if (memcmp(sums_data, expected, sizeof expected) != 0) {
    fprintf(stderr, "wrong sums\n");
    return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int64_t x_extents[] = {2, 1};
  const int64_t repeats_extents[] = {2};
  const int64_t y_extents[] = {2, 3};
  uint8_t x_data[] = {5, 7};
  int64_t repeats_data[] = {1, 3};
  uint8_t y_data[6] = {0};
  const uint8_t expected[] = {5, 5, 5, 7, 7, 7};
  const tesela_tensor x = {x_data, TESELA_UINT8, 2, x_extents, NULL, 0};
  const tesela_tensor repeats = {repeats_data, TESELA_INT64, 1, repeats_extents, NULL, 0};
  const tesela_tensor y = {y_data, TESELA_UINT8, 2, y_extents, NULL, 0};
  const tesela_tensor* inputs[] = {&x, &repeats};
  tesela_error error;
  tesela_op* op = NULL;
  tesela_plan* plan = NULL;

  if (argc != 2 || strcmp(argv[1], tesela_version()) != 0) {
    fprintf(stderr, "the library is version %s\n", tesela_version());
    return 1;
  }
  if (tesela_op_create("", "Tile", 13, "consumer", &op, &error) != TESELA_OK) return fail("op", &error);
  if (tesela_plan_create(op, 2, inputs, NULL, &plan, &error) != TESELA_OK) return fail("plan", &error);
  if (tesela_plan_run(plan, &x, &y, NULL, &error) != TESELA_OK) return fail("run", &error);
  tesela_plan_destroy(plan);
  tesela_op_destroy(op);
  if (memcmp(y_data, expected, sizeof expected) != 0) {
    fprintf(stderr, "wrong elements\n");
    return 1;
  }
  return resize_by_parts();
}
