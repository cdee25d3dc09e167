// Runs the program itself, as its user does.
#pragma once

#include <cstdio>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "walker_project.hpp"

namespace sinew::testing {

using Json = nlohmann::json;

struct Outcome {
  int code = -1;
  std::string out, err;
};

// Runs `sinew ARGUMENTS` in a folder. `before` comes first in the shell's line.
inline Outcome sinew_in(const std::filesystem::path& folder, const std::string& arguments,
                        const std::string& before = {}) {
  // Not in the folder, which may be one of the sources or of the data.
  const TempFolder scratch;
  const std::filesystem::path errors = scratch / "stderr";
  const std::string command = "cd '" + folder.string() + "' && " + before +
                              " NO_COLOR=1 '" SINEW_CLI "' " + arguments + " 2>'" +
                              errors.string() + "'";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return outcome;
  char block[4096];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, pipe)) > 0;)
    outcome.out.append(block, n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.err = TempFolder::read(errors);
  return outcome;
}

class CliTest : public ::testing::Test {
 protected:
  void SetUp() override { write_walker_project(folder_); }
  Outcome run(const std::string& arguments, const std::string& before = {}) {
    return sinew_in(folder_.path(), arguments, before);
  }
  Json json(const std::string& arguments, int code) {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "") << arguments;
    Json parsed = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << outcome.out;
    if (!parsed.is_object()) return Json::object();
    EXPECT_EQ(parsed.value("v", 0), 1);
    EXPECT_EQ(parsed.value("ok", code != 0), code == 0);
    EXPECT_TRUE(parsed.contains("command"));
    EXPECT_TRUE(parsed.contains("findings"));
    for (const Json& finding : parsed["findings"]) {
      for (const char* key : {"severity", "file", "place", "code", "message", "hint"}) {
        EXPECT_TRUE(finding.contains(key)) << finding;
      }
    }
    return parsed;
  }
  TempFolder folder_;
};

}  // namespace sinew::testing
