// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/character.hpp>
#include <wf/core/text/text.hpp>
#include <wf/select/proof/proof.hpp>

namespace wf {
namespace detail {

/// The text form of a rule: a word, then those of `first`, `second` and `value` that the rule has,
/// then a colon and its run.
struct proof_rule_form {
  const char* word;
  bool first, second, value, run;
};
inline constexpr proof_rule_form proof_rule_forms[] = {
    {"cyclic", true, false, false, false}, {"subsumed", true, true, false, false},
    {"fold", true, true, false, false},    {"merge", true, true, false, false},
    {"support", true, false, false, true}, {"lemma", false, false, true, true},
    {"row", false, false, false, true},    {"join", true, true, false, false},
    {"cut", false, false, true, true},     {"ring", false, false, false, true},
    {"prices", false, false, true, true},  {"bound", false, false, false, true},
    {"branch", true, true, false, false},  {"cycle", true, false, false, false},
    {"tree", false, false, false, true},
};
inline constexpr const char* proof_status_words[] = {"complete", "not_proven", "not_additive",
                                                     "too_large", "not_recorded"};

/// Reads the text form of a proof, word by word. Functions return false after an error, which the
/// reader keeps.
class proof_reader {
 public:
  constexpr explicit proof_reader(text_view source) : source_(source) {}

  constexpr result<selection_proof> read() {
    if (source_.size() > UINT32_MAX)
      fail(0, "the text of the proof is longer than 4 GiB");
    else if (header())
      while (line()) {
      }
    if (message_.empty()) return static_cast<selection_proof&&>(proof_);
    return make_error(errc::proof_syntax, "", message_.view(), position_at(source_, failed_at_));
  }

 private:
  constexpr bool fail(std::size_t at, text_view message) {
    message_ = text(message);
    failed_at_ = at;
    return false;
  }

  static constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  constexpr void skip_spaces() {
    while (at_ < source_.size() && is_space(source_[at_])) ++at_;
  }
  constexpr bool at_line_end() {
    skip_spaces();
    return at_ == source_.size() || source_[at_] == '\n';
  }
  constexpr bool end_line() {
    if (!at_line_end()) return fail(at_, "unexpected text at the end of the line");
    if (at_ < source_.size()) ++at_;
    return true;
  }
  constexpr text_view word() {
    skip_spaces();
    const std::size_t begin = at_;
    while (at_ < source_.size() && !is_space(source_[at_]) && source_[at_] != '\n') ++at_;
    return source_.part(begin, at_ - begin);
  }
  constexpr bool at_digit() const { return at_ < source_.size() && is_digit(source_[at_]); }

  constexpr bool number(std::int64_t least, std::int64_t most, std::int64_t& out) {
    skip_spaces();
    const std::size_t begin = at_;
    const bool negative = at_ < source_.size() && source_[at_] == '-';
    if (negative) ++at_;
    if (!at_digit()) return fail(begin, "a number is expected");
    int128 value = 0;
    for (; at_digit(); ++at_)
      if (value <= INT64_MAX) value = 10 * value + (source_[at_] - '0');
    if (negative) value = -value;
    if (value < least || value > most) return fail(begin, "the number is out of its range");
    out = static_cast<std::int64_t>(value);
    return true;
  }
  constexpr bool index(std::uint32_t& out) {
    std::int64_t value = 0;
    if (!number(0, UINT32_MAX, value)) return false;
    out = static_cast<std::uint32_t>(value);
    return true;
  }
  constexpr bool character(char wanted, text_view message) {
    skip_spaces();
    if (at_ == source_.size() || source_[at_] != wanted) return fail(at_, message);
    ++at_;
    return true;
  }

  constexpr bool header() {
    if (word() != "wf.selection_proof") return fail(0, "this is no proof of a selection");
    std::int64_t version = 0;
    if (!number(1, 1, version)) return false;
    skip_spaces();
    const std::size_t begin = at_;
    const text_view status = word();
    for (std::uint8_t i = 0; i < sizeof proof_status_words / sizeof *proof_status_words; ++i)
      if (status == proof_status_words[i]) {
        proof_.status = static_cast<proof_status>(i);
        return end_line();
      }
    return fail(begin, "the status of a proof is expected");
  }

  /// Reads a level, a step or an empty line; false at the end of the text too.
  constexpr bool line() {
    while (at_line_end())
      if (at_++ >= source_.size()) return false;
    const std::size_t begin = at_;
    const text_view name = word();
    if (name == "level") {
      proof_.levels.push_back({});
      return number(INT64_MIN, INT64_MAX, proof_.levels.back().value) && end_line();
    }
    if (proof_.levels.empty()) return fail(begin, "a level is expected");
    for (std::uint8_t i = 0; i < sizeof proof_rule_forms / sizeof *proof_rule_forms; ++i)
      if (name == proof_rule_forms[i].word)
        return step(static_cast<proof_rule>(i), proof_rule_forms[i]) && end_line();
    return fail(begin, "a rule is expected");
  }

  constexpr bool step(proof_rule rule, const proof_rule_form& form) {
    proof_level& level = proof_.levels.back();
    proof_step s;
    s.rule = rule;
    if (form.first && !index(s.first)) return false;
    if (form.second && !index(s.second)) return false;
    if (form.value && !number(INT64_MIN, INT64_MAX, s.value)) return false;
    if (form.run && !character(':', "a colon is expected")) return false;
    const bool prices = has_prices(rule);
    const std::size_t first = prices ? level.prices.size() : level.literals.size();
    while (form.run && !at_line_end()) {
      proof_price one;
      if (!index(one.of)) return false;
      if (prices && !(character('=', "an amount is expected") && number(0, INT64_MAX, one.amount)))
        return false;
      ++s.run.count;
      if (prices)
        level.prices.push_back(one);
      else
        level.literals.push_back(one.of);
    }
    if (s.run.count != 0) s.run.first = static_cast<std::uint32_t>(first);
    level.steps.push_back(s);
    return true;
  }

  text_view source_;
  std::size_t at_ = 0;
  selection_proof proof_;
  text message_;
  std::size_t failed_at_ = 0;
};

constexpr void write_step(text& out, const proof_level& level, const proof_step& s) {
  const proof_rule_form& form = proof_rule_forms[static_cast<std::size_t>(s.rule)];
  out << form.word;
  if (form.first) out << ' ' << s.first;
  if (form.second) out << ' ' << s.second;
  if (form.value) out << ' ' << s.value;
  if (form.run) out << " :";
  for (std::uint32_t i = s.run.first; i < s.run.first + s.run.count; ++i)
    if (has_prices(s.rule))
      out << ' ' << level.prices[i].of << '=' << level.prices[i].amount;
    else
      out << ' ' << level.literals[i];
  out << '\n';
}

}  // namespace detail

/// The text form of a proof, one line for each step, suitable for a file; `parse_proof` reads it
/// back.
constexpr text to_text(const selection_proof& proof) {
  text out;
  out << "wf.selection_proof 1 "
      << detail::proof_status_words[static_cast<std::size_t>(proof.status)] << '\n';
  for (const proof_level& level : proof.levels) {
    out << "level " << level.value << '\n';
    for (const proof_step& s : level.steps) detail::write_step(out, level, s);
  }
  return out;
}

/// Reads the text form of a proof, without checking the proof. Errors: `proof_syntax` with the
/// position. O(size).
constexpr result<selection_proof> parse_proof(text_view source) {
  return detail::proof_reader(source).read();
}

}  // namespace wf
