// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/real.hpp>
#include <wf/logic/proof/session.hpp>

namespace wf {

namespace detail {

/// Writes facts and rules of a program.
class fact_writer {
 public:
  /// `source` is the text of the program, for its rules; it may be empty.
  constexpr fact_writer(const logic::proof_session& s, text_view source)
      : session_(s), program_(s.program()), source_(source) {}

  /// A fact: `Path('a',3)`, `D[0,3] = 6`.
  constexpr text fact(const logic::proof_step& s) const {
    text out = entry(s.tensor, [&](std::uint32_t c, text& to) { place(s.tensor, c, s.at[c], to); });
    if (program_.tensors[s.tensor].boolean) return out;
    if (s.present) return out << " has an entry";
    return out << " = " << real_text(s.value).view();
  }
  /// An atom of a rule, with the positions of the variables that are bound.
  constexpr text atom(const logic::rule& r, const logic::atom& a, view<std::int64_t> variables,
                      view<bool> bound) const {
    return entry(a.tensor, [&](std::uint32_t c, text& to) {
      const logic::term& t = program_.terms[a.terms.first + c];
      if (t.kind == logic::term_kind::symbol) {
        to << '\'' << t.symbol.view() << '\'';
      } else if (t.kind == logic::term_kind::constant) {
        to << t.shift;
      } else if (bound[t.variable]) {
        place(a.tensor, c, t.scale * variables[t.variable] + t.shift, to);
      } else {
        to << program_.variables[r.variables.first + t.variable].view();
        if (t.shift > 0) to << '+';
        if (t.shift != 0) to << t.shift;
      }
    });
  }
  /// The line of the source on which a rule stands; its number without a source.
  constexpr text rule(std::uint32_t number) const {
    const logic::rule& r = program_.rules[number];
    const std::uint32_t offset = program_.tensors[r.head.tensor].temporary
                                     ? program_.tensors[r.head.tensor].offset
                                     : r.head.offset;
    if (offset >= source_.size()) return text() << "rule " << number + 1;
    std::size_t first = offset, last = offset;
    const auto ends = [&](std::size_t i) { return source_[i] == '\n' || source_[i] == ';'; };
    while (first > 0 && !ends(first - 1)) --first;
    while (last < source_.size() && !ends(last)) ++last;
    while (first < last && source_[first] == ' ') ++first;
    while (last > first && source_[last - 1] == ' ') --last;
    return text(source_.part(first, last - first));
  }

 private:
  template <class Place>
  constexpr text entry(std::uint32_t tensor, Place place) const {
    const logic::tensor_info& t = program_.tensors[tensor];
    text out(t.name.view());
    if (t.rank == 0 && !t.boolean) return out;
    out << (t.boolean ? '(' : '[');
    for (std::uint32_t c = 0; c < t.rank; ++c) {
      if (c != 0) out << ',';
      place(c, out);
    }
    return out << (t.boolean ? ')' : ']');
  }
  // A position, as its symbol if it has one.
  constexpr void place(std::uint32_t tensor, std::uint32_t column, std::int64_t at,
                       text& to) const {
    const std::uint32_t d = session_.domains_of(tensor)[column];
    if (d != logic::none && at >= 0 &&
        static_cast<std::size_t>(at) < session_.domains()[d].symbols.size())
      to << '\'' << session_.domains()[d].symbols[static_cast<std::size_t>(at)].view() << '\'';
    else
      to << at;
  }

  const logic::proof_session& session_;
  const logic::tensor_program& program_;
  text_view source_;
};

}  // namespace detail

/// A proof as an indented tree, the fact first: each fact with the rule that gives it, its premises
/// beneath; a fact that has stood above is not proved again. `source` is the program's text, for
/// the rules. O(size of the output).
constexpr text proof_text(const logic::proof& p, const logic::proof_session& session,
                          text_view source = {}) {
  const detail::fact_writer write(session, source);
  struct place {
    std::uint32_t step = 0, depth = 0;
  };
  text out;
  table<bool> shown(p.steps.size());
  table<place> open;
  open.push_back({static_cast<std::uint32_t>(p.steps.size() - 1), 0});
  while (!open.empty()) {
    const place at = open.back();
    open.pop_back();
    const logic::proof_step& s = p.steps[at.step];
    for (std::uint32_t i = 0; i < at.depth; ++i) out << "  ";
    out << write.fact(s).view();
    const bool again = shown[at.step] && !s.derivations.empty();
    shown[at.step] = true;
    if (again) {
      out << "  (above)\n";
      continue;
    }
    if (s.given) out << "  given";
    if (s.derivations.size() > 1 || (s.given && !s.derivations.empty()))
      out << "  of " << s.derivations.size() + (s.given ? 1 : 0) << " summands";
    for (const logic::derivation& d : s.derivations)
      if (&d == &s.derivations[0] || d.rule != (&d - 1)->rule)
        out << "  by " << write.rule(d.rule).view();
    out << '\n';
    for (std::size_t d = s.derivations.size(); d-- > 0;)
      for (std::size_t i = s.derivations[d].premises.size(); i-- > 0;)
        open.push_back({s.derivations[d].premises[i], at.depth + 1});
  }
  return out;
}

/// Why a fact does not hold, a rule a line: how far its premises hold, and what is missing. O(size
/// of the output).
constexpr text why_not_text(view<logic::missing_premise> missing,
                            const logic::proof_session& session, text_view source = {}) {
  const detail::fact_writer write(session, source);
  const logic::tensor_program& p = session.program();
  text out;
  if (missing.empty()) out << "no rule has such a head, and no input has the fact\n";
  for (const logic::missing_premise& m : missing) {
    const logic::rule& r = p.rules[m.rule];
    out << write.rule(m.rule).view() << ": ";
    for (std::uint32_t i = 0; i < m.satisfied; ++i)
      out << write.atom(r, p.atoms[r.joins.first + i], m.variables, m.bound).view()
          << (i + 1 < m.satisfied ? ", " : "");
    if (m.satisfied != 0) out << (m.satisfied == 1 ? " holds, but " : " hold, but ");
    if (m.condition)
      out << "a complement or comparison never holds with them";
    else if (m.satisfied < r.joins.count)
      out << "there is no "
          << write.atom(r, p.atoms[r.joins.first + m.satisfied], m.variables, m.bound).view();
    else
      out << "its head stands elsewhere";
    out << '\n';
  }
  return out;
}

}  // namespace wf
