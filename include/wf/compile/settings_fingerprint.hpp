// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/fingerprint/graph.hpp>
#include <wf/choice/transform/transform.hpp>
#include <wf/lint/finding.hpp>

namespace wf {

// Fingerprints of the settings of toolchain steps, as far as they are data: caches distinguish
// configurations by them. Code behind function pointers is not covered: after a change of such
// code, change the version of the cached step.

/// A metric counts by its name, unit and rules, and by whether it has a measure.
constexpr void fingerprint(fingerprinter& f, const metric_spec& m) {
  f(m.name, m.unit, m.rule, m.otherwise, m.measure != nullptr);
}

/// A kernel counts by all of its texts, its flags and its laws, and by which of its functions are
/// set.
constexpr void fingerprint(fingerprinter& f, const kernel_spec& k) {
  f(k.name, k.domain, k.signature, k.is_view, k.in_place, k.effects, k.overrides, k.laws, k.cuts,
    k.adjoint);
  f(k.result_shape != nullptr, k.result_dtype != nullptr, k.result_properties != nullptr,
    k.reading != nullptr, k.write_adjoint != nullptr);
  for (const cost_formula& c : costs_of(k)) f(c.metric, c.formula);
}

/// A registry counts by its kernels, in any order, and by the size of the second-level cache,
/// on which its times depend.
constexpr void fingerprint(fingerprinter& f, const registry& r) {
  digest128 all;
  for (const kernel_spec* k : r.kernels()) {
    const digest128 one = fingerprint_of(*k);
    all.high += one.high;
    all.low += one.low;
  }
  f(all, r.caches().second);
}

/// A set of lint rules counts by its members, one bit per rule.
constexpr void fingerprint(fingerprinter& f, const lint_rule_set& s) { f(s.bits); }

/// A transform counts by its family, name, repetition, operator and guard.
constexpr void fingerprint(fingerprinter& f, const transform& t) {
  f(t.domain, t.name, t.repeat, t.op, t.guard);
}

}  // namespace wf
