// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/adapt/wfformat/instance.hpp>
#include <wf/adapt/wfformat/relations.hpp>
#include <wf/adapt/wfformat/validate.hpp>
#include <wf/core/json/document.hpp>

namespace wf::wfformat {

namespace detail {

/// A word of a POSIX shell with exactly these characters.
constexpr text shell_word(text_view characters) {
  text out("'");
  for (const char c : characters)
    if (c == '\'')
      out << "'\\''";
    else
      out << c;
  return out << '\'';
}

/// A string of Python with these characters: its escapes include those of JSON, and a byte outside
/// of UTF-8 is one of "surrogateescape".
constexpr text python_string(text_view characters) {
  text out;
  append_json_string(out, characters);
  return out;
}

/// The characters with another text for each `c`.
constexpr text replaced(text_view characters, char c, text_view by) {
  text out;
  for (const char each : characters)
    if (each == c)
      out << by;
    else
      out << each;
  return out;
}

/// A target or prerequisite of make.
constexpr text make_word(text_view file) {
  text out;
  for (const char c : file) {
    if (c == '#' || c == ':') out << '\\';
    out << c;
  }
  return out;
}

/// The files between which a task stands in a build system, which knows tasks by files alone.
struct build_step {
  table<text> inputs;   ///< all files that it waits for
  table<text> outputs;  ///< the files that it writes
  text mark;            ///< a file that is made for it, if it writes none; else empty

  /// The file by which others wait for it.
  constexpr const text& target() const { return outputs.empty() ? mark : outputs[0]; }
};

/// The steps of the tasks. A file that a task both reads and writes is its output alone. A parent
/// of which a task reads no file is awaited by its first file, or its mark.
constexpr table<build_step> build_steps(const specification& all, const relations& r) {
  table<build_step> out(all.tasks.size());
  for (std::uint32_t t = 0; t < out.size(); ++t) {
    for (const std::uint32_t f : r.outputs[t]) out[t].outputs.push_back(all.files[f].id.characters);
    if (out[t].outputs.empty()) out[t].mark << ".wf/" << all.tasks[t].id.view() << ".done";
  }
  for (std::uint32_t t = 0; t < out.size(); ++t) {
    for (const std::uint32_t f : r.inputs[t])
      if (r.producers[f] != t) out[t].inputs.push_back(all.files[f].id.characters);
    for (const std::uint32_t p : r.parents[t]) {
      bool reads = false;
      for (const std::uint32_t f : r.inputs[t]) reads = reads || r.producers[f] == p;
      if (!reads) out[t].inputs.push_back(out[p].target());
    }
  }
  return out;
}

/// The commands that a run recorded.
struct recorded_commands {
  const instance& all;
  const relations& related;

  constexpr result<text> operator()(std::uint32_t t) const {
    const std::uint32_t e = related.executions[t];
    const text_view id = all.workflow.specification.tasks[t].id.view();
    if (e == relations::none || !(*all.workflow.execution).tasks[e].called)
      return make_error(errc::invalid_problem, id, "no command of this task was recorded");
    const command& c = *(*all.workflow.execution).tasks[e].called;
    text out(c.program.view());
    for (const string& argument : c.arguments) out << ' ' << shell_word(argument.view());
    return out;
  }
};

/// A file that is the name of a special target of make, such as ".PHONY".
constexpr bool is_special_target(text_view file) {
  if (file.size() < 2 || file[0] != '.') return false;
  for (std::size_t i = 1; i < file.size(); ++i)
    if ((file[i] < 'A' || file[i] > 'Z') && file[i] != '_') return false;
  return true;
}

/// A rule of make: all outputs are made by one run of the command, in one shell.
constexpr void add_make_rule(text& out, const build_step& s, text_view command) {
  out << '\n';
  for (const text& file : s.outputs) out << make_word(file.view()) << ' ';
  if (s.outputs.empty()) out << make_word(s.mark.view()) << ' ';
  out << "&:";
  for (const text& file : s.inputs) out << ' ' << make_word(file.view());
  out << "\n\tset -e\n";
  text_view last;
  const auto add_folder = [&](text_view file) {
    std::size_t end = file.size();
    while (end > 0 && file[end - 1] != '/') --end;
    const text_view folder{file.data(), end};
    if (folder.empty() || folder == last) return;
    last = folder;
    out << "\tmkdir -p -- " << replaced(shell_word(folder).view(), '$', "$$") << '\n';
  };
  for (const text& file : s.outputs) add_folder(file.view());
  add_folder(s.mark.view());
  const text in_lines = replaced(replaced(command, '$', "$$").view(), '\n', "\n\t");
  out << '\t' << in_lines.view() << '\n';
  if (!s.mark.empty()) out << "\ttouch -- " << shell_word(s.mark.view()) << '\n';
}

/// A rule of Snakemake.
constexpr void add_snakemake_rule(text& out, const build_step& s, std::uint32_t number,
                                  text_view command) {
  out << "\nrule task_" << number << ":\n";
  const auto list = [&](text_view key, const table<text>& files) {
    if (files.empty()) return;
    out << "    " << key << ':';
    for (const text& file : files)
      out << (&file == files.data() ? " " : ", ") << python_string(file.view());
    out << '\n';
  };
  list("input", s.inputs);
  list("output", s.outputs);
  if (!s.mark.empty()) out << "    output: touch(" << python_string(s.mark.view()) << ")\n";
  const text plain = replaced(replaced(command, '{', "{{").view(), '}', "}}");
  out << "    shell: " << python_string(plain.view()) << '\n';
}

}  // namespace detail

/// The workflow of an instance as a Makefile for GNU make 4.3 or later: `make -j 8` runs each task
/// after its parents and the tasks that write its inputs, and after a change of a file only what
/// depends on it. `command_of(task)` is the shell command (POSIX `sh`) of the task with this index:
/// a `text`, or a `result<text>` whose error is returned. It reads and writes the files that the
/// task names, as paths relative to the working directory; their folders are made. A task without
/// files to write is known to have run by an empty file `.wf/ID.done`. Errors: those of
/// `relations_of`; `invalid_problem` for a file with the name of a special target of make.
/// O(size of the instance + parents · inputs of each task).
template <class CommandOf>
constexpr result<text> to_makefile(const instance& all, CommandOf&& command_of) {
  const auto related = relations_of(all);
  if (!related) return related.error();
  const specification& what = all.workflow.specification;
  for (const file& f : what.files)
    if (detail::is_special_target(f.id.view()))
      return make_error(errc::invalid_problem, f.id.view(),
                        "a file has the name of a target of make");
  const auto steps = detail::build_steps(what, *related);
  text out(
      ".DEFAULT_GOAL := .wf/all\n.PHONY: .wf/all\n.SUFFIXES:\n.ONESHELL:\n"
      ".DELETE_ON_ERROR:\nMAKEFLAGS += --no-builtin-rules\n\n.wf/all:");
  for (const auto& s : steps) out << ' ' << detail::make_word(s.target().view());
  out << '\n';
  for (std::uint32_t t = 0; t < steps.size(); ++t) {
    const result<text> command = command_of(t);
    if (!command) return command.error();
    out << "\n# " << what.tasks[t].id.view();
    detail::add_make_rule(out, steps[t], (*command).view());
  }
  return out;
}
/// The same with the commands that the run of the instance recorded. Errors: also
/// `invalid_problem`, naming the task, if there is none.
constexpr result<text> to_makefile(const instance& all) {
  const auto related = relations_of(all);
  if (!related) return related.error();
  return to_makefile(all, detail::recorded_commands{all, *related});
}

/// The workflow of an instance as a Snakefile for Snakemake 7 or later: `snakemake --cores 8` runs
/// it. Commands are those of `to_makefile`, in the shell of Snakemake. Errors: those of
/// `relations_of` and of the commands. O(size of the instance + parents · inputs of each task).
template <class CommandOf>
constexpr result<text> to_snakefile(const instance& all, CommandOf&& command_of) {
  const auto related = relations_of(all);
  if (!related) return related.error();
  const auto steps = detail::build_steps(all.workflow.specification, *related);
  text out("rule all:\n    input:");
  for (const auto& s : steps)
    out << (&s == steps.data() ? " " : ", ") << detail::python_string(s.target().view());
  out << '\n';
  for (std::uint32_t t = 0; t < steps.size(); ++t) {
    const result<text> command = command_of(t);
    if (!command) return command.error();
    out << "\n# " << all.workflow.specification.tasks[t].id.view();
    detail::add_snakemake_rule(out, steps[t], t, (*command).view());
  }
  return out;
}
/// The same with the commands that the run of the instance recorded. Errors: also
/// `invalid_problem`, naming the task, if there is none.
constexpr result<text> to_snakefile(const instance& all) {
  const auto related = relations_of(all);
  if (!related) return related.error();
  return to_snakefile(all, detail::recorded_commands{all, *related});
}

}  // namespace wf::wfformat
