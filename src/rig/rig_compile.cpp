#include "rig_compiler.hpp"

namespace sinew {

// Finds the names of one constraint's fields, checks ranges and makes channels.
class Resolver final : public rig::PlainVisitor {
 public:
  Resolver(RigCompiler& compiler, const std::string& owner, const std::string& place)
      : compiler_(compiler), owner_(owner), place_(place) {}

  void node(const char* name, rig::NodeRef& ref, rig::NodeUse use) override {
    resolve(ref, use, full(name));
  }
  void nodes(const char* name, std::vector<rig::NodeRef>& refs, rig::NodeUse use, int least,
             int most) override {
    count(full(name), refs.size(), least, most);
    for (std::size_t i = 0; i < refs.size(); ++i) {
      resolve(refs[i], use, full(name) + "." + std::to_string(i));
    }
  }
  void sources(const char* name, std::vector<rig::WeightedNode>& list, rig::NodeUse use, float min,
               float max) override {
    count(full(name), list.size(), 1, 8);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string item = full(name) + "." + std::to_string(i);
      resolve(list[i].node, use, item);
      make_channel(list[i].weight, item + ".weight", min, max);
    }
  }
  void value(const char* name, rig::Value& v, float min, float max) override {
    make_channel(v, full(name), min, max);
  }
  void vector(const char* name, rig::Value3& v, float min, float max) override {
    make_channel(v.x, full(name) + ".x", min, max);
    make_channel(v.y, full(name) + ".y", min, max);
    make_channel(v.z, full(name) + ".z", min, max);
  }
  void number(const char* name, float& v, float min, float max) override {
    if (is_finite(v) && v >= min && v <= max) return;
    fault(full(name), "rig.out_of_range",
          format_text("%g is not in [%g, %g]", double(v), double(min), double(max)));
  }
  void integer(const char* name, int& v, int min, int max) override {
    if (v >= min && v <= max) return;
    fault(full(name), "rig.out_of_range", format_text("%d is not in [%d, %d]", v, min, max));
  }
  void constant(const char* name, Vec3& v) override {
    if (!is_finite(v)) fault(full(name), "rig.not_finite", "the vector is not finite");
  }
  void choice(const char* name, int& v, const char* const*, int words) override {
    if (v < 0 || v >= words) fault(full(name), "rig.out_of_range", "not one of its choices");
  }

  bool failed() const { return failed_; }

 protected:
  int begin_list(const char* name, int items, int most) override {
    count(full(name), static_cast<std::size_t>(items), 0, most);
    return PlainVisitor::begin_list(name, items, most);
  }

 private:
  void resolve(rig::NodeRef& ref, rig::NodeUse use, const std::string& field) {
    ref.index = -1;
    if (ref.name.empty()) {
      if (use != rig::NodeUse::kReadOptional) {
        fault(field, "rig.missing_node", "a joint or rig node must be named here");
      }
      return;
    }
    const int before = compiler_.first_error_;
    const std::size_t findings = compiler_.findings_.size();
    const int id = compiler_.resolve(ref.name, place_ + ": " + field);
    if (id < 0) {
      soften(before, findings);
      failed_ = true;
    }
    ref.index = static_cast<std::int16_t>(id);
  }
  void make_channel(rig::Value& v, const std::string& field, float min, float max) {
    const int before = compiler_.first_error_;
    const std::size_t findings = compiler_.findings_.size();
    v.channel =
        compiler_.add_channel(owner_ + "." + field, v.initial, min, max, place_ + ": " + field);
    if (compiler_.findings_.size() > findings) {
      soften(before, findings);
      failed_ = true;
    }
  }
  void count(const std::string& field, std::size_t n, int least, int most) {
    if (n >= static_cast<std::size_t>(least) && n <= static_cast<std::size_t>(most)) return;
    fault(field, "rig.out_of_range",
          format_text("%zu entries; there must be %d to %d", n, least, most));
  }
  void fault(const std::string& field, const char* code, std::string message) {
    const int before = compiler_.first_error_;
    const std::size_t findings = compiler_.findings_.size();
    compiler_.error(code, std::move(message), place_ + ": " + field);
    soften(before, findings);
    failed_ = true;
  }
  // Where invalid constraints are only left out, their errors are warnings.
  void soften(int first_error, std::size_t findings) {
    if (!compiler_.options_.skip_invalid) return;
    compiler_.first_error_ = first_error;
    for (std::size_t i = findings; i < compiler_.findings_.size(); ++i) {
      compiler_.findings_[i].severity = Severity::kWarning;
    }
  }

  RigCompiler& compiler_;
  const std::string& owner_;
  const std::string& place_;
  bool failed_ = false;
};

void RigCompiler::read_constraint(const RigConstraintSource& c, std::int16_t layer,
                                  const std::string& place) {
  claim_name(c.name, place);
  if (!c.constraint.type()) {
    error("rig.no_type", "the constraint has no type", place);
    return;
  }
  RigDef::Constraint out;
  out.name = c.name;
  out.box = c.constraint;
  out.layer = layer;
  out.compat = c.compat;
  out.weight_channel = add_channel(c.name + ".weight", c.weight, 0, 1, place + ": weight");
  Resolver resolver(*this, c.name, place);
  out.box.type()->fields(out.box.data(), resolver);
  def_.constraints_.push_back(std::move(out));
  places_.push_back(place);
  broken_.push_back(resolver.failed() ? 1 : 0);
}

Result<RigDef> RigDef::compile(const RigSource& source, const Skeleton& skeleton,
                               const RigCompileOptions& options, Findings& findings) {
  return RigCompiler(source, skeleton, options, findings).run();
}

}  // namespace sinew
