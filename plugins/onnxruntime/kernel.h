// A compiled node: runs it each time the model runs.
#pragma once

#include <memory>
#include <vector>

#include "logger.h"
#include "node.h"
#include "profile.h"

namespace tesela::ort {

/// What all kernels of a session share.
struct Session {
  Runtime runtime;
  Logger logger;
  std::shared_ptr<Profile> profile;  // null: nobody wants one
};

/// ONNX Runtime calls Compute from any number of threads.
class Kernel : public OrtNodeComputeInfo {
 public:
  /// places: of each input of the node, where the fused node has it; -1 for an omitted one.
  Kernel(const Session& session, Node node, std::vector<int> places);

  void run(OrtKernelContext* context);

 private:
  struct Call;

  void read_inputs(Call& call) const;
  void read_input(Call& call, size_t i) const;
  bool is_static(const Call& call) const;
  Plan plan_of(const Call& call);
  void run_planned(Call& call, const Plan& plan) const;
  void run_strings(Call& call, const Plan& plan, OrtValue* output) const;
  void run_numbers(Call& call, const Plan& plan, OrtValue* output) const;
  void run_cut(Call& call, const Plan& plan, const tesela_tensor& x, const tesela_tensor& y) const;
  void run_plan(Call& call, const Plan& plan, const tesela_tensor* x, const tesela_tensor& y) const;
  tesela_tensor output_view(const Plan& plan) const;
  void prepare_packed(const tesela_tensor& y, const OrtValue* output) const;
  std::string shapes_text(const Plan& plan) const;

  Runtime runtime_;
  Logger logger_;
  std::shared_ptr<Profile> profile_;
  Node node_;
  std::vector<int> places_;
  std::optional<Plan> static_plan_;  // none where shapes or values are known only when the model runs
  PlanCache cache_;
};

}  // namespace tesela::ort
