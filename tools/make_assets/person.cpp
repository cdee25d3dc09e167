#include "person.hpp"

namespace sinew::make_assets {

Model make_person() {
  Model model = make_body();
  return model;
}

}  // namespace sinew::make_assets
