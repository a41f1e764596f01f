// SPDX-License-Identifier: BSL-1.0
#pragma once

// Derivatives of programs by rules, and by central differences of two evaluations.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/gradient/gradient.hpp>
#include <wf/logic/program/unrolled.hpp>

namespace wf_test {

// A dense tensor, or the entries of a sparse one.
struct differentiable_input {
  std::vector<std::int64_t> extents;
  std::vector<double> values;  // NaN: no entry there
};
using differentiable_inputs = std::map<std::string, differentiable_input>;

class differences {
 public:
  differences(const std::string& source, const differentiable_inputs& inputs)
      : source_(source), inputs_(inputs) {}
  wf::logic::evaluation_options options;

  std::uint32_t steps = 0;  // for which the program is unrolled

  // "" if all derivatives of output L agree within a relative difference, else what is wrong.
  std::string problem(double tolerance = 1e-6) {
    auto read = wf::logic::read_program(view(source_), names());
    if (!read) return text(read.error());
    const auto ordered = wf::logic::stratify(*read, view(source_));
    if (!ordered) return text(ordered.error());
    const wf::logic::tensor_program program = wf::logic::unrolled(*ordered, steps);
    wf::gradient_request wanted;
    wanted.output = "L";
    const auto made = wf::logic::gradient(program, wanted);
    if (!made) return text(made.error());
    const auto strata = wf::logic::stratify(*made, view(source_));
    if (!strata) return text(strata.error());
    auto solved = wf::logic::evaluate(*strata, given(), options);
    if (!solved && solved.error().code == wf::errc::not_converged) return "no loss";
    if (!solved) return text(solved.error());
    strata_ = *wf::logic::stratify(program, view(source_));
    if (!std::isfinite(loss())) return "no loss";
    for (auto& [name, t] : inputs_) {
      wf::logic::solved_tensor* const found = solved->find(view("grad_" + name));
      if (found == nullptr) return name + " has no gradient";
      std::size_t entries = 0;
      for (std::size_t i = 0; i < t.values.size(); ++i) {
        if (std::isnan(t.values[i])) continue;
        ++entries;
        if (const std::string wrong = compare(name, t, i, *found, tolerance); !wrong.empty())
          return wrong;
      }
      if (found->size() != entries) return name + " has derivatives where it has no entry";
    }
    return "";
  }

 private:
  static wf::text_view view(const std::string& s) { return {s.data(), s.size()}; }
  static std::string text(const wf::error& e) { return std::string(wf::to_text(e)); }
  wf::table<wf::text_view> names() const {
    wf::table<wf::text_view> out;
    for (const auto& [name, t] : inputs_) out.push_back(view(name));
    return out;
  }
  wf::logic::database given() const {
    wf::logic::database out;
    for (const auto& [name, t] : inputs_) {
      const wf::view<std::int64_t> extents(t.extents.data(), t.extents.size());
      if (std::none_of(t.values.begin(), t.values.end(), [](double v) { return std::isnan(v); })) {
        out.add_dense(view(name), extents, {t.values.data(), t.values.size()});
        continue;
      }
      wf::logic::relation r(static_cast<std::uint32_t>(t.extents.size()), true);
      std::vector<wf::logic::position> at(t.extents.size());
      for (const double v : t.values) {
        if (!std::isnan(v)) r.append(at.data(), v);
        wf::logic::next_position(extents, at.data());
      }
      out.add(view(name), static_cast<wf::logic::relation&&>(r));
    }
    return out;
  }
  double loss() {
    auto solved = wf::logic::evaluate(strata_, given(), options);
    if (!solved) return NAN;
    auto& store = solved->find("L")->store();
    return store.rows() == 0 ? 0 : store.value(0);
  }
  std::string compare(const std::string& name, differentiable_input& t, std::size_t i,
                      wf::logic::solved_tensor& gradient, double tolerance) {
    std::vector<wf::logic::position> at(t.extents.size());
    std::size_t rest = i;
    for (std::size_t c = t.extents.size(); c-- > 0;) {
      at[c] = static_cast<wf::logic::position>(rest % static_cast<std::size_t>(t.extents[c]));
      rest /= static_cast<std::size_t>(t.extents[c]);
    }
    if (!gradient.contains(at.data())) return name + " lacks a derivative";
    const double found = gradient.store().value(gradient.store().find(at.data()));
    const double value = t.values[i], step = 1e-5 * std::max(1.0, std::abs(value));
    t.values[i] = value + step;
    const double above = loss();
    t.values[i] = value - step;
    const double below = loss();
    t.values[i] = value;
    const double wanted = (above - below) / (2 * step);
    if (std::abs(found - wanted) <= tolerance * std::max(1.0, std::abs(wanted))) return "";
    return "entry " + std::to_string(i) + " of " + name + ": " + std::to_string(found) + ", not " +
           std::to_string(wanted);
  }

  std::string source_;
  differentiable_inputs inputs_;
  wf::logic::stratified_program strata_;
};

}  // namespace wf_test
