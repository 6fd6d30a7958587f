// tesela tile: copies of a tensor, side by side.
#include <algorithm>

#include "failure.h"
#include "numbers.h"
#include "one_operator.h"

namespace tesela::cli {
namespace {

struct Request {
  OperatorRequest shared;
  std::vector<int64_t> repeats;
};

bool is_repeated(int64_t repeat) {
  return repeat != 1;
}

// Before opset 6 Tile took one axis and its count.
void apply_along_one_axis(const tesela_op* op, const tesela_tensor& x, const Request& request,
                          const TensorTarget& target, const std::string& name) {
  const std::vector<int64_t>& repeats = request.repeats;
  if (repeats.size() != static_cast<size_t>(x.rank))
    fail(TESELA_ERROR_COUNT, "Tile-1: --repeats has " + std::to_string(repeats.size()) + " entries; expected " +
                                 std::to_string(x.rank) + " (the rank of input)");
  if (std::count_if(repeats.begin(), repeats.end(), is_repeated) > 1)
    usage("--repeats: Tile-1 repeats along one axis only; take --opset 6 or newer");
  const auto repeated = std::find_if(repeats.begin(), repeats.end(), is_repeated);
  const std::vector<int64_t> tiles = {repeated == repeats.end() ? 1 : *repeated};
  const std::vector<int64_t> axis = {repeated == repeats.end() ? 0 : repeated - repeats.begin()};
  const ListTensor tiles_tensor(tiles);
  const ListTensor axis_tensor(axis);
  apply("Tile", op, {{nullptr, &x}, {"tiles", tiles_tensor.view()}, {"axis", axis_tensor.view()}}, request.shared,
        target, name);
}

int tile(const Request& request) {
  const TensorTarget target = plan_output(request.shared);
  const Op op = make<Op>(tesela_op_create, "", "Tile", request.shared.opset, nullptr);
  const LoadedTensor input = load_tensor(request.shared.input, request.shared.flags.limits());
  const tesela_tensor x = view_of(input.value);
  const bool takes_one_axis = tesela_op_input_name(op.get(), 2) != nullptr;
  if (takes_one_axis) {
    apply_along_one_axis(op.get(), x, request, target, input.name);
    return 0;
  }
  const ListTensor repeats(request.repeats);
  apply("Tile", op.get(), {{nullptr, &x}, {"repeats", repeats.view()}}, request.shared, target, input.name);
  return 0;
}

constexpr const char* kExamples =
    R"(There is one repeat for each axis; an image has three: height, width, channels.

Examples:
  tesela tile pattern.png wall.png --repeats 4,6,1
  tesela tile x.npy y.npy --repeats 1,2,3
)";

}  // namespace

void add_tile(CLI::App& program, Action& chosen) {
  CLI::App& verb = *program.add_subcommand("tile", "Repeat a tensor or an image along its axes");
  verb.footer(kExamples);
  Request& r = set_action<Request>(verb, chosen, tile);
  add_input(verb, r.shared);
  add_text(verb, "--repeats", "N,N,...", "How often, for each axis", [&r](const std::string& text) {
    r.repeats = parse_integers("--repeats", text, 0, INT64_MAX);
  })->required();
  add_output(verb, r.shared);
}

}  // namespace tesela::cli
