// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/forms.hpp>

namespace wf::logic::detail {

/// Reads tensors that equations write out: `[[1, 2], [3, 4]]`.
class literal_reader {
 public:
  constexpr literal_reader(const equation_program& p, form_reader& forms)
      : tree_(p), forms_(forms) {}

  /// The extents and entries of a list for a left side of so many indices. False, with an error,
  /// for one of other things than numbers, of lists that differ in length or depth, or of another
  /// depth.
  constexpr bool read(const equation_node& n, std::size_t rank, tensor_literal& to) {
    if (!entries(n, 0, to)) return false;
    return to.extents.size() == rank ||
           forms_.fail(n.offset, (text() << "a list of " << to.extents.size()
                                         << " dimensions stands for " << rank << " indices")
                                     .view());
  }

 private:
  constexpr const equation_node& child(const equation_node& n, std::uint32_t i) const {
    return tree_.nodes[child_of(tree_, n, i)];
  }
  constexpr bool refuse(const equation_node& n) {
    return forms_.fail(n.offset, "a list consists of numbers, or of equal lists");
  }
  // The entries of what stands at a depth; the first of them settle the extents.
  constexpr bool entries(const equation_node& n, std::size_t depth, tensor_literal& to) {
    if (n.kind == equation_kind::list) {
      const bool first = to.values.empty() && depth == to.extents.size();
      if (first) to.extents.push_back(n.children.count);
      if (depth >= to.extents.size() || to.extents[depth] != n.children.count) return refuse(n);
      for (std::uint32_t i = 0; i < n.children.count; ++i)
        if (!entries(child(n, i), depth + 1, to)) return false;
      return true;
    }
    const bool negative = n.kind == equation_kind::negation;
    const equation_node& number = negative ? child(n, 0) : n;
    if (number.kind != equation_kind::number || depth != to.extents.size()) return refuse(n);
    to.values.push_back(negative ? -number.number : number.number);
    return true;
  }

  const equation_program& tree_;
  form_reader& forms_;
};

}  // namespace wf::logic::detail
