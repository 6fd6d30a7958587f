// The CPU backend: what is worked out once for a plan, and which boxes its kernels take.
#include "backend/cpu/cpu.h"

#include <algorithm>
#include <bit>

#include "backend/cpu/caches.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/program.h"
#include "types/elements.h"
#include "types/out_of_memory.h"

namespace tesela::cpu {
namespace {

constexpr int64_t kFewestRowNumbers = 16;               // below it an inner extent is channels of a line
constexpr int64_t kLargestKeptAxis = int64_t{1} << 14;  // outputs
constexpr int64_t kLargestKeptTable = int64_t{1} << 18;  // taps of the whole axis

const ResizePlan* interpolation(const Plan& plan) {
  const auto* work = std::get_if<ResizePlan>(&plan.work);
  return work && work->compute != ComputeType::kNone ? work : nullptr;
}

Layout find_layout(const Plan& plan, const ResizePlan& work) {
  Layout layout;
  layout.compute = work.compute;
  layout.kernels = row_kernels(plan.type, work.compute);
  layout.is_compute_type = (work.compute == ComputeType::kFloat ? 32 : 64) * parts_of(plan.type) ==
                               element_bits(plan.type) &&
                           (traits(plan.type).kind == DataKind::kFloating || traits(plan.type).kind == DataKind::kComplex);
  size_t last = 0;
  for (const Pass& pass : work.passes) last = std::max(last, pass.axis);
  int64_t inner = parts_of(plan.type);
  for (size_t d = last + 1; d < plan.in.size(); ++d) inner *= plan.in[d];
  layout.has_line = inner < kFewestRowNumbers;
  layout.row_axis = layout.has_line ? last : last + 1;
  layout.channels = layout.has_line ? inner : 1;
  layout.numbers = work.compute == ComputeType::kFloat ? Numbers::kFloat : Numbers::kDouble;
  choose_numbers(plan, work, layout);
  return layout;
}

template <class C>
void make_tables(const ResizePlan& work, const Layout& layout, ProgramTables<C>& tables) {
  tables.passes.reserve(work.passes.size());
  for (size_t p = 0; p < work.passes.size(); ++p) {
    const Pass& pass = work.passes[p];
    tables.passes.emplace_back();
    if (!is_kept(pass)) continue;
    const IndexRange whole = {0, pass.rule.out};
    if (layout.has_line && pass.axis == layout.row_axis) {
      AxisTable table = make_taps(layout, pass, p, whole);
      if (&pass == &work.passes.back()) tables.picks = make_picks(table, 0, pass.rule.in);
      const int64_t in = tables.picks.any() ? tables.picks.extent() : pass.rule.in;
      tables.line = std::make_unique<LineTable<C>>(
          make_line_table<C>(table, 0, in, layout.channels, line_lanes<C>()));
    } else {
      tables.passes.back() = std::make_unique<PassTable<C>>(make_pass_table<C>(make_taps(layout, pass, p, whole)));
    }
  }
}

template <class C>
void find_shared(PassTable<C>& pass) {
  constexpr uint8_t kMostShared = 4;
  const size_t n = pass.first.size();
  pass.shared.assign(n, 0);
  for (size_t i = n; i-- > 0;) {
    const C* weights = pass.weights.data() + static_cast<int64_t>(i) * pass.pitch;
    if (pass.count[i] == 0 || std::find(weights, weights + pass.count[i], C{0}) != weights + pass.count[i]) continue;
    if (pass.is_wide(i)) continue;
    const bool as_next = i + 1 < n && pass.shared[i + 1] > 0 && pass.first[i + 1] == pass.first[i] &&
                         pass.count[i + 1] == pass.count[i];
    pass.shared[i] = as_next ? std::min<uint8_t>(kMostShared, static_cast<uint8_t>(pass.shared[i + 1] + 1)) : 1;
  }
}

// The part of the tensor that a row is lies without gaps, and elements stand at multiples of their size.
bool has_dense_rows(const Layout& layout, DataType type, const Extents& extents, const Extents& strides,
                    const std::byte* data) {
  const int64_t align = element_bits(type) / 8 / parts_of(type);
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(align) != 0) return false;
  if (strides.empty()) return true;
  for (size_t d = 0; d < layout.row_axis; ++d)
    if (strides[d] % align != 0) return false;
  int64_t dense = element_bits(type) / 8;
  for (size_t d = extents.size(); d-- > layout.row_axis;) {
    if (extents[d] != 1 && strides[d] != dense) return false;
    dense *= extents[d];
  }
  return true;
}

template <class View>
size_t dense_bytes(const View& view) {
  return static_cast<size_t>(product(view.extents)) * static_cast<size_t>(element_bits(view.type)) / 8;
}

// Tensors whose rows have gaps or odd addresses go through dense copies of their boxes.
void run_copied(const Plan& plan, const Program& program, const BoxRun& run, std::span<std::byte> scratch) {
  const Result<Tensor> input = Tensor::copy_of(run.input);
  if (!input.ok()) throw OutOfMemory(dense_bytes(run.input), "a dense copy of the input");
  Result<Tensor> output = Tensor::allocate(plan.type, run.output.extents);
  if (!output.ok()) throw OutOfMemory(dense_bytes(run.output), "a dense copy of the output");
  BoxRun dense = run;
  dense.input = input->view();
  dense.output = output->mutable_view();
  interpolate_box(plan, program, dense, false, scratch);
  copy_elements(output->view(), run.output);
}

}  // namespace

template <class C>
PassTable<C> make_pass_table(const AxisTable& table) {
  PassTable<C> pass;
  pass.pitch = table.pitch;
  pass.most_taps = std::max<int64_t>(table.pitch, 1);
  pass.weights.resize(table.weights.size());
  std::transform(table.weights.begin(), table.weights.end(), pass.weights.begin(), to_number<C>);
  if (!std::all_of(table.weights.begin(), table.weights.end(), fits_number<C>))
    for (const double weight : table.weights) pass.wide.push_back(static_cast<WideNumber<C>>(weight));
  pass.first.assign(table.first.begin(), table.first.end());
  pass.count.assign(table.count.begin(), table.count.end());
  find_shared(pass);
  return pass;
}

template PassTable<float> make_pass_table(const AxisTable&);
template PassTable<double> make_pass_table(const AxisTable&);
template PassTable<uint16_t> make_pass_table(const AxisTable&);
template PassTable<int16_t> make_pass_table(const AxisTable&);

bool is_kept(const Pass& pass) {
  return pass.rule.out <= kLargestKeptAxis && pass.window <= kLargestKeptTable / pass.rule.out;
}

std::shared_ptr<const Program> make_program(const Plan& plan) {
  const ResizePlan* work = interpolation(plan);
  if (work == nullptr || product(plan.out) == 0) return std::make_shared<Program>();
  auto program = std::make_shared<Program>();
  program->layout = find_layout(plan, *work);
  switch (program->layout.numbers) {
    case Numbers::kFloat: make_tables(*work, program->layout, program->of_float); break;
    case Numbers::kDouble: make_tables(*work, program->layout, program->of_double); break;
    case Numbers::kDyadic: make_tables(*work, program->layout, program->of_dyadic); break;
    case Numbers::kFixed: make_tables(*work, program->layout, program->of_fixed); break;
  }
  return program;
}

bool is_move(const Plan& plan) {
  return interpolation(plan) == nullptr;
}

void run_box(const Plan& plan, const Program& program, const BoxRun& run, bool stream,
             std::span<std::byte> scratch) {
  const ResizePlan* work = interpolation(plan);
  if (work == nullptr) return move_box(plan, run, stream);
  const Layout& layout = program.layout;
  if (has_dense_rows(layout, plan.type, run.input.extents, run.input.strides_bytes, run.input.data) &&
      has_dense_rows(layout, plan.type, run.output.extents, run.output.strides_bytes, run.output.data))
    return interpolate_box(plan, program, run, stream, scratch);
  run_copied(plan, program, run, scratch);
}

int64_t kept_rows(int64_t wanted) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(wanted)));
}

int64_t scratch_bytes(const Plan& plan, const Program& program, const Box& output) {
  const ResizePlan* work = interpolation(plan);
  if (work == nullptr) return 0;
  const Layout& layout = program.layout;
  const Box needed = input_region(plan, output);
  const int64_t number = layout.numbers == Numbers::kFloat ? 4 : layout.numbers == Numbers::kDouble ? 8 : 2;
  int64_t in_row = parts_of(plan.type);
  int64_t out_row = parts_of(plan.type);
  for (size_t d = layout.row_axis; d < plan.in.size(); ++d) {
    in_row *= layout.has_line ? plan.in[d] : needed.n[d];
    out_row *= output.n[d];
  }
  const int64_t row = std::max(in_row, out_row) + 64;
  // Two batches of rows and their transposition, then the rows that each pass keeps of the one before.
  int64_t numbers = row * (layout.has_line ? 4 * kLineBatch : 2);
  int64_t later = 1;
  int64_t tables = 0;
  for (size_t p = work->passes.size(); p-- > 0;) {
    const Pass& pass = work->passes[p];
    tables += is_kept(pass) ? 0 : axis_table_bytes(pass.window, output.n[pass.axis]);
    if (layout.has_line && pass.axis == layout.row_axis) continue;
    if (p > 0) numbers += kept_rows(pass.window + kLineBatch) * later * row;
    later *= needed.n[pass.axis];
  }
  return numbers * number + tables;
}

namespace {

class BoundProgram final : public tesela::Program {
 public:
  explicit BoundProgram(const Plan& plan) : program_(make_program(plan)) {}

  void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const override {
    const bool stream = bypasses_caches(context.run_output_bytes, context.run_input_bytes, is_move(plan));
    cpu::run_box(plan, *program_, run, stream, context.scratch);
  }
  int64_t scratch_bytes(const Plan& plan, const Box& output) const override {
    return cpu::scratch_bytes(plan, *program_, output);
  }

 private:
  std::shared_ptr<const cpu::Program> program_;
};

}  // namespace

ProgramPtr bind(const Plan& plan) {
  // The kernels know one way of rounding.
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize != nullptr && resize->rounding != Rounding::kHalfEven) return reference::bind(plan);
  return std::make_shared<BoundProgram>(plan);
}

}  // namespace tesela::cpu
