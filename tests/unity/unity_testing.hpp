#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <sinew/graph/definition.hpp>
#include <sinew/unity/controller.hpp>

namespace sinew::unity {

inline const std::filesystem::path kOwnData =
    std::filesystem::path(SINEW_SOURCE_DIR) / "tests/unity/data";

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// "code @ place: message" of every finding, one a line.
inline std::string listing(const Findings& findings) {
  std::string out;
  for (const Finding& f : findings) out += f.code + " @ " + f.place + ": " + f.message + "\n";
  return out;
}

inline int count_of(const Findings& findings, std::string_view code) {
  int count = 0;
  for (const Finding& f : findings) count += f.code == code;
  return count;
}

inline const Finding* find_code(const Findings& findings, std::string_view code) {
  for (const Finding& f : findings) {
    if (f.code == code) return &f;
  }
  return nullptr;
}

inline Controller must_read(std::string_view text) {
  Result<Controller> controller = read_controller(text, "test.controller");
  EXPECT_TRUE(controller) << to_string(controller.error());
  return controller ? std::move(*controller) : Controller{};
}

}  // namespace sinew::unity
