// A program run as a child, without a shell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sinew/base/result.hpp>

namespace sinew::render {

class ChildProcess {
 public:
  // `arguments[0]` is the program, looked up in PATH. `inherited`: descriptors that it keeps, under
  // their own numbers; all others are closed. With `input`, send() feeds its standard input, else
  // that is empty. Its standard output is dropped, its error output kept for messages. The child is
  // killed when this process dies. Errors: kNotFound if there is no such program.
  static Result<ChildProcess> start(const std::vector<std::string>& arguments,
                                    std::span<const int> inherited, bool input);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // kills what still runs

  // False when the child no longer reads.
  bool send(std::span<const std::uint8_t> bytes);
  // Ends the input and waits. An exit code other than 0 is an error with the child's last lines.
  Status wait();

 private:
  ChildProcess(int pid, int input, int errors, std::string name)
      : pid_(pid), input_(input), errors_(errors), name_(std::move(name)) {}
  void close_input();
  std::string last_words() const;

  int pid_ = -1, input_ = -1, errors_ = -1;
  std::string name_;
};

}  // namespace sinew::render
