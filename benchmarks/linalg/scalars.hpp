// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <wf/run/values/named_matrices.hpp>

#include <linalg/formula.hpp>

namespace linalg_benchmark {

/// Evaluates the scalars of a formula.
class scalar_values {
 public:
  scalar_values(const formula& f, const wf::named_matrices& inputs)
      : steps_(f.scalar_steps), values_(f.scalars.size(), 1.0) {
    for (std::size_t i = 0; i < f.scalars.size(); ++i)
      if (!f.scalars[i].input.empty()) values_[i] = inputs.find(f.scalars[i].input)->second(0, 0);
  }

  void run() {
    for (const scalar_step& s : steps_)
      values_[s.result] = apply(s, values_[s.left], values_[s.right]);
  }
  template <class Number = double>
  Number get(std::uint32_t scalar) const {
    return static_cast<Number>(values_[scalar]);
  }

 private:
  static long double apply(const scalar_step& s, long double left, long double right) {
    switch (s.operation) {
      case scalar_operation::constant:
        return s.value;
      case scalar_operation::add:
        return left + right;
      case scalar_operation::subtract:
        return left - right;
      case scalar_operation::multiply:
        return left * right;
      case scalar_operation::divide:
        return left / right;
    }
    return 0;
  }

  std::vector<scalar_step> steps_;
  std::vector<long double> values_;
};

}  // namespace linalg_benchmark
