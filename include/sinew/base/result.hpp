// Errors as values. Data faults travel as Result; programmer errors assert.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sinew {

// What kind of fault it is, for programs. People read Error::message.
enum class ErrorCode {
  kInvalidArgument,  // a value out of its range, given by the caller
  kNotFound,         // a name or a file that does not exist
  kUnreadable,       // a file that cannot be opened or read
  kUnwritable,       // a file that cannot be written
  kMalformed,        // text or bytes that break their format
  kUnsupported,      // legal, but something that Sinew does not do
  kLimit,            // too many or too large for Sinew
  kMismatch,         // two things that do not belong together
  kInternal,         // a fault of Sinew itself
};

// Stable lower-case name, as in the JSON output ("malformed").
constexpr std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kUnreadable:
      return "unreadable";
    case ErrorCode::kUnwritable:
      return "unwritable";
    case ErrorCode::kMalformed:
      return "malformed";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kMismatch:
      return "mismatch";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

// One fault: what went wrong, and where ("walk.glb: animation 3 'Walk'").
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence, lower case, no full stop
  std::string where;    // file and place, outermost first, joined by ": "
};

// "where: message", or the message alone.
inline std::string to_string(const Error& error) {
  return error.where.empty() ? error.message : error.where + ": " + error.message;
}

inline Error make_error(ErrorCode code, std::string message, std::string where = {}) {
  return Error{code, std::move(message), std::move(where)};
}

// The same error, seen from further outside: `outer` goes in front of its place.
inline Error within(std::string_view outer, Error error) {
  error.where = error.where.empty() ? std::string(outer) : std::string(outer) + ": " + error.where;
  return error;
}

// A value or an error. Reading the value of a failed result asserts.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

// Success, or an error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& {
    assert(!ok());
    return *error_;  // NOLINT(bugprone-unchecked-optional-access): asserted
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*error_);  // NOLINT(bugprone-unchecked-optional-access): asserted
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace sinew
