// The visitors that compile a constraint's fields: one finds names and makes channels, the other
// renumbers.
#pragma once

#include <functional>

#include <sinew/base/text.hpp>
#include <sinew/rig/fields.hpp>

namespace sinew::rig {

// A visitor that keeps track of where it is ("sources.0") and does nothing else.
class PlainVisitor : public FieldVisitor {
 public:
  void node(const char*, NodeRef&, NodeUse) override {}
  void nodes(const char*, std::vector<NodeRef>&, NodeUse, int, int) override {}
  void sources(const char*, std::vector<WeightedNode>&, NodeUse, float, float) override {}
  void value(const char*, Value&, float, float) override {}
  void vector(const char*, Value3&, float, float) override {}
  void flag(const char*, bool&) override {}
  void number(const char*, float&, float, float) override {}
  void integer(const char*, int&, int, int) override {}
  void constant(const char*, Vec3&) override {}
  void axis(const char*, Axis&) override {}
  void axes(const char*, AxisMask&) override {}
  void choice(const char*, int&, const char* const*, int) override {}

 protected:
  int begin_list(const char* name, int count, int) override {
    lists_.push_back(prefix_ + name);
    return count;
  }
  void begin_item(int index) override {
    outer_.push_back(prefix_);
    prefix_ = lists_.back() + "." + std::to_string(index) + ".";
  }
  void end_item() override {
    prefix_ = outer_.back();
    outer_.pop_back();
  }
  void end_list() override { lists_.pop_back(); }
  std::string full(const char* name) const { return prefix_ + name; }

 private:
  std::string prefix_;
  std::vector<std::string> lists_, outer_;
};

// Calls a function for every reference to a node.
class NodeRefVisitor final : public PlainVisitor {
 public:
  explicit NodeRefVisitor(std::function<void(NodeRef&)> function)
      : function_(std::move(function)) {}
  void node(const char*, NodeRef& ref, NodeUse) override { function_(ref); }
  void nodes(const char*, std::vector<NodeRef>& refs, NodeUse, int, int) override {
    for (NodeRef& ref : refs) function_(ref);
  }
  void sources(const char*, std::vector<WeightedNode>& list, NodeUse, float, float) override {
    for (WeightedNode& w : list) function_(w.node);
  }

 private:
  std::function<void(NodeRef&)> function_;
};

}  // namespace sinew::rig
