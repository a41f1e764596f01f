// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/fingerprint/graph.hpp>
#include <wf/choice/transform/transform.hpp>
#include <wf/lint/finding.hpp>

namespace wf {

// What the steps of toolchains are configured by, as far as it is data: caches tell two
// configurations apart by it. The code behind function pointers is not seen: who changes it changes
// the version of what is cached.

/// A metric counts by its name, unit and rules.
constexpr void fingerprint(fingerprinter& f, const metric_spec& m) {
  f(m.name, m.unit, m.rule, m.otherwise, m.measure != nullptr);
}

/// A kernel counts by all of its texts, its flags and its laws.
constexpr void fingerprint(fingerprinter& f, const kernel_spec& k) {
  f(k.name, k.domain, k.signature, k.is_view, k.in_place, k.effects, k.overrides, k.laws, k.cuts);
  f(k.result_shape != nullptr, k.result_dtype != nullptr, k.result_properties != nullptr,
    k.reading != nullptr);
  for (const cost_formula& c : costs_of(k)) f(c.metric, c.formula);
}

/// A registry counts by its kernels, in any order, and by the caches that their times name.
constexpr void fingerprint(fingerprinter& f, const registry& r) {
  digest128 all;
  for (const kernel_spec* k : r.kernels()) {
    const digest128 one = fingerprint_of(*k);
    all.high += one.high;
    all.low += one.low;
  }
  f(all, r.caches().second);
}

/// A set of rules counts by its rules.
constexpr void fingerprint(fingerprinter& f, const lint_rule_set& s) { f(s.bits); }

/// A transform counts by its name and by where it looks.
constexpr void fingerprint(fingerprinter& f, const transform& t) {
  f(t.domain, t.name, t.repeat, t.op, t.guard);
}

}  // namespace wf
