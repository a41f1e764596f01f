// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include <wf/adapt/yaml/positions.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/registry/check.hpp>

namespace wf::detail {

inline text_view text_of(const YAML::Node& scalar) { return scalar.Scalar(); }

// Keys and values of a mapping.
struct yaml_fields {
  std::vector<YAML::Node> keys, values;

  const YAML::Node* find(text_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (text_of(keys[i]) == key) return &values[i];
    return nullptr;
  }
};

/// Reads parts of one YAML document and keeps the texts that it reads. Each reading function
/// returns false after a fault, which `failure` states with its place; nothing is to be read after
/// it.
class yaml_reader {
 public:
  /// Reads `source`, called `name` in messages.
  yaml_reader(text_view source, text_view name)
      : text_(source), name_(name), size_(source.size()) {}

  /// The fault after which a function returned false.
  const error& failure() const { return error_; }
  /// The texts that were read, which move to the caller: views of them stay valid.
  table<text>&& take_texts() { return static_cast<table<text>&&>(texts_); }
  /// The place of a text that was read; the beginning of the document for any other one.
  text_position position_of(text_view read) const {
    const origin* const from = origin_of(read);
    return text_.at(from == nullptr ? 0 : from->start);
  }
  /// An error in this document.
  error error_at(text_position where, text_view message) const {
    return make_error(errc::bad_registry_file, name_, message, where);
  }

  /// Parses the document. Faults: more than `most` characters, a character that is no text, and any
  /// number of documents but one. Throws what yaml-cpp throws: see `fail(const YAML::Exception&)`.
  bool parse(std::size_t most, YAML::Node& root) {
    if (size_ > most) return fail_at(errc::bad_registry_file, "the file is too long", 0);
    if (const std::size_t at = text_.first_illegal(); at < size_)
      return fail_at(errc::bad_registry_file, "a character that is no text in UTF-8", at);
    const std::string body(text_.body());
    if (!read_one_document(body)) return false;
    root.reset(YAML::Load(body));
    return true;
  }

  // Reports a fault: always false.
  bool fail(const YAML::Exception& e) {
    const std::size_t at = e.mark.is_null() ? 0 : text_.offset_of(e.mark);
    return fail_at(errc::bad_registry_file, (text() << "no YAML: " << e.msg).view(), at);
  }
  bool fail(const YAML::Node& at, errc code, text_view message) {
    return fail_at(code, message, text_.offset_of(at.Mark()));
  }
  bool fail(const YAML::Node& at, text_view message) {
    return fail_at(errc::bad_registry_file, message, text_.offset_of(at.Mark()));
  }
  // Reports a fault from the registry's own checks at its place in the text that it is in; at
  // `otherwise` if that was not read from here.
  bool fail(text_view kind, const registry_fault& f, const YAML::Node& otherwise) {
    const origin* const read = origin_of(f.source);
    const std::size_t at = read == nullptr
                               ? text_.offset_of(otherwise.Mark())
                               : text_.inside(read->start, read->value, f.failure.where.offset);
    return fail_at(
        f.failure.code,
        (text() << kind << " '" << f.failure.subject.view() << "': " << f.failure.message.view())
            .view(),
        at);
  }

  // A copy of characters that lives as long as the other texts.
  text_view keep(text_view characters) {
    texts_.push_back(text(characters));
    return texts_.back().view();
  }

  // Reads a nonempty scalar.
  bool read_text(const YAML::Node& node, text_view what, text_view& out) {
    if (!node.IsScalar() || node.Scalar().empty())
      return fail(node, (text() << what << " is a text").view());
    out = keep(node.Scalar());
    origins_.push_back({out, text_.offset_of(node.Mark())});
    return true;
  }
  // The same of a field that may be absent, which leaves `out` as it is.
  bool read_text(const yaml_fields& f, text_view key, text_view& out) {
    const YAML::Node* node = f.find(key);
    return node == nullptr || read_text(*node, key, out);
  }

  bool read_flag(const yaml_fields& f, text_view key, bool& out) {
    const YAML::Node* node = f.find(key);
    if (node == nullptr) return true;
    if (!node->IsScalar() || (node->Scalar() != "true" && node->Scalar() != "false"))
      return fail(*node, (text() << key << " is true or false").view());
    out = node->Scalar() == "true";
    return true;
  }

  // Reads a number, which may be infinite (`.inf`), but no NaN.
  bool read_number(const yaml_fields& f, text_view key, double& out) {
    const YAML::Node* node = f.find(key);
    if (node == nullptr) return true;
    double read = 0;
    if (!node->IsScalar() || !YAML::convert<double>::decode(*node, read) || read != read)
      return fail(*node, (text() << key << " is a number").view());
    out = read;
    return true;
  }

  // Reads a mapping with unique keys, all of which are known (any keys if `known` is empty).
  bool read_fields(const YAML::Node& node, text_view what, view<text_view> known,
                   yaml_fields& out) {
    if (!node.IsMap()) return fail(node, (text() << what << " is a mapping").view());
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) return fail(entry.first, "a key is a text");
      const text_view key = text_of(entry.first);
      if (out.find(key) != nullptr)
        return fail(entry.first, (text() << "the key '" << key << "' is given twice").view());
      bool found = known.empty();
      for (text_view one : known) found = found || one == key;
      if (!found) return fail(entry.first, unknown_name_message("key", key, known).view());
      if (entry.second.IsNull())
        return fail(entry.first, (text() << "the key '" << key << "' has no value").view());
      out.keys.push_back(entry.first);
      out.values.push_back(entry.second);
    }
    return true;
  }

  // Demands a key of the mapping `node`, which is called `what`.
  bool require(const YAML::Node& node, const yaml_fields& f, text_view what, text_view key) {
    if (f.find(key) != nullptr) return true;
    return fail(node, (text() << what << " needs the key '" << key << "'").view());
  }

  // Reads the elements of a list, if it is there; `read` returns false after a fault.
  template <class Read>
  bool read_each(const YAML::Node* list, text_view what, Read read) {
    if (list == nullptr) return true;
    if (!list->IsSequence()) return fail(*list, (text() << what << " is a list").view());
    for (const YAML::Node& node : *list)
      if (!read(node)) return false;
    return true;
  }

  // Reads the name of one of the values, if it is there; says `otherwise` of what is no text.
  template <class Value>
  bool read_one_of(const YAML::Node* node, view<Value> values, text_view what, text_view otherwise,
                   Value& out) {
    if (node == nullptr) return true;
    table<text_view> known;
    for (const Value v : values) {
      known.push_back(name_of(v));
      if (!node->IsScalar() || text_of(*node) != known.back()) continue;
      out = v;
      return true;
    }
    return fail(*node, node->IsScalar() ? unknown_name_message(what, text_of(*node), known).view()
                                        : otherwise);
  }

 private:
  // A text of the file, with its offset.
  struct origin {
    text_view value;
    std::size_t start = 0;
  };

  bool fail_at(errc code, text_view message, std::size_t offset) {
    error_ = make_error(code, name_, message, text_.at(offset));
    return false;
  }

  const origin* origin_of(text_view read) const {
    for (const origin& o : origins_)
      if (!read.empty() && o.value.data() == read.data()) return &o;
    return nullptr;
  }

  // Requires exactly one document. (YAML::Load reads only the first document; YAML::LoadAll does
  // not terminate on some malformed texts.)
  bool read_one_document(const std::string& body) {
    std::istringstream stream(body);
    YAML::Parser parser(stream);
    yaml_document_marks marks;
    if (!parser.HandleNextDocument(marks))
      return fail_at(errc::bad_registry_file, "there is no YAML document", 0);
    if (!parser.HandleNextDocument(marks)) return true;
    return fail_at(errc::bad_registry_file, "a file of kernels is one YAML document",
                   text_.offset_of(marks.last));
  }

  yaml_text text_;
  text_view name_;
  std::size_t size_;
  table<text> texts_;
  std::vector<origin> origins_;
  error error_;
};

}  // namespace wf::detail
