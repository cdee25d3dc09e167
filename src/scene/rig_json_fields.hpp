// Visitors between a constraint's fields and JSON.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <sinew/rig/constraint.hpp>

namespace sinew::rig_json {

using Json = nlohmann::ordered_json;

// Called with the place of a fault and what it is.
using Report = std::function<void(const std::string& place, std::string code, std::string message)>;

// The shortest decimal that reads back as this float.
Json number_to_json(float value);
Json vector_to_json(Vec3 v);

// Reads members of one JSON object and remembers which were asked for. Each function gives false
// and leaves `out` alone where the key is absent or of the wrong type (reported).
class ObjectReader {
 public:
  ObjectReader(const Json& object, std::string place, const Report& report)
      : object_(object), place_(std::move(place)), report_(report) {}

  const Json* member(const char* key);  // null: absent
  bool text(const char* key, std::string& out);
  bool number(const char* key, float& out);
  bool integer(const char* key, int& out);
  bool flag(const char* key, bool& out);
  bool vector(const char* key, Vec3& out);
  bool quaternion(const char* key, Quat& out);
  bool choice(const char* key, int& out, const char* const* words, int count);
  // The array of that name; null where absent or not an array.
  const Json* array(const char* key);
  // For an object that cannot be understood: its other keys are not faults of their own.
  void skip_unknown() { skip_unknown_ = true; }
  // Reports every key that was never asked for, with the nearest one that was.
  void report_unknown() const;
  void fault(const char* key, const char* code, std::string message) const;

  const std::string& place() const { return place_; }

 private:
  bool wrong_type(const char* key, const char* wanted) const;
  const Json& object_;
  std::string place_;
  const Report& report_;
  std::vector<std::string> asked_;
  bool skip_unknown_ = false;
};

void read_fields(const rig::ConstraintType& type, void* data, ObjectReader& reader,
                 const Report& report);
// Fields whose value is not the default.
void write_fields(const rig::ConstraintType& type, const void* data, Json& out);
// {"properties": ..., "required": [...]} of one constraint.
Json field_schema(const rig::ConstraintType& type);

}  // namespace sinew::rig_json
