#include "person.hpp"

#include "clips.hpp"

namespace sinew::make_assets {

std::vector<RawClip> make_clips() {
  return {make_idle(), make_walk(), make_run(),       make_turn(true),  make_turn(false),
          make_jump(), make_wave(), make_desk_type(), make_desk_reach()};
}

Model make_person() {
  Model model = make_body();
  model.clips = make_clips();
  return model;
}

}  // namespace sinew::make_assets
