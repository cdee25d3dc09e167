// Where an XML text breaks: assimp says that it does, not where.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

struct XmlFault {
  std::string place;    // "line 3, column 7"
  std::string message;  // "<node> is closed by </mesh>"
};

// The first fault of a Collada text: tags that do not nest, attributes without quotes, an element
// of numbers that holds something else or another number of them than its count. Nothing if the
// text has none of these.
std::optional<XmlFault> find_xml_fault(std::string_view text);

}  // namespace sinew
