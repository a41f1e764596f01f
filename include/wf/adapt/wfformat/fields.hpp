// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

#include <wf/adapt/wfformat/instance.hpp>

// The schema of WfFormat 1.5: the one list of fields that the reader, the checks and the writer
// use.

namespace wf::wfformat::detail {

/// What the schema demands of a string or a number; of an array of strings, of each element.
enum class value_rule : std::uint8_t {
  any,           ///< nothing
  nonempty,      ///< at least one character
  task_id,       ///< letters, digits and - _ . #
  file_id,       ///< at least one of letters, digits and - _ . / : #
  version,       ///< "1.5"
  system,        ///< "linux", "macos" or "windows"
  whole,         ///< an integer, 0 or more
  positive,      ///< an integer, 1 or more
  at_least_one,  ///< 1 or more
};

/// A field of an object of the schema.
struct field_rule {
  text_view key;                       ///< its key
  bool required = false;               ///< true if the object must have it
  value_rule value = value_rule::any;  ///< what its value must be
  bool nonempty = false;               ///< true for an array that needs an element
};

template <class T, class U>
concept maybe_const = std::same_as<std::remove_const_t<T>, U>;

// visit_fields(object, visit) calls visit(rule, member) for the fields in the order of the schema.

template <maybe_const<runtime_system> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"name", true, value_rule::nonempty}, o.name);
  visit(field_rule{"version", true, value_rule::nonempty}, o.version);
  visit(field_rule{"url", false, value_rule::nonempty}, o.url);
}

template <maybe_const<author> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"name", true, value_rule::nonempty}, o.name);
  visit(field_rule{"email", true, value_rule::nonempty}, o.email);
  visit(field_rule{"institution", false, value_rule::nonempty}, o.institution);
  visit(field_rule{"country", false, value_rule::nonempty}, o.country);
}

template <maybe_const<task> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"name", true, value_rule::nonempty}, o.name);
  visit(field_rule{"id", true, value_rule::nonempty}, o.id);
  visit(field_rule{"parents", true, value_rule::task_id}, o.parents);
  visit(field_rule{"children", true, value_rule::task_id}, o.children);
  visit(field_rule{"inputFiles", false, value_rule::file_id}, o.input_files);
  visit(field_rule{"outputFiles", false, value_rule::file_id}, o.output_files);
}

template <maybe_const<file> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"id", true, value_rule::file_id}, o.id);
  visit(field_rule{"sizeInBytes", true, value_rule::whole}, o.size_in_bytes);
}

template <maybe_const<specification> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"tasks", true, value_rule::any, true}, o.tasks);
  visit(field_rule{"files"}, o.files);
}

template <maybe_const<command> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"program", false, value_rule::nonempty}, o.program);
  visit(field_rule{"arguments", false, value_rule::nonempty}, o.arguments);
}

template <maybe_const<executed_task> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"id", true, value_rule::nonempty}, o.id);
  visit(field_rule{"runtimeInSeconds", true}, o.runtime_in_seconds);
  visit(field_rule{"executedAt", false, value_rule::nonempty}, o.executed_at);
  visit(field_rule{"command"}, o.called);
  visit(field_rule{"coreCount", false, value_rule::at_least_one}, o.core_count);
  visit(field_rule{"avgCPU"}, o.avg_cpu);
  visit(field_rule{"readBytes"}, o.read_bytes);
  visit(field_rule{"writtenBytes"}, o.written_bytes);
  visit(field_rule{"memoryInBytes"}, o.memory_in_bytes);
  visit(field_rule{"energyInKWh"}, o.energy_in_kwh);
  visit(field_rule{"avgPowerInW"}, o.avg_power_in_w);
  visit(field_rule{"priority"}, o.priority);
  visit(field_rule{"machines", false, value_rule::nonempty}, o.machines);
}

template <maybe_const<processor> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"coreCount", false, value_rule::positive}, o.core_count);
  visit(field_rule{"speedInMHz", false, value_rule::positive}, o.speed_in_mhz);
  visit(field_rule{"vendor", false, value_rule::nonempty}, o.vendor);
}

template <maybe_const<machine> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"system", false, value_rule::system}, o.system);
  visit(field_rule{"architecture", false, value_rule::nonempty}, o.architecture);
  visit(field_rule{"nodeName", true, value_rule::nonempty}, o.node_name);
  visit(field_rule{"release", false, value_rule::nonempty}, o.release);
  visit(field_rule{"memoryInBytes", false, value_rule::positive}, o.memory_in_bytes);
  visit(field_rule{"cpu"}, o.cpu);
}

template <maybe_const<execution> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"makespanInSeconds", true}, o.makespan_in_seconds);
  visit(field_rule{"executedAt", true, value_rule::nonempty}, o.executed_at);
  visit(field_rule{"tasks", true, value_rule::any, true}, o.tasks);
  visit(field_rule{"machines", false, value_rule::any, true}, o.machines);
}

template <maybe_const<workflow> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"specification", true}, o.specification);
  visit(field_rule{"execution"}, o.execution);
}

template <maybe_const<instance> T, class Visit>
constexpr void visit_fields(T& o, Visit&& visit) {
  visit(field_rule{"name", true, value_rule::nonempty}, o.name);
  visit(field_rule{"description", false, value_rule::nonempty}, o.description);
  visit(field_rule{"createdAt", false, value_rule::nonempty}, o.created_at);
  visit(field_rule{"schemaVersion", true, value_rule::version}, o.schema_version);
  visit(field_rule{"runtimeSystem"}, o.runtime);
  visit(field_rule{"author"}, o.author);
  visit(field_rule{"workflow", true}, o.workflow);
}

/// True for the structs of the schema.
template <class T>
concept schema_object = requires(T& t) { t.form.layout; };

/// True if an object has a field with this value; `listed` if its layout names the field. An empty
/// string and an absent number stand for absent fields, as does an empty array that the schema
/// forbids or that was not read from a file.
constexpr bool has_field(const field_rule& rule, const string& member, bool) {
  return rule.required || !member.empty();
}
constexpr bool has_field(const field_rule&, const number& member, bool) {
  return member.is_stated();
}
template <class T>
constexpr bool has_field(const field_rule& rule, const table<T>& member, bool listed) {
  return rule.required || (listed && !rule.nonempty) || !member.empty();
}
template <class T>
constexpr bool has_field(const field_rule&, const std::optional<T>& member, bool) {
  return member.has_value();
}
template <schema_object T>
constexpr bool has_field(const field_rule&, const T&, bool) {
  return true;
}

}  // namespace wf::wfformat::detail
