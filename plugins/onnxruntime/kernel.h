// SPDX-License-Identifier: Apache-2.0
// A compiled node, which runs each time the model runs.
#pragma once

#include <memory>
#include <vector>

#include "logger.h"
#include "node.h"
#include "profile.h"

namespace tesela::ort {

/// Shared by all kernels of a session.
struct Session {
  Runtime runtime;
  Logger logger;
  std::shared_ptr<Profile> profile;  // null if not requested
};

/// Thread-safe: ONNX Runtime may call Compute from several threads at once.
class Kernel : public OrtNodeComputeInfo {
 public:
  /// places: for each input of the node, its index among the fused node's inputs; -1 for an omitted one.
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
  void run_truncated(Call& call, const Plan& plan, const tesela_tensor& x, const tesela_tensor& y) const;
  void run_plan(Call& call, const Plan& plan, const tesela_tensor* x, const tesela_tensor& y) const;
  tesela_tensor output_view(const Plan& plan) const;
  void prepare_packed(const tesela_tensor& y, const OrtValue* output) const;
  std::string shapes_text(const Plan& plan) const;

  Runtime runtime_;
  Logger logger_;
  std::shared_ptr<Profile> profile_;
  Node node_;
  std::vector<int> places_;
  std::optional<Plan> static_plan_;  // none if shapes or values are known only in a run
  PlanCache cache_;
};

}  // namespace tesela::ort
