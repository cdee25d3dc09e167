// The tables of `sinew inspect`, one function per kind of file.
#pragma once

#include <string>

#include <sinew/asset/model.hpp>

#include "session.hpp"

namespace sinew::cli {

struct InspectOptions {
  std::string only;  // name of one table; empty: all
  bool shows(const char* table) const { return only.empty() || only == table; }
};

inline double d(float x) { return static_cast<double>(x); }

// Each prints its tables and adds the same to `out`.
void inspect_model(Session& session, const std::string& file, const InspectOptions& options,
                   Json& out);
void inspect_controller(Session& session, const std::string& file, Json& out);
void inspect_character(Session& session, const std::string& file, const InspectOptions& options,
                       Json& out);
void inspect_scene(Session& session, const std::string& file, Json& out);
void inspect_recording(Session& session, const std::string& file, Json& out);

}  // namespace sinew::cli
