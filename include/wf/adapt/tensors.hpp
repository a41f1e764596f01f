// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/tensors/json.hpp>
#include <wf/adapt/tensors/npz.hpp>
#include <wf/adapt/tensors/safetensors.hpp>
#include <wf/adapt/tensors/sandbox.hpp>
#include <wf/adapt/tensors/tokens.hpp>
#include <wf/logic/evaluate/run_rule.hpp>
#include <wf/logic/evaluate/solution.hpp>
#include <wf/logic/relation/facts.hpp>

namespace wf::tensors {

/// The form in which a source is wanted.
enum class source_kind : std::uint8_t {
  as_stored,  ///< truth values and facts as a relation, everything else as a tensor
  facts,      ///< a relation of the positions whose values are greater than 0
  values,     ///< a tensor, which is 1 at facts
};

/// Any number of indices, for `tensor_source::rank`.
inline constexpr std::uint32_t any_rank = UINT32_MAX;

/// A source of a program: a file, and the tensor that it becomes.
struct tensor_source {
  text_view path;                             ///< beneath the sandbox
  text_view name;                             ///< of the tensor
  std::uint32_t rank = any_rank;              ///< how many indices it must have
  source_kind kind = source_kind::as_stored;  ///< whether it is a relation
  text_view array = {};                       ///< in an archive; else its only one
};

namespace detail {

/// The formats, by extension.
enum class file_format : std::uint8_t {
  npy,
  npz,
  safetensors,
  json,
  jsonl,
  tsv,
  csv,
  txt,
  md,
  unknown,
};

inline file_format format_of(text_view path) {
  constexpr text_view extensions[] = {".npy", ".npz", ".safetensors", ".json", ".jsonl",
                                      ".tsv", ".csv", ".txt",         ".md"};
  std::size_t dot = path.size();
  while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/') --dot;
  const text_view own = dot == 0 ? text_view{} : path.part(dot - 1);
  std::uint8_t f = 0;
  while (f < static_cast<std::uint8_t>(file_format::unknown) && !(extensions[f] == own)) ++f;
  return static_cast<file_format>(f);
}
inline char separator_of(file_format f) { return f == file_format::csv ? ',' : '\t'; }
inline error unknown_format(text_view path, text_view known) {
  return make_error(errc::bad_tensor_file, path, (text("the formats are ") << known).view());
}
inline constexpr text_view readable = ".npy, .npz, .safetensors, .json, .tsv, .csv, .txt and .md",
                           writable = ".npy, .npz, .tsv, .csv and .jsonl";

/// The name of a file without folder and extension.
inline text_view stem_of(text_view path) {
  std::size_t first = path.size();
  while (first > 0 && path[first - 1] != '/') --first;
  std::size_t end = path.size();
  while (end > first && path[end - 1] != '.') --end;
  return end > first + 1 ? path.part(first, end - 1 - first) : path.part(first);
}

/// Reads the facts of a file; without a rank the first line says how many columns they have.
inline result<logic::relation> facts_in(text_view source, char separator, std::uint32_t rank) {
  if (rank == any_rank && source.empty())
    return make_error(errc::facts_syntax, "", "a file without facts does not say their columns");
  if (rank == any_rank) {
    const text_view line = source.part(0, source.find('\n'));
    rank = line.starts_with("true") ? 0 : 1;
    for (const char c : line) rank += c == separator ? 1 : 0;
  }
  // The reader refuses more columns than a relation has.
  logic::fact_format format;
  format.columns = table<std::uint32_t>(rank < max_rank ? rank : max_rank + 1, UINT32_MAX);
  format.separator = separator;
  table<logic::symbol_domain> no_symbols;
  return logic::parse_facts(source, format, no_symbols);
}

/// Turns ones into facts, or facts into ones.
inline logic::relation converted(const logic::relation& from, source_kind kind) {
  const bool valued = kind == source_kind::values;
  if (kind == source_kind::as_stored || from.valued == valued) return from;
  logic::relation out(from.rank, valued);
  logic::position at[max_rank] = {};
  for (std::size_t row = 0; row < from.rows; ++row) {
    from.positions(row, at);
    out.append(at);
  }
  return out;
}

/// Adds what the bytes of a source are to a database without that name.
inline result<nothing> add_source(logic::database& to, const tensor_source& source,
                                  text_view contents) {
  const file_format format = format_of(source.path);
  const auto add_dense = [&](result<dense_tensor> read) -> result<nothing> {
    if (!read) return read.error();
    if (source.kind == source_kind::facts)
      for (double& value : read->values) value = value > 0 ? 1 : 0;
    if (source.kind != source_kind::as_stored) read->boolean = source.kind == source_kind::facts;
    add_to(to, source.name, *read);
    return nothing{};
  };
  switch (format) {
    case file_format::npy:
      return add_dense(parse_npy(bytes_of(contents)));
    case file_format::npz:
      return add_dense(parse_npz(bytes_of(contents), source.array));
    case file_format::safetensors:
      return add_dense(parse_safetensors(bytes_of(contents), source.array));
    case file_format::json:
      return add_dense(parse_json_tensor(contents));
    case file_format::tsv:
    case file_format::csv: {
      auto read = facts_in(contents, separator_of(format), source.rank);
      if (!read) return read.error();
      to.add(source.name, converted(*read, source.kind));
      return nothing{};
    }
    case file_format::txt:
    case file_format::md: {
      const auto read = parse_tokens(contents);
      if (!read) return read.error();
      logic::named_relation& made = add_to(to, source.name, *read);
      made.entries = converted(made.entries, source.kind);
      return nothing{};
    }
    default:
      return unknown_format(source.path, readable);
  }
}

/// The error of a file, which becomes its subject; a member of an archive is named beside it.
inline error in_file(error e, text_view path) {
  if (e.subject == text(path)) return e;
  if (!e.subject.empty()) e.message = text("'") << e.subject.view() << "': " << e.message.view();
  e.subject = text(path);
  return e;
}

}  // namespace detail

/// Reads a source and adds it to the inputs of a program under its name. The extension says what
/// the file is: `.npy`, `.npz`, `.safetensors` and `.json` have a dense tensor (that of an archive
/// as `parse_npz` and `parse_safetensors` say), `.tsv` and `.csv` facts of whole numbers, `.txt`
/// and `.md` tokens, whose words become a domain of symbols. After an error `to` is as it was.
/// Errors, with the path as their subject: those of `sandbox::read` and of the format;
/// `bad_tensor_file` for an unknown extension or another number of indices, `facts_syntax`,
/// `duplicate_name` if there is a tensor of that name. O(size).
inline result<nothing> read_tensor(const sandbox& box, const tensor_source& source,
                                   logic::database& to) {
  if (to.find(source.name) != nullptr)
    return make_error(errc::duplicate_name, source.name, "the program has an input of this name");
  if (detail::format_of(source.path) == detail::file_format::unknown ||
      detail::format_of(source.path) == detail::file_format::jsonl)
    return detail::unknown_format(source.path, detail::readable);
  const auto contents = box.read(source.path);
  if (!contents) return contents.error();
  logic::database read;
  if (const auto r = detail::add_source(read, source, contents->view()); !r)
    return detail::in_file(r.error(), source.path);
  logic::named_relation& made = read.relations[0];
  if (source.rank != any_rank && made.entries.rank != source.rank)
    return make_error(
        errc::bad_tensor_file, source.path,
        (text() << "the tensor has " << made.entries.rank << " indices, not " << source.rank)
            .view());
  const auto first = static_cast<std::uint32_t>(to.domains.size());
  for (std::uint32_t& d : made.domains)
    if (d != UINT32_MAX) d += first;
  for (logic::symbol_domain& d : read.domains)
    to.domains.push_back(static_cast<logic::symbol_domain&&>(d));
  to.relations.push_back(static_cast<logic::named_relation&&>(made));
  return nothing{};
}

/// Reads the tensor of a file alone, named as the file without folder and extension, with the
/// symbols of its positions. Errors: those of `read_tensor` for a source. O(size).
inline result<logic::database> read_tensor(const sandbox& box, text_view path) {
  logic::database out;
  if (const auto r = read_tensor(box, {path, detail::stem_of(path)}, out); !r) return r.error();
  return out;
}

/// Reads all tensors of an archive, `.npz` or `.safetensors`, under their own names: the weights of
/// a model. Errors, with the path as their subject: those of `sandbox::read`, `parse_all_npz` and
/// `parse_all_safetensors`; `bad_tensor_file` for another extension. O(size).
inline result<logic::database> read_tensors(const sandbox& box, text_view path) {
  const detail::file_format format = detail::format_of(path);
  if (format != detail::file_format::npz && format != detail::file_format::safetensors)
    return make_error(errc::bad_tensor_file, path, "an archive is a .npz or .safetensors file");
  const auto contents = box.read(path);
  if (!contents) return contents.error();
  const view<std::uint8_t> bytes = detail::bytes_of(contents->view());
  const auto read =
      format == detail::file_format::npz ? parse_all_npz(bytes) : parse_all_safetensors(bytes);
  if (!read) return detail::in_file(read.error(), path);
  logic::database out;
  for (const dense_tensor& t : *read) add_to(out, t.name.view(), t);
  return out;
}

/// Writes a tensor or relation, whole or not at all. The extension says how: `.npy`, `.npz` and
/// `.jsonl` are dense (`to_dense`, with the value of absent entries); `.tsv` and `.csv` have the
/// positions of facts, or of values that are not 0, in lexicographic order. Errors, with the path
/// as their subject: those of `sandbox::write`, `to_dense` and of the format; `bad_tensor_file` for
/// another extension. O(rank · entries + elements).
inline result<nothing> write_tensor(const sandbox& box, text_view path,
                                    const logic::named_relation& tensor,
                                    std::optional<double> absent = {}) {
  const detail::file_format format = detail::format_of(path);
  if (format == detail::file_format::tsv || format == detail::file_format::csv) {
    logic::relation facts(tensor.entries.rank, false);
    const logic::relation& all = tensor.entries;
    logic::position at[max_rank] = {};
    for (std::size_t row = 0; row < all.rows; ++row) {
      if (all.valued && all.values[row] == 0) continue;
      all.positions(row, at);
      facts.append(at);
    }
    return box.write(path,
                     logic::facts_text(sorted(facts), {}, {}, detail::separator_of(format)).view());
  }
  if (format != detail::file_format::npy && format != detail::file_format::npz &&
      format != detail::file_format::jsonl)
    return detail::unknown_format(path, detail::writable);
  const auto dense = to_dense(tensor, absent);
  if (!dense) return detail::in_file(dense.error(), path);
  if (format == detail::file_format::jsonl) {
    const auto lines = to_jsonl(*dense);
    return lines ? box.write(path, lines->view()) : detail::in_file(lines.error(), path);
  }
  const auto bytes = format == detail::file_format::npz ? to_npz(*dense) : result(to_npy(*dense));
  if (!bytes) return detail::in_file(bytes.error(), path);
  return box.write(path, detail::characters_of(*bytes));
}

/// Writes the greatest values of each row of a tensor as `.jsonl` (`top_to_jsonl`), whole or not at
/// all. Errors, with the path as their subject: those of `sandbox::write`, `to_dense` and
/// `top_to_jsonl`; `bad_tensor_file` for another extension. O(elements · log of a row's).
inline result<nothing> write_top(const sandbox& box, text_view path,
                                 const logic::named_relation& tensor, std::size_t count = 5,
                                 std::optional<double> absent = {}) {
  if (detail::format_of(path) != detail::file_format::jsonl)
    return detail::unknown_format(path, ".jsonl alone, for the greatest values");
  const auto dense = to_dense(tensor, absent);
  if (!dense) return detail::in_file(dense.error(), path);
  const auto lines = top_to_jsonl(*dense, count);
  return lines ? box.write(path, lines->view()) : detail::in_file(lines.error(), path);
}

/// Reads the files that a program names as sources, in order, but for those of inputs that `to`
/// has; a relation of the program gets the positions of values greater than 0. After an error `to`
/// is as it was. Errors: those of `read_tensor`.
inline result<nothing> read_sources(const sandbox& box, const logic::tensor_program& program,
                                    logic::database& to) {
  logic::database more = to;
  for (const logic::tensor_file& f : program.sources) {
    const logic::tensor_info& t = program.tensors[f.tensor];
    if (to.find(t.name.view()) != nullptr) continue;
    const source_kind kind = t.boolean ? source_kind::facts : source_kind::values;
    if (const auto r = read_tensor(box, {f.path.view(), t.name.view(), t.rank, kind}, more); !r)
      return r;
  }
  to = static_cast<logic::database&&>(more);
  return nothing{};
}

/// Writes the results that a program names as sinks to their files, in order. Errors: those of
/// `write_tensor` and `write_top`; files before the one at fault are written.
inline result<nothing> write_sinks(const sandbox& box, const logic::tensor_program& program,
                                   logic::solution& from) {
  for (const logic::tensor_file& f : program.sinks) {
    const logic::tensor_info& info = program.tensors[f.tensor];
    logic::solved_tensor& t = *from.find(info.name.view());
    const logic::named_relation made{info.name, t.entries(), t.domains, t.extents};
    const double absent = logic::detail::zero_of(info);
    if (const auto r = f.top != 0 ? write_top(box, f.path.view(), made, f.top, absent)
                                  : write_tensor(box, f.path.view(), made, absent);
        !r)
      return r;
  }
  return nothing{};
}

}  // namespace wf::tensors
