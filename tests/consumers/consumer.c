/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles a small tensor through the installed C interface. Argument: the version of the package. */
#include <stdio.h>
#include <string.h>
#include <tesela/tesela.h>

static int fail(const char* what, const tesela_error* error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  return 1;
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
  return 0;
}
