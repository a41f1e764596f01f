// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <wf/report/page/columns.hpp>

/// What stands in a picture.
namespace pictures {

/// A text, with the room that it takes at least.
struct word {
  std::string kind, characters;
  std::int64_t left = 0, right = 0, y = 0;
};

/// The value of an attribute in an element.
inline std::string attribute(const std::string& element, const std::string& name) {
  const auto at = element.find(' ' + name + "=\"");
  if (at == std::string::npos) return "";
  const auto first = at + name.size() + 3;
  return element.substr(first, element.find('"', first) - first);
}
inline std::int64_t number(const std::string& element, const std::string& name) {
  return std::strtoll(attribute(element, name).c_str(), nullptr, 10);
}
/// The elements of a name whose class begins with a word.
inline std::vector<std::string> elements(wf::text_view svg, const std::string& name,
                                         const std::string& kind) {
  std::vector<std::string> out;
  const std::string all(svg);
  for (auto at = all.find('<' + name + ' '); at != std::string::npos;
       at = all.find('<' + name + ' ', at + 1)) {
    const std::string element = all.substr(at, all.find('>', at) - at);
    if (attribute(element, "class").starts_with(kind)) out.push_back(element);
  }
  return out;
}
/// All texts, by the style of the picture: 5 pixels a character.
inline std::vector<word> words(wf::text_view svg) {
  std::vector<word> out;
  const std::string all(svg);
  for (auto at = all.find("<text"); at != std::string::npos; at = all.find("<text", at + 1)) {
    const auto end = all.find('>', at);
    const std::string element = all.substr(at, end - at);
    word w;
    w.kind = attribute(element, "class");
    w.characters = all.substr(end + 1, all.find('<', end) - end - 1);
    const auto wide = static_cast<std::int64_t>(
        5 * wf::detail::columns_of({w.characters.data(), w.characters.size()}));
    const std::int64_t x = number(element, "x");
    const bool at_end =
        w.kind == "row type" || w.kind == "lane" || w.kind.starts_with("say before");
    const bool at_begin = !at_end && (w.kind.starts_with("row") || w.kind.starts_with("wire") ||
                                      w.kind.starts_with("say"));
    w.left = at_begin ? x : at_end ? x - wide : x - wide / 2;
    w.right = w.left + wide;
    w.y = number(element, "y");
    out.push_back(w);
  }
  return out;
}
/// True if all texts are inside the picture.
inline bool holds_words(wf::text_view svg) {
  const std::string all(svg), head = all.substr(0, all.find('>'));
  for (const word& w : words(svg))
    if (w.left < 0 || w.right > number(head, "width") || w.y < 8 || w.y > number(head, "height"))
      return false;
  return true;
}

}  // namespace pictures
