// Where the parts of an instance's bytes lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sinew/graph/definition.hpp>
#include <sinew/graph/state.hpp>

namespace sinew::graph_detail {

// Motions that one state may blend: PoseTask::count has eight bits.
inline constexpr std::uint32_t kMostLeaves = 200;
// Live states of one layer whose poses one update may ask for: the two of a transition now and a
// step ago, and a new target.
inline constexpr std::size_t kMostSides = 5;
// Sets of leaves that one layer evaluates in one update, at most: see LayerScratch.
inline constexpr std::size_t kLeafSets = 6;

// Floats that run_scalar_tasks() keeps of one handed-over transition.
inline constexpr std::size_t kScalarOffsetFloats = 10;

struct StateLayout {
  std::size_t layers = 0;
  std::size_t parameters = 0;
  std::size_t curves = 0;  // a FrozenCurve per layer and float parameter
  std::size_t driven = 0;  // a byte per parameter
  std::size_t size = 0;
};

inline StateLayout state_layout(const ControllerTables& t) {
  StateLayout layout;
  layout.layers = sizeof(StateHeader);
  layout.parameters = layout.layers + t.layers.size() * sizeof(LayerState);
  layout.curves = layout.parameters + t.parameters.size() * sizeof(ParameterValue);
  layout.driven = layout.curves + t.layers.size() * t.float_count * sizeof(FrozenCurve);
  const std::size_t end = layout.driven + t.parameters.size();
  layout.size = (end + 15) / 16 * 16;
  return layout;
}

// state_check.cpp: whether no update of these bytes can go wrong.
bool is_sound_state(const ControllerTables& t, std::span<const std::byte> bytes);

}  // namespace sinew::graph_detail
