// Numbers inside the state of a rig, by their offset.
#pragma once

#include <cstddef>
#include <span>

namespace sinew::rig {

template <class T>
T* at(std::span<std::byte> state, std::size_t offset) {
  return reinterpret_cast<T*>(state.data() + offset);
}
template <class T>
const T* at(std::span<const std::byte> state, std::size_t offset) {
  return reinterpret_cast<const T*>(state.data() + offset);
}

}  // namespace sinew::rig
