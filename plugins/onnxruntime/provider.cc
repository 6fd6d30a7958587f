// SPDX-License-Identifier: Apache-2.0
// The execution provider of one session.
#include "provider.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "graph.h"
#include "onnxruntime_semantics.h"

namespace tesela::ort {
namespace {

bool reads_outer_values(const OrtApi& api, const std::vector<const OrtNode*>& nodes) {
  for (const OrtNode* node : nodes)
    for (const OrtValueInfo* info : inputs_of(api, node)) {
      bool is_outer = false;
      if (info != nullptr) check(api, api.ValueInfo_IsFromOuterScope(info, &is_outer));
      if (is_outer) return true;
    }
  return false;
}

std::vector<std::string> input_names(const OrtApi& api, const OrtNode* node) {
  std::vector<std::string> names;
  for (const OrtValueInfo* info : inputs_of(api, node)) names.push_back(name_of(api, info));
  return names;
}

// The fused node's inputs list each value once and include the model's constants.
std::vector<int> find_places(const Node& node, const std::vector<std::string>& names) {
  std::vector<int> places;
  for (const NodeInput& input : node.inputs) {
    const auto at = std::ranges::find(names, input.name);
    if (!input.omitted() && at == names.end() && !input.constant)
      fail(ORT_INVALID_GRAPH, node.label + ": input '" + input.name + "' is not an input of the fused node");
    places.push_back(input.omitted() || at == names.end() ? -1 : static_cast<int>(at - names.begin()));
  }
  return places;
}

std::string describe(const OrtApi& api, const OrtNode* node) {
  const char* type = "";
  const char* name = "";
  check(api, api.Node_GetOperatorType(node, &type));
  check(api, api.Node_GetName(node, &name));
  return std::string(type) + " node '" + name + "'";
}

// Appends the node's name and operator in ONNX Runtime's profile, then those in the model, each terminated by a zero
// byte, which names cannot contain.
void append_names(const OrtApi& api, const std::string& file, const OrtNode* fused, const OrtNode* node) {
  std::ofstream stream(file, std::ios::app | std::ios::binary);
  for (const OrtNode* named : {fused, node}) {
    const char* name = "";
    const char* type = "";
    check(api, api.Node_GetName(named, &name));
    check(api, api.Node_GetOperatorType(named, &type));
    stream << name << '\0' << type << '\0';
  }
  if (!stream.flush())
    fail(ORT_INVALID_ARGUMENT, std::string(kProviderName) + ": option 'names': cannot write '" + file + "'");
}

}  // namespace

Provider::Provider(const Runtime& runtime, const OrtLogger* logger, const Options& options)
    : OrtEp(),
      session_{runtime, Logger(runtime, logger, options.log), nullptr},
      semantics_(options.semantics),
      extents_(options.extents),
      placement_(options.placement),
      names_(options.names) {
  if (!options.profile.empty()) session_.profile = std::make_shared<Profile>(options.profile);
  ort_version_supported = kApiVersion;
  OrtEp::GetName = [](const OrtEp*) noexcept -> const char* { return kProviderName; };
  OrtEp::GetCapability = [](OrtEp* self, const OrtGraph* graph, OrtEpGraphSupportInfo* taken) noexcept -> OrtStatus* {
    auto& provider = *static_cast<Provider*>(self);
    return guard(provider.session_.runtime.api, [&] { provider.take_nodes(graph, taken); });
  };
  OrtEp::Compile = [](OrtEp* self, const OrtGraph** graphs, const OrtNode** fused, size_t count,
                      OrtNodeComputeInfo** kernels, OrtNode**) noexcept -> OrtStatus* {
    const auto& provider = *static_cast<Provider*>(self);
    return guard(provider.session_.runtime.api, [&] {
      std::vector<std::unique_ptr<Kernel>> made;
      for (size_t i = 0; i < count; ++i) made.push_back(provider.compile(graphs[i], fused[i]));
      for (size_t i = 0; i < count; ++i) kernels[i] = made[i].release();
    });
  };
  OrtEp::ReleaseNodeComputeInfos = [](OrtEp*, OrtNodeComputeInfo** kernels, size_t count) noexcept {
    for (size_t i = 0; i < count; ++i) delete static_cast<Kernel*>(kernels[i]);
  };
}

void Provider::take_nodes(const OrtGraph* graph, OrtEpGraphSupportInfo* taken) {
  const Runtime& runtime = session_.runtime;
  const std::vector<const OrtNode*> nodes = nodes_of(runtime.api, graph);
  // ONNX Runtime passes inner graphs first; reading outer values identifies most of them.
  if (runtime.one_graph_only && (has_nodes_ || reads_outer_values(runtime.api, nodes))) return;
  std::optional<FasterKernels> faster;
  if (placement_ == Placement::kFastest) faster.emplace(runtime, nodes);
  OrtNodeFusionOptions options = {};
  options.ort_version_supported = kApiVersion;
  for (const OrtNode* node : nodes) {
    if (faster && leaves_to_faster(node, *faster)) continue;
    if (!can_run(node)) continue;
    check(runtime.api, runtime.ep->EpGraphSupportInfo_AddNodesToFuse(taken, &node, 1, &options));
    has_nodes_ = true;
  }
}

// Takes exactly the nodes that can run; ONNX Runtime's own kernels run the others.
bool Provider::can_run(const OrtNode* node) const {
  const OrtApi& api = session_.runtime.api;
  const char* owner = nullptr;
  check(api, api.Node_GetEpName(node, &owner));
  if (owner != nullptr && *owner != '\0' && std::strcmp(owner, kProviderName) != 0) return false;
  try {
    const std::optional<Node> tesela_node = read(node);
    if (!tesela_node) return false;
    if (!make_static_plan(*tesela_node) && tesela_node->needs_shapes)
      fail(ORT_NOT_IMPLEMENTED,
           "semantics=onnxruntime: the node's rules depend on shapes or values that are not known yet");
    if (session_.logger.reports_at(Log::kNodes)) session_.logger.report(tesela_node->label + ": taken");
    return true;
  } catch (const Failure& failure) {
    leave(node, failure.message);
  } catch (const Error& error) {
    if (error.code() == TESELA_ERROR_NO_MEMORY) throw;  // not the node's fault
    leave(node, error.what());
  }
  return false;
}

bool Provider::leaves_to_faster(const OrtNode* node, const FasterKernels& faster) const {
  const char* const reason = faster.reason(node);
  if (reason != nullptr) leave(node, std::string("placement=fastest: ") + reason);
  return reason != nullptr;
}

void Provider::leave(const OrtNode* node, const std::string& reason) const {
  if (session_.logger.reports_at(Log::kNodes))
    session_.logger.report(describe(session_.runtime.api, node) + ": left to others: " + reason);
}

std::optional<Node> Provider::read(const OrtNode* node) const {
  std::optional<Node> tesela_node = read_node(session_.runtime, node, extents_);
  if (tesela_node && semantics_ == Semantics::kOnnxRuntime)
    apply_onnxruntime_semantics(session_.runtime, node, *tesela_node);
  return tesela_node;
}

std::unique_ptr<Kernel> Provider::compile(const OrtGraph* graph, const OrtNode* fused) const {
  const OrtApi& api = session_.runtime.api;
  const std::vector<const OrtNode*> nodes = nodes_of(api, graph);
  std::optional<Node> node = nodes.size() == 1 ? read(nodes[0]) : std::nullopt;
  if (!node)
    fail(ORT_INVALID_GRAPH, std::string(kProviderName) + ": a fused node must contain exactly one node of Tesela's");
  if (!names_.empty()) append_names(api, names_, fused, nodes[0]);
  std::vector<int> places = find_places(*node, input_names(api, fused));
  return std::make_unique<Kernel>(session_, std::move(*node), std::move(places));
}

}  // namespace tesela::ort
