// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/json/document.hpp>

namespace wf::wfformat::detail {

/// The way from the root of a JSON text to one of its values:
/// workflow.specification.tasks[3].parents.
class field_path {
 public:
  /// Goes on to a field of an object; the key must outlive the path.
  constexpr field_path& field(text_view key) {
    steps_.push_back({key, 0});
    return *this;
  }
  /// Goes on to an element of an array.
  constexpr field_path& element(std::size_t index) {
    steps_.push_back({{}, static_cast<std::uint32_t>(index)});
    return *this;
  }
  /// Goes back by one step.
  constexpr void leave() { steps_.pop_back(); }

  /// The path as messages state it; "the file" for the root.
  constexpr text to_text() const {
    text out;
    for (const step& s : steps_) {
      if (s.key.empty())
        out << '[' << s.index << ']';
      else if (out.empty())
        out << s.key;
      else
        out << '.' << s.key;
    }
    if (out.empty()) out << "the file";
    return out;
  }
  /// The value at the end of the path in a document, or the last one on the way that is there.
  /// O(members and elements along the path).
  constexpr std::uint32_t find_in(const json_document& json) const {
    std::uint32_t at = 0;
    for (const step& s : steps_) {
      const json_item& here = json[at];
      if (!s.key.empty()) {
        const std::uint32_t next = here.kind == json_kind::object ? json.find(at, s.key) : 0;
        if (next == 0) return at;
        at = next;
      } else {
        if (here.kind != json_kind::array || s.index >= here.size) return at;
        at = json_document::first_of(at);
        for (std::uint32_t i = 0; i < s.index; ++i) at = json[at].next;
      }
    }
    return at;
  }

 private:
  struct step {
    text_view key;  // empty: an element
    std::uint32_t index = 0;
  };
  table<step> steps_;
};

/// A fault of a file: the field, and a sentence about it; no sentence: there is no fault.
struct field_fault {
  field_path where;
  text message;

  constexpr explicit operator bool() const { return !message.empty(); }
  /// The fault as an error about the file of this name.
  constexpr error to_error(text_view file, const text_position& position = {}) const {
    return make_error(errc::bad_workflow_file, file,
                      (where.to_text() << ": " << message.view()).view(), position);
  }
};

}  // namespace wf::wfformat::detail
