// SPDX-License-Identifier: BSL-1.0
#pragma once

// Dense inputs in, one tensor out: programs of any dialect, evaluated, or the message of the error.

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/v2.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

namespace wf_test {

// A dense tensor.
struct dense_input {
  std::vector<std::int64_t> extents;
  std::vector<double> values;
};

struct solved_program {
  std::string message;                                 // of an error
  std::map<std::string, wf::logic::relation> tensors;  // by name

  // The values of a tensor in the order of its positions; those that are absent are left out.
  std::vector<double> values(const std::string& name) const {
    const auto found = tensors.find(name);
    std::vector<double> out;
    if (found != tensors.end())
      for (std::size_t i = 0; i < found->second.rows; ++i) out.push_back(found->second.values[i]);
    return out;
  }
};

enum class dialect { own, legacy, v2 };

inline solved_program solve(const std::string& source,
                            const std::map<std::string, dense_input>& inputs,
                            dialect in = dialect::own,
                            const wf::registry& operators = wf::logic::rule_registry(),
                            const wf::logic::evaluation_options& options = {}) {
  solved_program out;
  wf::logic::database given;
  wf::table<wf::text_view> names;
  for (const auto& [name, t] : inputs)
    given.add_dense(wf::text_view(name.data(), name.size()), {t.extents.data(), t.extents.size()},
                    {t.values.data(), t.values.size()});
  for (const auto& r : given.relations) names.push_back(r.name.view());
  const wf::text_view text(source.data(), source.size());
  const auto fail = [&](const wf::error& e) {
    out.message = std::string(e.message.view());
    if (getenv("FULL")) puts(std::string(wf::to_text(e)).c_str());
    return out;
  };
  auto tree = in == dialect::own      ? wf::parse_equations(text)
              : in == dialect::legacy ? wf::parse_legacy_equations(text)
                                      : wf::parse_v2_equations(text);
  if (!tree) return fail(tree.error());
  const auto program = wf::logic::read_program(*tree, text, names, operators);
  if (!program) return fail(program.error());
  const auto strata = wf::logic::stratify(*program, text);
  if (!strata) return fail(strata.error());
  auto solved = wf::logic::evaluate(*strata, given, options, operators);
  if (!solved) return fail(solved.error());
  for (auto& t : solved->tensors) out.tensors[std::string(t.name)] = t.entries();
  return out;
}

// True if the values are those, within a relative difference.
inline bool near(const std::vector<double>& found, const std::vector<double>& wanted,
                 double tolerance = 1e-7) {
  bool same = found.size() == wanted.size();
  for (std::size_t i = 0; same && i < found.size(); ++i)
    same = std::abs(found[i] - wanted[i]) <= tolerance * (1 + std::abs(wanted[i]));
  return same;
}

}  // namespace wf_test
