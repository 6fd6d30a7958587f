// SPDX-License-Identifier: Apache-2.0
// The list of cures: what each one changes, and for which meaning.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fix/call.h"
#include "peers/catalogue.h"

namespace tesela::fix {

/// What a node's numbers should be, where its file gives others.
struct Meaning {
  std::string_view name;  // "pytorch"
  std::string_view text;  // for help and messages
};

std::span<const Meaning> all_meanings();

/// The settings of one node that cures look at.
struct Situation {
  const Call& call;
  const peers::NodeView& view;  // of the call
};

/// A cure of one finding: a changed call, or why there is none.
struct Cure {
  std::string_view rule;  // "pytorch/antialias-cubic", of the catalogue where it is in it
  std::string_view
      meaning;  // that asks for it and changes numbers; "extents": the rule of extents; empty: numbers stay
  /// Whether the node has what the cure is for.
  bool (*applies)(const Situation& node, std::string_view rule);
  Result<Call> (*change)(const Situation& node);
};

std::span<const Cure> all_cures();

/// Whether the row of the catalogue applies.
bool in_catalogue(const Situation& node, std::string_view rule);

}  // namespace tesela::fix
