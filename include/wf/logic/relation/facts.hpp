// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/character.hpp>
#include <wf/core/text/real.hpp>
#include <wf/ir/type/shape.hpp>
#include <wf/logic/relation/database.hpp>

namespace wf::logic {

/// The form of a file of facts.
struct fact_format {
  /// By column: the number of the database's domain whose symbols it has, or UINT32_MAX for a
  /// column of whole numbers.
  table<std::uint32_t> columns;
  bool valued = false;    ///< a last column has the values
  char separator = '\t';  ///< between columns
};

namespace detail {

/// Reads facts, one a line.
class fact_reader {
 public:
  constexpr fact_reader(text_view source, const fact_format& format, table<symbol_domain>& domains)
      : source_(source), format_(format), domains_(domains) {}

  constexpr result<relation> read() {
    relation out(static_cast<std::uint32_t>(format_.columns.size()), format_.valued);
    if (out.rank > max_rank) return fail("a tensor has at most 8 indices");
    while (at_ < source_.size()) {
      starts_.push_back(at_);
      if (!row(out)) return failure_;
    }
    return distinct(out);
  }

 private:
  constexpr error fail(text_view message) {
    return make_error(errc::facts_syntax, "", message, position_at(source_, at_));
  }
  constexpr bool refuse(text_view message) {
    failure_ = fail(message);
    return false;
  }
  constexpr text_view field() const {
    std::size_t end = at_;
    while (end < source_.size() && source_[end] != format_.separator && source_[end] != '\n' &&
           source_[end] != '\r')
      ++end;
    return source_.part(at_, end - at_);
  }

  constexpr bool row(relation& out) {
    position at[max_rank] = {};
    double value = 1;
    for (std::uint32_t c = 0; c < out.rank; ++c) {
      const text_view f = field();
      if (!entry(f, format_.columns[c], at[c])) return false;
      at_ += f.size();
      if ((c + 1 < out.rank || out.valued) && !take(format_.separator))
        return refuse((text() << "a row has " << out.rank + (out.valued ? 1 : 0)
                              << " columns, separated by "
                              << (format_.separator == ',' ? "commas" : "tabulators"))
                          .view());
    }
    if (out.rank == 0 && !out.valued) {
      if (!(field() == "true")) return refuse("a relation without indices has the row: true");
      at_ += 4;
    }
    if (out.valued && !number(value)) return false;
    take('\r');
    if (!take('\n') && at_ < source_.size()) return refuse("the row should end here");
    out.append(at, value);
    return true;
  }
  constexpr bool take(char c) {
    if (at_ == source_.size() || source_[at_] != c) return false;
    ++at_;
    return true;
  }
  constexpr bool number(double& out) {
    const text_view f = field();
    const auto read = parse_real(f);
    if (!read || !(*read - *read == 0)) return refuse("this is not a number");
    out = *read;
    at_ += f.size();
    return true;
  }
  constexpr bool entry(text_view f, std::uint32_t domain, position& out) {
    if (domain != UINT32_MAX) {
      if (f.empty()) return refuse("a symbol is missing");
      out = domains_[domain].add(f);
      return true;
    }
    const bool negative = !f.empty() && f[0] == '-';
    std::int64_t n = 0;
    std::size_t i = negative ? 1 : 0;
    if (i == f.size()) return refuse("a whole number is missing");
    for (; i < f.size(); ++i) {
      if (!wf::detail::is_digit(f[i])) return refuse("this is not a whole number");
      n = n * 10 + (f[i] - '0');
      if (n > (negative ? std::int64_t{1} << 31 : INT32_MAX))
        return refuse("the number does not fit 32 bits");
    }
    out = static_cast<position>(negative ? -n : n);
    return true;
  }
  // Sorts the rows and drops those that repeat others; a position has one value.
  constexpr result<relation> distinct(const relation& all) {
    relation out(all.rank, all.valued);
    for (const std::uint32_t r : sorted_rows(all)) {
      position at[max_rank] = {};
      all.positions(r, at);
      bool same = out.rows != 0;
      for (std::uint32_t c = 0; c < all.rank; ++c) same = same && out.columns[c].back() == at[c];
      if (same && all.valued && all.values[r] != out.values.back())
        return at_ = starts_[r], fail("a position has two values");
      if (!same) out.append(at, all.valued ? all.values[r] : 1);
    }
    return out;
  }

  text_view source_;
  const fact_format& format_;
  table<symbol_domain>& domains_;
  std::size_t at_ = 0;
  table<std::size_t> starts_;  // of the rows
  error failure_;
};

}  // namespace detail

/// Reads facts from a text: one a line, columns separated by tabulators or another character,
/// `true` for a relation without indices. Facts that repeat others count once. New symbols are
/// added to their domains, in the order in which they are met; after an error, too. The result is
/// sorted. Errors: `facts_syntax` with its position. O(length + rows · rank).
constexpr result<relation> parse_facts(text_view source, const fact_format& format,
                                       table<symbol_domain>& domains) {
  return detail::fact_reader(source, format, domains).read();
}

/// The facts of a relation, sorted as it is, in the form that `parse_facts` reads. `domains_of` has
/// the domain of each column, and may be empty. O(entries).
constexpr text facts_text(const relation& r, const table<std::uint32_t>& domains_of = {},
                          const table<symbol_domain>& domains = {}, char separator = '\t') {
  text out;
  for (std::uint32_t row = 0; row < r.rows; ++row) {
    for (std::uint32_t c = 0; c < r.rank; ++c) {
      const position p = r.columns[c][row];
      if (c != 0) out << separator;
      const std::uint32_t d = domains_of.empty() ? UINT32_MAX : domains_of[c];
      if (d != UINT32_MAX && p >= 0 && static_cast<std::size_t>(p) < domains[d].symbols.size())
        out << domains[d].symbols[static_cast<std::size_t>(p)].view();
      else
        out << p;
    }
    if (r.rank == 0 && !r.valued) out << "true";
    if (r.valued && r.rank != 0) out << separator;
    if (r.valued) out << real_text(r.values[row]).view();
    out << '\n';
  }
  return out;
}

}  // namespace wf::logic
