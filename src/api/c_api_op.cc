// The C interface: operators, shape inference, plans and their runs.
#include <algorithm>
#include <cstring>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "plan/axis_table.h"
#include "plan/describe.h"
#include "plan/fields.h"
#include "plan/resolve.h"
#include "schema/op_desc.h"

using namespace tesela;
using namespace tesela::api;

struct tesela_inferred {
  TensorInfo info;
  std::vector<tesela_dim> dims;
};

struct tesela_axis_table {
  std::vector<int64_t> first;
  std::vector<int32_t> count;
  std::vector<double> weights;
  int64_t taps = 1;
};

namespace {

Status set_attribute(tesela_op* op, const char* name, AttributeKind kind, AttributeValue value) {
  if (op == nullptr || name == nullptr) return usage_error("tesela_op_set: an argument is NULL");
  if (op->desc.find(name) != nullptr)
    return attribute_error("attribute {} is given twice", quoted(name)).with_prefix(op->desc.where());
  op->desc.attributes.push_back({name, kind, std::move(value)});
  return {};
}

Dims read_dim_list(const tesela_dim* dims, size_t count) {
  Dims list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({dims[i].value, dims[i].symbol != nullptr && dims[i].value < 0 ? dims[i].symbol : ""});
  return list;
}

Status info_of_tensor(const tesela_tensor& tensor, bool with_value, TensorInfo& info) {
  TensorView view;
  TESELA_RETURN_IF_ERROR(read_tensor_view(tensor, with_value, view));
  info.type = view.type;
  info.dims.emplace();
  for (const int64_t extent : view.extents) info.dims->emplace_back().value = extent;
  if (!with_value) return {};
  // What is dense already is borrowed for the length of the call.
  if (view.strides_bytes.empty() && view.bit_offset == 0) {
    info.constant = Tensor::borrow(view.type, std::move(view.extents), view.data, nullptr);
  } else {
    TESELA_ASSIGN_OR_RETURN(info.constant, Tensor::copy_of(view));
  }
  return {};
}

Result<TensorInfo> read_info(const tesela_tensor_info& given) {
  const tesela_tensor_info ours = read_struct(&given);
  TensorInfo info;
  if (ours.constant != nullptr) {
    TESELA_RETURN_IF_ERROR(info_of_tensor(*ours.constant, true, info));
    return info;
  }
  info.type = static_cast<DataType>(ours.dtype);
  if (ours.dtype != 0 && find_traits(info.type) == nullptr) return type_error("dtype {} is unknown", ours.dtype);
  if (ours.rank > 0 && ours.dims == nullptr) return usage_error("tensor info: dims is NULL and rank is {}", ours.rank);
  if (ours.rank >= 0) info.dims = read_dim_list(ours.dims, static_cast<size_t>(ours.rank));
  if (ours.shape_value != nullptr) info.shape_value = read_dim_list(ours.shape_value, ours.shape_value_count);
  return info;
}

/// What is known of an operator's inputs, as inference and planning take it.
class Infos {
 public:
  /// count: room for so many inputs.
  explicit Infos(size_t count) { infos_.reserve(count); }
  void omit() { pointers_.push_back(nullptr); }
  TensorInfo& add() {
    pointers_.push_back(&infos_.emplace_back());
    return infos_.back();
  }
  std::span<const TensorInfo* const> get() const { return {pointers_.data(), pointers_.size()}; }

 private:
  SmallVector<TensorInfo, 4> infos_;
  SmallVector<const TensorInfo*, 4> pointers_;
};

Status check_inputs(const tesela_op* op, size_t count, const void* inputs) {
  if (op == nullptr || (count > 0 && inputs == nullptr)) return usage_error("an argument is NULL");
  return {};
}

Box read_box(const Plan& plan, const int64_t* lo, const int64_t* n) {
  const size_t rank = plan.out.size();
  return rank == 0 ? Box{} : Box{Extents(lo, rank), Extents(n, rank)};
}

Result<Box> read_output_box(const tesela_plan* plan, const int64_t* lo, const int64_t* n) {
  if (plan == nullptr || (!plan->plan.out.empty() && (lo == nullptr || n == nullptr)))
    return usage_error("an argument is NULL");
  Box box = read_box(plan->plan, lo, n);
  TESELA_RETURN_IF_ERROR(check_box(box, plan->plan.out, "output"));
  return box;
}

// Builds the run, which is fresh, from the caller's tensors; x_lo and lo NULL: the whole.
Status read_run(const Plan& plan, const tesela_tensor* x, const int64_t* x_lo, const tesela_tensor* y,
                const int64_t* lo, BoxRun& run) {
  if (y == nullptr) return usage_error("the output is NULL");
  TESELA_RETURN_IF_ERROR(read_tensor_view(*y, true, run.output));
  const size_t rank = plan.out.size();
  if (run.output.extents.size() != rank)
    return rank_error("the output has rank {}; expected {}", run.output.extents.size(), rank);
  if (lo != nullptr)
    run.output_lo.append(lo, rank);
  else
    run.output_lo.resize(rank, 0);
  if (x_lo != nullptr)
    run.input_lo.append(x_lo, plan.in.size());
  else
    run.input_lo.resize(plan.in.size(), 0);
  if (!plan.has_input()) return {};
  if (x == nullptr) return usage_error("the input is NULL");
  TESELA_RETURN_IF_ERROR(read_tensor_view(*x, true, run.input));
  // OpenVINO's Tile promotes its data, so a whole tensor may come as it was before.
  if (x_lo == nullptr && run.input.extents.size() < plan.in.size() && std::holds_alternative<TilePlan>(plan.work))
    if (TensorView led = led_by_ones(run.input, plan.in.size()); led.extents == plan.in) run.input = std::move(led);
  if (run.input.extents.size() != plan.in.size())
    return rank_error("the input has rank {}; expected {}", run.input.extents.size(), plan.in.size());
  return {};
}

Status check_whole(const Extents& extents, const Extents& expected, std::string_view what) {
  if (extents == expected) return {};
  return shape_error("the {} has shape {}; the plan was made for {}", what, shape_text(extents), shape_text(expected));
}

// Inputs that are moved: one each, and none where the output lies outside.
tesela_axis_table moved_table(std::vector<int64_t> sources) {
  tesela_axis_table table;
  table.first = std::move(sources);
  for (int64_t& first : table.first) {
    table.count.push_back(first >= 0 ? 1 : 0);
    first = std::max<int64_t>(first, 0);
  }
  return table;
}

constexpr int64_t kMostTableOutputs = int64_t{1} << 36;  // refused at once, before memory fills up

tesela_axis_table make_table(const Plan& plan, size_t axis, IndexRange range) {
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    for (const Pass& pass : resize->passes) {
      if (pass.axis != axis) continue;
      if (resize->compute == ComputeType::kNone) return moved_table(make_index_table(pass.rule, range));
      const AxisTable table = make_axis_table(pass.rule, range, resize->compute);
      return {{table.first.begin(), table.first.end()},
              {table.count.begin(), table.count.end()},
              {table.weights.begin(), table.weights.end()},
              table.pitch};
    }
  std::vector<int64_t> sources;
  const bool tiles = std::holds_alternative<TilePlan>(plan.work);
  for (int64_t i = range.lo; i < range.lo + range.n; ++i)
    sources.push_back(!plan.has_input() ? -1 : tiles ? i % plan.in[axis] : i);
  return moved_table(std::move(sources));
}

Status run(const tesela_plan& plan, const BoxRun& box, const tesela_run_options* given) {
  const tesela_run_options ours = read_struct(given);
  TESELA_ASSIGN_OR_RETURN(const auto executor, make_executor(ours));
  TESELA_ASSIGN_OR_RETURN(const Backend backend, read_backend(ours));
  const ProgramPtr other = backend == kDefaultBackend ? nullptr : bind(plan.plan, backend);
  return run_plan(plan.plan, other ? *other : *plan.program, box, *executor, read_run_options(ours));
}

}  // namespace

extern "C" {

/* ---- Operators ------------------------------------------------------------------------------------------------- */

tesela_status tesela_op_create(const char* domain, const char* type, int64_t opset, const char* node, tesela_op** op,
                               tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (domain == nullptr || type == nullptr || op == nullptr)
      return usage_error("tesela_op_create: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const OpSchema* schema, find_schema(domain, type, opset));
    *op = new tesela_op{{schema, node ? node : "", {}}};
    return {};
  });
}

tesela_status tesela_op_set_int(tesela_op* op, const char* name, int64_t value, tesela_error* error) {
  return guard(error, [&] { return set_attribute(op, name, AttributeKind::kInt, value); });
}

tesela_status tesela_op_set_float(tesela_op* op, const char* name, float value, tesela_error* error) {
  return guard(error, [&] { return set_attribute(op, name, AttributeKind::kFloat, value); });
}

tesela_status tesela_op_set_string(tesela_op* op, const char* name, const char* value, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (value == nullptr) return usage_error("tesela_op_set_string: value is NULL");
    constexpr std::string_view kFieldPrefix = "tesela.";
    if (op != nullptr && name != nullptr && std::string_view(name).starts_with(kFieldPrefix)) {
      const Status set = set_field(op->fields, name + kFieldPrefix.size(), value);
      op->desc.extents = op->fields.extents;
      return set.ok() ? set : set.with_prefix(op->desc.where());
    }
    return set_attribute(op, name, AttributeKind::kString, std::string(value));
  });
}

tesela_status tesela_op_set_ints(tesela_op* op, const char* name, const int64_t* values, size_t count,
                                 tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (values == nullptr && count > 0) return usage_error("tesela_op_set_ints: values is NULL");
    return set_attribute(op, name, AttributeKind::kInts, std::vector<int64_t>(values, values + count));
  });
}

tesela_status tesela_op_set_floats(tesela_op* op, const char* name, const float* values, size_t count,
                                   tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (values == nullptr && count > 0) return usage_error("tesela_op_set_floats: values is NULL");
    return set_attribute(op, name, AttributeKind::kFloats, std::vector<float>(values, values + count));
  });
}

tesela_status tesela_op_set_tensor(tesela_op* op, const char* name, const tesela_tensor* value, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (value == nullptr) return usage_error("tesela_op_set_tensor: value is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*value, true));
    TESELA_ASSIGN_OR_RETURN(Tensor copy, Tensor::copy_of(view));
    return set_attribute(op, name, AttributeKind::kTensor, std::move(copy));
  });
}

int64_t tesela_op_since_version(const tesela_op* op) {
  return op->desc.schema->since_version;
}

void tesela_op_destroy(tesela_op* op) {
  delete op;
}

/* ---- Shape inference ------------------------------------------------------------------------------------------- */

tesela_status tesela_op_infer(const tesela_op* op, size_t count, const tesela_tensor_info* const* inputs,
                              tesela_inferred** inferred, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_RETURN_IF_ERROR(check_inputs(op, count, inputs));
    if (inferred == nullptr) return usage_error("tesela_op_infer: inferred is NULL");
    Infos infos(count);
    for (size_t i = 0; i < count; ++i) {
      if (inputs[i] == nullptr) {
        infos.omit();
      } else {
        TESELA_ASSIGN_OR_RETURN(infos.add(), read_info(*inputs[i]));
      }
    }
    TESELA_ASSIGN_OR_RETURN(TensorInfo info, infer_checked(op->desc, infos.get()));
    auto* result = new tesela_inferred{std::move(info), {}};
    if (result->info.dims)
      for (const Dim& dim : *result->info.dims) result->dims.push_back({dim.value, dim.symbol.c_str()});
    *inferred = result;
    return {};
  });
}

void tesela_inferred_info(const tesela_inferred* inferred, tesela_tensor_info* info) {
  tesela_tensor_info ours = {};
  ours.struct_size = sizeof ours;
  ours.dtype = static_cast<tesela_dtype>(inferred->info.type);
  ours.rank = inferred->info.dims ? static_cast<int32_t>(inferred->dims.size()) : -1;
  ours.dims = inferred->dims.data();
  write_struct(ours, info);
}

void tesela_inferred_destroy(tesela_inferred* inferred) {
  delete inferred;
}

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

tesela_status tesela_plan_create(const tesela_op* op, size_t count, const tesela_tensor* const* inputs,
                                 const tesela_limits* limits, tesela_plan** plan, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_RETURN_IF_ERROR(check_inputs(op, count, inputs));
    if (plan == nullptr) return usage_error("tesela_plan_create: plan is NULL");
    const bool first_is_control = op->desc.schema->op == Operator::kConstantOfShape;
    Infos infos(count);
    for (size_t i = 0; i < count; ++i) {
      if (inputs[i] == nullptr) {
        infos.omit();
        continue;
      }
      const Status read = info_of_tensor(*inputs[i], i > 0 || first_is_control, infos.add());
      if (!read.ok()) return read.with_prefix(op->desc.where() + fmt::format("input {}: ", i));
    }
    const Limits most = read_limits(limits, Limits::none());
    TESELA_ASSIGN_OR_RETURN(Plan made, make_plan(op->desc, infos.get(), most, op->fields));
    ProgramPtr program = bind(made);
    *plan = new tesela_plan{std::move(made), std::move(program)};
    return {};
  });
}

void tesela_plan_destroy(tesela_plan* plan) {
  delete plan;
}

tesela_dtype tesela_plan_dtype(const tesela_plan* plan) {
  return static_cast<tesela_dtype>(plan->plan.type);
}

int32_t tesela_plan_output_rank(const tesela_plan* plan) {
  return static_cast<int32_t>(plan->plan.out.size());
}

const int64_t* tesela_plan_output_extents(const tesela_plan* plan) {
  return plan->plan.out.data();
}

int32_t tesela_plan_input_rank(const tesela_plan* plan) {
  return static_cast<int32_t>(plan->plan.in.size());
}

const int64_t* tesela_plan_input_extents(const tesela_plan* plan) {
  return plan->plan.in.data();
}

tesela_status tesela_plan_input_region(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                       int64_t* input_lo, int64_t* input_extents, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const Box output, read_output_box(plan, lo, extents));
    const Box input = input_region(plan->plan, output);
    if (!input.lo.empty() && (input_lo == nullptr || input_extents == nullptr))
      return usage_error("tesela_plan_input_region: an argument is NULL");
    std::copy(input.lo.begin(), input.lo.end(), input_lo);
    std::copy(input.n.begin(), input.n.end(), input_extents);
    return {};
  });
}

tesela_status tesela_plan_scratch_bytes(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                        uint64_t* bytes, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const Box output, read_output_box(plan, lo, extents));
    if (bytes == nullptr) return usage_error("tesela_plan_scratch_bytes: bytes is NULL");
    *bytes = static_cast<uint64_t>(plan->program->scratch_bytes(plan->plan, output));
    return {};
  });
}

tesela_status tesela_plan_run(const tesela_plan* plan, const tesela_tensor* x, const tesela_tensor* y,
                              const tesela_run_options* options, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr) return usage_error("tesela_plan_run: plan is NULL");
    BoxRun box;
    TESELA_RETURN_IF_ERROR(read_run(plan->plan, x, nullptr, y, nullptr, box));
    TESELA_RETURN_IF_ERROR(check_whole(box.output.extents, plan->plan.out, "output"));
    if (plan->plan.has_input()) TESELA_RETURN_IF_ERROR(check_whole(box.input.extents, plan->plan.in, "input"));
    return run(*plan, box, options);
  });
}

tesela_status tesela_plan_run_region(const tesela_plan* plan, const tesela_tensor* x, const int64_t* x_lo,
                                     const tesela_tensor* y, const int64_t* lo, const tesela_run_options* options,
                                     tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr) return usage_error("tesela_plan_run_region: plan is NULL");
    BoxRun box;
    TESELA_RETURN_IF_ERROR(read_run(plan->plan, x, x_lo, y, lo, box));
    return run(*plan, box, options);
  });
}

tesela_status tesela_plan_describe(const tesela_plan* plan, tesela_text_format format, tesela_blob** text,
                                   tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr || text == nullptr) return usage_error("tesela_plan_describe: an argument is NULL");
    *text = make_blob(format == TESELA_TEXT_JSON ? describe_json(plan->plan) : describe_plain(plan->plan));
    return {};
  });
}

tesela_status tesela_plan_axis_table(const tesela_plan* plan, int32_t axis, int64_t lo, int64_t n,
                                     tesela_axis_table** table, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr || table == nullptr) return usage_error("tesela_plan_axis_table: an argument is NULL");
    const Extents& out = plan->plan.out;
    if (axis < 0 || axis >= static_cast<int32_t>(out.size()))
      return value_error("axis {}; expected 0 to {}", axis, static_cast<int64_t>(out.size()) - 1);
    TESELA_RETURN_IF_ERROR(check_box({{lo}, {n}}, {out[static_cast<size_t>(axis)]}, "range's"));
    if (n > kMostTableOutputs) return no_memory_error("a table of {} outputs does not fit memory", n);
    *table = new tesela_axis_table(make_table(plan->plan, static_cast<size_t>(axis), {lo, n}));
    return {};
  });
}

void tesela_axis_table_get(const tesela_axis_table* table, tesela_axis_table_view* view) {
  tesela_axis_table_view ours = {};
  ours.struct_size = sizeof ours;
  ours.outputs = static_cast<int64_t>(table->first.size());
  ours.taps = table->taps;
  ours.first = table->first.data();
  ours.count = table->count.data();
  ours.weights = table->weights.empty() ? nullptr : table->weights.data();
  write_struct(ours, view);
}

void tesela_axis_table_destroy(tesela_axis_table* table) {
  delete table;
}

}  // extern "C"
