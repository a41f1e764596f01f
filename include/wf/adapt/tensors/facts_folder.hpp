// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <wf/adapt/tensors/sandbox.hpp>
#include <wf/logic/program/tensor_program.hpp>
#include <wf/logic/relation/facts.hpp>

namespace wf::tensors {

namespace detail {

/// A file of facts of an input.
struct facts_file {
  std::uint32_t tensor = 0;
  text path, contents;
  char separator = '\t';
};

/// True for a whole number that a position can be.
inline bool is_number(text_view field) {
  std::size_t i = !field.empty() && field[0] == '-' ? 1 : 0;
  if (i == field.size() || field.size() > 11) return false;
  for (; i < field.size(); ++i)
    if (field[i] < '0' || field[i] > '9') return false;
  return true;
}

/// Calls `visit(column, field)` for the fields of all lines.
template <class Visit>
void for_each_field(const facts_file& f, Visit visit) {
  const text_view all = f.contents.view();
  std::uint32_t column = 0;
  for (std::size_t first = 0, at = 0; at <= all.size(); ++at) {
    const bool ends = at == all.size() || all[at] == '\n';
    if (!ends && all[at] != f.separator) continue;
    text_view field = all.part(first, at - first);
    if (!field.empty() && field[field.size() - 1] == '\r') field = field.part(0, field.size() - 1);
    if (!(column == 0 && ends && field.empty())) visit(column, field);
    first = at + 1;
    column = ends ? 0 : column + 1;
  }
}

}  // namespace detail

/// Reads the facts of the inputs of a program that `to` does not have from files of their names in
/// a folder: `NAME.tsv`, `NAME.facts` (both separated by tabs) or `NAME.csv`; inputs without a file
/// are left out. A tensor with values has them in its last column. Along an axis where some file
/// has a field that is no whole number, positions are symbols of one domain, which all such axes
/// share. After an error `to` is as it was. Errors, with the path as their subject: those of
/// `sandbox::read` and `parse_facts`. O(size of the files).
inline result<nothing> read_facts(const sandbox& box, const logic::tensor_program& program,
                                  logic::database& to) {
  table<detail::facts_file> files;
  for (std::uint32_t t = 0; t < program.tensors.size(); ++t) {
    const logic::tensor_info& info = program.tensors[t];
    if (info.temporary || !info.ranked || to.find(info.name.view()) != nullptr) continue;
    for (const text_view extension : {text_view(".tsv"), text_view(".facts"), text_view(".csv")}) {
      detail::facts_file f;
      f.tensor = t;
      f.path << info.name.view() << extension;
      f.separator = extension == ".csv" ? ',' : '\t';
      const auto place = box.resolve(f.path.view());
      std::error_code unused;
      if (!place || !std::filesystem::exists(*place, unused)) continue;
      auto contents = box.read(f.path.view());
      if (!contents) return contents.error();
      f.contents = static_cast<text&&>(*contents);
      files.push_back(static_cast<detail::facts_file&&>(f));
      break;
    }
  }
  table<bool> symbolic(program.axes.size());
  for (const detail::facts_file& f : files) {
    const logic::tensor_info& info = program.tensors[f.tensor];
    detail::for_each_field(f, [&](std::uint32_t column, text_view field) {
      if (column < info.rank && !detail::is_number(field))
        symbolic[program.axes_of[info.axes.first + column]] = true;
    });
  }
  logic::database more = to;
  const auto domain = static_cast<std::uint32_t>(more.domains.size());
  bool any = false;
  for (const bool each : symbolic) any = any || each;
  if (any) more.domains.push_back(logic::symbol_domain("symbol"));
  for (const detail::facts_file& f : files) {
    const logic::tensor_info& info = program.tensors[f.tensor];
    logic::fact_format format;
    format.valued = !info.boolean;
    format.separator = f.separator;
    bool symbols = false;
    for (std::uint32_t c = 0; c < info.rank; ++c) {
      const bool own = symbolic[program.axes_of[info.axes.first + c]];
      format.columns.push_back(own ? domain : UINT32_MAX);
      symbols = symbols || own;
    }
    auto read = logic::parse_facts(f.contents.view(), format, more.domains);
    if (!read) {
      error e = read.error();
      e.subject = f.path;
      return e;
    }
    more.add(info.name.view(), static_cast<logic::relation&&>(*read),
             symbols ? format.columns : table<std::uint32_t>());
  }
  to = static_cast<logic::database&&>(more);
  return nothing{};
}

}  // namespace wf::tensors
