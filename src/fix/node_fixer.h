// SPDX-License-Identifier: Apache-2.0
// Tries cures on one node, one after the other; each change is proved.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fix/cures.h"
#include "fix/fix.h"
#include "graph/walk.h"

namespace tesela::fix {

/// What the nodes of a model share.
struct Run {
  const Model& model;
  const FixOptions& options;
  const Limits& limits;
  FixReport& report;
  ProofEffort proofs = {};
  peers::Effort effects = {};
  bool may_change_extents = true;
  int64_t looks = 2000;  // how many more calls may be looked up in the whole catalogue
};

class NodeFixer {
 public:
  NodeFixer(const GraphVisit& visit, size_t node, Run& run);

  /// The changed call, or the same one. Errors: unsupported (the upgrade that is asked for).
  Status fix();
  bool is_changed() const { return is_changed_; }
  const Call& before() const { return before_; }
  const Call& after() const { return current_; }

 private:
  enum class Kind : uint8_t { kKeepsNumbers, kIsMeant };

  /// The call as cures see it.
  struct Look {
    Look(const Call& call, Inputs known, Run& run)
        : infos(call, known), view(call.op, infos.view(), run.limits, run.effects) {}
    CallInfos infos;
    peers::NodeView view;
  };

  void forget_defaults();
  Status upgrade();
  void cure(const Cure& cure, const Look& look);
  Status apply(std::string_view rule, Call after, Kind kind);
  bool is_meant(const Cure& cure) const;
  bool lessens_findings(const Call& after);
  size_t findings_of(const Call& call);
  Status check_declared(const Call& after) const;
  void leave(std::string_view rule, const Status& why);
  std::string where(const OpDesc& op) const;

  const GraphVisit& visit_;
  const size_t node_;
  Run& run_;
  std::vector<const TensorInfo*> known_;
  std::deque<TensorInfo> without_default_;  // of known_
  Call before_;
  Call current_;
  bool is_changed_ = false;
  std::optional<Look> look_;  // of the current call
};

/// The operator of a node that can be fixed: valid, or an Upsample in an opset that no longer has it. Null for others.
std::shared_ptr<const OpDesc> fixable(const GraphVisit& visit, size_t node);

}  // namespace tesela::fix
