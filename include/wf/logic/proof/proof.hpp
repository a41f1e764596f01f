// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/tensor_program.hpp>
#include <wf/logic/relation/relation.hpp>

namespace wf::logic {

/// A rule with a binding of its variables, by which a fact holds or to which it adds a summand.
struct derivation {
  std::uint32_t rule = none;      ///< number in the program
  table<std::int64_t> variables;  ///< by number within the rule
  table<std::uint32_t> premises;  ///< by join of the rule: step of the proof
};

/// A fact with the reasons for it.
struct proof_step {
  std::uint32_t tensor = 0;  ///< whose entry it is: number among `tensor_program::tensors`
  table<position> at;        ///< its positions
  double value = 1;          ///< of a tensor with values
  bool present = false;      ///< of `min=` and `max=`: that there is an entry is proved, whatever
                             ///< its value; rules that do not read the value need no more
  std::uint32_t height = 0;  ///< 0 for a fact of the inputs, else 1 more than the highest premise
  bool given = false;        ///< it is a fact of the inputs, or a sum has such a summand
  table<derivation> derivations;  ///< one for a fact that is derived; of a sum or mean all summands
};

/// Why a fact holds, as a graph: each fact that is needed has one step. No proof of the fact is
/// less high. Complements, comparisons and looked-up values are conditions of the rules, not
/// premises.
struct proof {
  table<proof_step> steps;  ///< premises before what they lead to; the last one is the fact
};

/// Why a rule does not derive a fact.
struct missing_premise {
  std::uint32_t rule = none;      ///< number in the program
  std::uint32_t satisfied = 0;    ///< so many of its joins, from the first on, hold together
  bool condition = false;         ///< all joins hold together, but a complement or comparison never
                                  ///< with them
  table<std::int64_t> variables;  ///< a binding for which those hold: the first one that is found
  table<bool> bound;              ///< by variable: whether those bind it
};

}  // namespace wf::logic
