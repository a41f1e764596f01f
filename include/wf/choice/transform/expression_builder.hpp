// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/transform.hpp>

namespace wf::transforms::detail {

// Builds expressions in a choice graph; after an error it adds nothing more.
class expression_builder {
 public:
  constexpr explicit expression_builder(choice_graph& c) : choices_(c) {}
  constexpr value_id add(const kernel_spec& k, value_id a, value_id b = value_id::none,
                         value_id c = value_id::none) {
    if (failed_) return a;
    const value_id operands[] = {a, b, c};
    const std::size_t count = b == value_id::none ? 1 : c == value_id::none ? 2 : 3;
    const auto made = choices_.add(k, {operands, count});
    if (made) return *made;
    failed_ = true;
    error_ = made.error();
    return a;
  }
  constexpr void unite(value_id a, value_id b) {
    if (!failed_) choices_.unite(a, b);
  }
  constexpr result<nothing> done() const {
    if (failed_) return error_;
    return nothing{};
  }

 private:
  choice_graph& choices_;
  bool failed_ = false;
  error error_;
};

}  // namespace wf::transforms::detail
