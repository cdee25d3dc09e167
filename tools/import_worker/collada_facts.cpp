#include "collada_facts.hpp"

#include <charconv>

namespace sinew {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The value of an attribute in the inside of a tag; empty where it is not there.
std::string_view attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const bool begins = at > 0 && is_blank(tag[at - 1]);
    const std::string_view rest = tag.substr(at + name.size());
    if (!begins || rest.size() < 2 || rest[0] != '=' || (rest[1] != '"' && rest[1] != '\''))
      continue;
    const std::size_t end = rest.find(rest[1], 2);
    return end == std::string_view::npos ? std::string_view() : rest.substr(2, end - 2);
  }
  return {};
}

double number(std::string_view text) {
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

}  // namespace

ColladaFacts collada_facts(std::string_view text) {
  ColladaFacts out;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) break;
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    std::size_t length = 0;
    while (length < tag.size() && !is_blank(tag[length]) && tag[length] != '/') ++length;
    const std::string_view name = tag.substr(0, length);
    if (name == "unit") {
      const double metres = number(attribute(tag, "meter"));
      if (metres > 1e-9 && metres < 1e9) out.metres_per_unit = metres;
    } else if (name == "node") {
      out.nodes.emplace(attribute(tag, "id"),
                        ColladaFacts::Node{std::string(attribute(tag, "name")),
                                           attribute(tag, "type") == "JOINT"});
    } else if (name == "animation_clip") {
      const std::string_view own = attribute(tag, "name"), id = attribute(tag, "id");
      out.clips.push_back({std::string(own.empty() ? id : own),
                           number(attribute(tag, "end")) - number(attribute(tag, "start"))});
    }
  }
  return out;
}

}  // namespace sinew
