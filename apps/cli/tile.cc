// SPDX-License-Identifier: Apache-2.0
// tesela tile: repeats a tensor along its axes.
#include <algorithm>

#include "failure.h"
#include "numbers.h"
#include "one_operator.h"

namespace tesela::cli {
namespace {

struct TileRequest {
  OperatorRequest shared;
  std::vector<int64_t> repeats;
};

bool is_repeated(int64_t repeat) {
  return repeat != 1;
}

// Before opset 6, Tile has one axis and its number of repeats.
void apply_along_one_axis(const Op& op, const Value& x, const TileRequest& request, const TensorTarget& target) {
  const std::vector<int64_t>& repeats = request.repeats;
  const size_t rank = x.extents().size();
  if (repeats.size() != rank)
    fail(TESELA_ERROR_COUNT, "Tile-1: --repeats has length " + std::to_string(repeats.size()) + "; expected " +
                                 std::to_string(rank) + " (the rank of input)");
  if (std::count_if(repeats.begin(), repeats.end(), is_repeated) > 1)
    usage("--repeats: Tile-1 repeats along one axis only; take --opset 6 or newer");
  const auto repeated = std::find_if(repeats.begin(), repeats.end(), is_repeated);
  const std::vector<int64_t> tiles = {repeated == repeats.end() ? 1 : *repeated};
  const std::vector<int64_t> axis = {repeated == repeats.end() ? 0 : repeated - repeats.begin()};
  apply("Tile", op, x, {{"tiles", tiles}, {"axis", axis}}, request.shared, target, x.name());
}

int tile(const TileRequest& request) {
  if (request.shared.stream.prints_call) return print_call("tile", request.shared, {{"repeats", request.repeats}});
  const TensorTarget target = plan_output("tile", request.shared);
  const Op op("Tile", request.shared.opset);
  const Value x = load_tensor(request.shared.input, request.shared.flags.limits()).value;
  const bool takes_one_axis = op.inputs().size() == 3;
  if (takes_one_axis)
    apply_along_one_axis(op, x, request, target);
  else
    apply("Tile", op, x, {{"repeats", request.repeats}}, request.shared, target, x.name());
  return 0;
}

constexpr const char* kTileExamples =
    R"(There is one repeat for each axis; an image has three: height, width, channels.

Examples:
  tesela tile pattern.png wall.png --repeats 4,6,1
  tesela tile x.npy y.npy --repeats 1,2,3
)";

}  // namespace

void add_tile(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "tile", "Repeat a tensor or an image along its axes");
  verb.footer(kTileExamples);
  TileRequest& r = set_action<TileRequest>(verb, chosen, tile);
  add_input(verb, r.shared);
  add_text(verb, "--repeats", "N,N,...", "How often each axis is repeated", [&r](const std::string& text) {
    r.repeats = parse_integers("--repeats", text, 0, INT64_MAX);
  })->required();
  add_output(verb, r.shared);
}

}  // namespace tesela::cli
