// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>

#include <wf/adapt/wfformat/number.hpp>

// The value type of a WfFormat 1.5 file. Its structure and its names are those of the schema,
// https://github.com/wfcommons/WfFormat, so that the path of a field in messages,
// workflow.specification.tasks[3].inputFiles, is that of the member,
// workflow.specification.tasks[3].input_files.

namespace wf::wfformat {

/// A string of a WfFormat file; empty stands for an absent one where the schema allows that.
struct string {
  text characters;  ///< its characters, without escapes
  text spelling;    ///< the characters in JSON if the file does not spell them as wf does

  constexpr string() = default;
  /// A string of these characters.
  constexpr string(text_view value) : characters(value) {}
  /// A string of the characters of a null-terminated one.
  constexpr string(const char* value) : characters(value) {}
  /// A string of the characters of a text.
  constexpr string(const text& value) : characters(value) {}
  /// The characters, valid until the string changes.
  constexpr text_view view() const { return characters; }
  /// True if there are no characters.
  constexpr bool empty() const { return characters.empty(); }
  friend constexpr bool operator==(const string&, const string&) = default;
};

/// The keys of a JSON object in their order, unknown ones included.
struct layout {
  table<string> keys;  ///< as the file has them
  friend constexpr bool operator==(const layout&, const layout&) = default;
};

/// What keeps a JSON object as it was read: the order of its keys, and the fields that the schema
/// does not have. A default one has the order of the schema.
struct object_form {
  std::uint32_t layout = 0;  ///< index into `instance::layouts`; 0: the order of the schema
  table<text> unknown;       ///< JSON of each unknown key of the layout, without white space
  friend constexpr bool operator==(const object_form&, const object_form&) = default;
};

/// The workflow system that ran or described the workflow.
struct runtime_system {
  string name;       ///< such as "Pegasus"
  string version;    ///< version of the system
  string url;        ///< its page, optional
  object_form form;  ///< order of keys, unknown fields
  friend constexpr bool operator==(const runtime_system&, const runtime_system&) = default;
};

/// The person who published the file.
struct author {
  string name;         ///< their name
  string email;        ///< electronic mail address
  string institution;  ///< university or company, optional
  string country;      ///< where they work, optional
  object_form form;    ///< order of keys, unknown fields
  friend constexpr bool operator==(const author&, const author&) = default;
};

/// A task of a workflow.
struct task {
  string name;                 ///< any name
  string id;                   ///< unique among the tasks
  table<string> parents;       ///< ids of the tasks that end before it starts
  table<string> children;      ///< ids of the tasks of which it is a parent
  table<string> input_files;   ///< ids of the files it reads
  table<string> output_files;  ///< ids of the files it writes
  object_form form;            ///< order of keys, unknown fields
  friend constexpr bool operator==(const task&, const task&) = default;
};

/// A file that tasks read or write.
struct file {
  string id;             ///< unique among the files
  number size_in_bytes;  ///< a whole number
  object_form form;      ///< order of keys, unknown fields
  friend constexpr bool operator==(const file&, const file&) = default;
};

/// The tasks of a workflow and their files.
struct specification {
  table<task> tasks;  ///< at least one
  table<file> files;  ///< all files that tasks name
  object_form form;   ///< order of keys, unknown fields
  friend constexpr bool operator==(const specification&, const specification&) = default;
};

/// The program that a task ran.
struct command {
  string program;           ///< its name; some recorders put the whole script here
  table<string> arguments;  ///< what it was called with
  object_form form;         ///< order of keys, unknown fields
  friend constexpr bool operator==(const command&, const command&) = default;
};

/// The record of a task that ran. All fields but the first two are optional.
struct executed_task {
  string id;                      ///< id of the task
  number runtime_in_seconds;      ///< how long it ran
  string executed_at;             ///< when it started
  std::optional<command> called;  ///< field "command": the program
  number core_count;              ///< cores that it needs, at least 1
  number avg_cpu;                 ///< average use of the processor in %
  number read_bytes;              ///< amount of data that it read
  number written_bytes;           ///< amount of data that it wrote
  number memory_in_bytes;         ///< resident set
  number energy_in_kwh;           ///< what it consumed in all
  number avg_power_in_w;          ///< average power
  number priority;                ///< larger is more urgent
  table<string> machines;         ///< names of the machines it ran on
  object_form form;               ///< order of keys, unknown fields
  friend constexpr bool operator==(const executed_task&, const executed_task&) = default;
};

/// The processor of a machine. All fields are optional.
struct processor {
  number core_count;    ///< cores, a whole number
  number speed_in_mhz;  ///< clock, a whole number
  string vendor;        ///< who made it
  object_form form;     ///< order of keys, unknown fields
  friend constexpr bool operator==(const processor&, const processor&) = default;
};

/// A machine on which tasks ran. All fields but its name are optional.
struct machine {
  string node_name;              ///< unique among the machines
  string system;                 ///< "linux", "macos" or "windows"
  string architecture;           ///< such as "x86_64"
  string release;                ///< of its system
  number memory_in_bytes;        ///< its main memory, a whole number
  std::optional<processor> cpu;  ///< its processor
  object_form form;              ///< order of keys, unknown fields
  friend constexpr bool operator==(const machine&, const machine&) = default;
};

/// The record of a run of a workflow.
struct execution {
  number makespan_in_seconds;  ///< from the first start to the last end
  string executed_at;          ///< when it started
  table<executed_task> tasks;  ///< at least one; each is a task of the specification
  table<machine> machines;     ///< machines that tasks name
  object_form form;            ///< order of keys, unknown fields
  friend constexpr bool operator==(const execution&, const execution&) = default;
};

/// A workflow, and the record of its run if there is one.
struct workflow {
  wfformat::specification specification;         ///< what is to be done
  std::optional<wfformat::execution> execution;  ///< what was measured
  object_form form;                              ///< order of keys, unknown fields
  friend constexpr bool operator==(const workflow&, const workflow&) = default;
};

/// A WfFormat file. `parse` (reader.hpp) and `to_json` (writer.hpp) keep all of it: unknown fields,
/// the order of keys, the spelling of numbers and strings. White space alone is lost.
struct instance {
  string name;                             ///< name of the workflow
  string description;                      ///< a sentence or two, optional
  string created_at;                       ///< date of the file, optional
  string schema_version = "1.5";           ///< "1.5"
  std::optional<runtime_system> runtime;   ///< field "runtimeSystem"
  std::optional<wfformat::author> author;  ///< who published it
  wfformat::workflow workflow;             ///< tasks, files, machines
  object_form form;                        ///< order of keys, unknown fields
  table<layout> layouts;                   ///< of all objects; entry 0 is not used
  friend constexpr bool operator==(const instance&, const instance&) = default;
};

}  // namespace wf::wfformat
