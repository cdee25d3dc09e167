// Pictures made as SVG, written as they are or as PNG.
#pragma once

#include <string>

#include <sinew/base/result.hpp>

namespace sinew::cli {

// Writes `svg` to a file whose extension says the form: .svg, or .png, which the program
// rsvg-convert (package librsvg2-bin) makes; `scale` pixels a unit. Written beside and renamed.
// Errors: another extension, no rsvg-convert, a file that cannot be written.
Status save_svg(const std::string& svg, const std::string& file, double scale);

}  // namespace sinew::cli
