// SPDX-License-Identifier: Apache-2.0
// What the conditions of several peers share.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "peers/catalogue.h"
#include "peers/effect.h"

namespace tesela::peers {

inline constexpr std::string_view kMeasured = "measured";

inline Match when(bool holds) {
  return holds ? Match("") : std::nullopt;
}

/// Applies if there is an effect.
inline Match when_it_shows(std::string effect) {
  return effect.empty() ? std::nullopt : Match(std::move(effect));
}

template <class Holds>
bool any_axis(const NodeView& node, Holds holds) {
  return std::any_of(node.axes().begin(), node.axes().end(), holds);
}

inline bool is_resized(const AxisView& axis) {
  return axis.is_resized();
}

/// Applies if `holds` and an axis is resized, or may be.
Match when_resized(const NodeView& node, bool holds);

/// Applies if X is a constant with a NaN or an infinity, and an axis is resized in mode linear or cubic.
Match when_weight_zero_shows(const NodeView& node);

/// Applies if `holds` and an axis shrinks, or may.
Match when_shrunk(const NodeView& node, bool holds);

inline bool is_negative(const AxisView& axis) {
  return axis.is_negative;
}

/// Neither scales nor sizes are given, or both are empty: no axis is resized.
Match nothing_given(const NodeView& node);

/// Scales that the model computes, where another rule for extents applies.
bool has_unknown_scales(const NodeView& node, ExtentRule rule);

/// Whether scales give some axis another extent by this rule than by the node's own.
bool has_other_extents(const NodeView& node, ExtentRule rule);

/// Whether they do for some of the extents that an axis may have, which are unknown.
bool may_have_other_extents(const NodeView& node);

/// Whether formulas use an extent that a scale gives and that may be no whole number, of an unknown one.
bool may_have_other_length(const NodeView& node);

/// Whether an axis that is cropped may keep its extent, which is unknown.
bool may_keep_cropped_axis(const NodeView& node);

/// Instead of the effect in numbers.
inline constexpr const char* kUnknownShapes = "its shapes are not known";

/// Whether an axis keeps its extent though its scale is not 1 or it is cropped: the standard resamples it.
bool has_unchanged_axis(const NodeView& node);

/// Whether formulas use an extent that the scale gives and that may be no whole number.
bool has_other_length(const NodeView& node);

bool is_linear(const NodeView& node);
bool is_mode(const NodeView& node, std::initializer_list<CoordinateMode> modes);
/// False where the rank is unknown.
bool has_rank(const NodeView& node, std::initializer_list<size_t> ranks);
bool lacks_rank(const NodeView& node, std::initializer_list<size_t> ranks);

/// Whether an axis shrinks to one output.
bool resizes_to_one(const NodeView& node);

/// Whether scales are given that do not make whole extents: positions by scale and by out / in differ.
bool has_fractional_scales(const NodeView& node);

/// The effect of positions by out / in where scales are given; applies if there is one, or if it is not known.
Match ratio_for_scale(const NodeView& node);

/// Whether an axis before the last `count` is resized.
bool resizes_before_last(const NodeView& node, size_t count);

/// Whether a tensor of 4 axes is resized along the middle two only, or one of them with the channels last.
bool has_last_channels(const NodeView& node);

/// A policy that is not stretch.
bool has_policy(const NodeView& node);

/// Whether `axes` lists other axes than all of them in order.
bool lists_some_axes(const NodeView& node);

/// Whether scales or sizes, or a Tile's repeats, are computed by the model.
bool has_computed_inputs(const NodeView& node);

/// The effect of changing attributes.
std::string effect_of(const NodeView& node, std::vector<Attribute> changed);

}  // namespace tesela::peers
