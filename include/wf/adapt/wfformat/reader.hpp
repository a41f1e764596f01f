// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/validate.hpp>
#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/json/fields.hpp>

namespace wf::wfformat {

namespace detail {

/// Fills an instance from a JSON document. Its functions return false after a fault.
class instance_reader {
 public:
  /// The source and its document must outlive the reader.
  constexpr instance_reader(text_view source, const json_document& json)
      : source_(source), json_(json) {}

  constexpr instance&& take() { return static_cast<instance&&>(out_); }
  constexpr const field_fault& fault() const { return fault_; }
  /// The value that the fault is about.
  constexpr std::uint32_t failed() const { return failed_; }

 private:
  constexpr bool fail(std::uint32_t item, text_view message) {
    fault_.where = path_;
    fault_.message = text(message);
    failed_ = item;
    return false;
  }
  constexpr bool expect(std::uint32_t item, json_kind wanted) {
    if (json_[item].kind == wanted) return true;
    return fail(item,
                text() << "expected " << name_of(wanted) << ", not " << name_of(json_[item].kind));
  }

  template <schema_object T>
  constexpr bool object(std::uint32_t item, T& out) {
    if (!expect(item, json_kind::object)) return false;
    std::uint64_t seen = 0;
    std::uint32_t key = json_document::first_of(item);
    table<string> keys;
    for (std::uint32_t i = 0; i < json_[item].size; ++i, key = json_[key + 1].next) {
      keys.push_back(string_of(key));
      const text_view name = keys.back().view();
      bool known = false, good = true;
      std::uint32_t place = 0;
      visit_fields(out, [&](const field_rule& rule, auto& member) {
        if (!known && rule.key == name) {
          known = true;
          seen |= std::uint64_t{1} << place;
          path_.field(rule.key);
          good = member_of(json_document::value_of(key), rule, member);
          if (good) path_.leave();
        }
        ++place;
      });
      if (!good) return false;
      if (!known)
        out.form.unknown.push_back(
            wf::detail::compact_json(source_, json_[json_document::value_of(key)].offset));
    }
    out.form.layout = number_of(static_cast<table<string>&&>(keys));
    return has_required(item, out, seen);
  }
  template <schema_object T>
  constexpr bool has_required(std::uint32_t item, const T& object, std::uint64_t seen) {
    text_view missing;
    std::uint32_t place = 0;
    visit_fields(object, [&](const field_rule& rule, const auto&) {
      if (missing.empty() && rule.required && (seen >> place & 1) == 0) missing = rule.key;
      ++place;
    });
    if (missing.empty()) return true;
    return fail(item, text() << "the required field '" << missing << "' is missing");
  }

  constexpr bool member_of(std::uint32_t item, const field_rule&, number& out) {
    if (!expect(item, json_kind::number)) return false;
    out = number::spelled(json_.text_of(item));
    return true;
  }
  constexpr bool member_of(std::uint32_t item, const field_rule& rule, string& out) {
    if (!expect(item, json_kind::string)) return false;
    out = string_of(item);
    if (!out.empty() || rule.value == value_rule::task_id) return true;
    return fail(item, "a string needs at least one character");
  }
  template <schema_object T>
  constexpr bool member_of(std::uint32_t item, const field_rule&, T& out) {
    return object(item, out);
  }
  template <class T>
  constexpr bool member_of(std::uint32_t item, const field_rule& rule, std::optional<T>& out) {
    return member_of(item, rule, out.emplace());
  }
  template <class T>
  constexpr bool member_of(std::uint32_t item, const field_rule& rule, table<T>& out) {
    if (!expect(item, json_kind::array)) return false;
    if (rule.nonempty && json_[item].size == 0)
      return fail(item, "an array needs at least one element here");
    out.resize(json_[item].size);
    std::uint32_t element = json_document::first_of(item);
    for (std::uint32_t i = 0; i < json_[item].size; ++i, element = json_[element].next) {
      path_.element(i);
      if (!member_of(element, rule, out[i])) return false;
      path_.leave();
    }
    return true;
  }

  /// A string, with its spelling where that is not the one of `append_json_string`.
  constexpr string string_of(std::uint32_t item) const {
    string out(json_.text_of(item));
    const std::size_t first = json_[item].offset + 1;
    std::size_t end = first;
    for (; source_[end] != '"'; ++end)
      if (source_[end] == '\\') ++end;
    if (end - first == out.characters.size()) return out;  // no escapes
    const text_view spelled = source_.part(first, end - first);
    text usual;
    append_json_string(usual, out.view());
    if (usual.view().part(1, usual.size() - 2) != spelled) out.spelling = text(spelled);
    return out;
  }
  /// The number of a layout, which is added if it is new. O(keys) expected.
  constexpr std::uint32_t number_of(table<string> keys) {
    hasher h;
    for (const string& key : keys) h.characters(key.view()).characters(key.spelling.view());
    const std::uint32_t known =
        layouts_.find(h.value(), [&](std::uint32_t i) { return out_.layouts[i].keys == keys; });
    if (known != hash_index::none) return known;
    const auto added = static_cast<std::uint32_t>(out_.layouts.size());
    out_.layouts.push_back({static_cast<table<string>&&>(keys)});
    layouts_.insert(h.value(), added);
    return added;
  }

 public:
  // Behind the templates that it uses, which clang then has for constant evaluation.
  constexpr bool run() {
    out_.layouts.resize(1);
    return object(0, out_);
  }

 private:
  text_view source_;
  const json_document& json_;
  instance out_;
  hash_index layouts_;
  field_path path_;
  field_fault fault_;
  std::uint32_t failed_ = 0;
};

}  // namespace detail

/// Reads a WfFormat 1.5 text, called `name` in messages. Nothing is lost: see `instance`. Errors,
/// with line and column: `bad_workflow_file` if it is no JSON (RFC 8259, at most 64 levels and 256
/// MiB), breaks the schema or contradicts itself (see `validate`); the message begins with the
/// field: "workflow.specification.tasks[3].parents[0]: there is no task 'a'". O(size log size).
constexpr result<instance> parse(text_view json, text_view name = "json") {
  const auto document = parse_json(json);
  if (!document)
    return make_error(errc::bad_workflow_file, name,
                      text("no JSON: ") << document.error().message.view(), document.error().where);
  detail::instance_reader reader(json, *document);
  const auto position = [&](std::uint32_t item) {
    return position_at(json, (*document)[item].offset);
  };
  if (!reader.run()) return reader.fault().to_error(name, position(reader.failed()));
  instance out = reader.take();
  if (const auto fault = detail::find_fault(out))
    return fault.to_error(name, position(fault.where.find_in(*document)));
  return out;
}

}  // namespace wf::wfformat
