// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>

#include <wf/core/text/view.hpp>
#include <wf/registry/einsum_equation.hpp>
#include <wf/run/kernels/fused_product.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/values/tensor.hpp>

// Contractions of two tensors as matrix products; rows and columns that are not at constant
// distances are gathered by offset: nothing is transposed or copied except by the product.
namespace wf::compute {

namespace detail {

// The letters of a contraction, grouped by their role in a matrix product.
template <class Real>
class product_letters {
 public:
  struct letter {
    char name = 0;
    Eigen::Index extent = 1;
    Eigen::Index stride[3] = {};  // in the result, and in the operands
    bool in[3] = {};
  };
  struct group {
    letter letters[2 * max_rank];
    std::size_t count = 0;
    Eigen::Index size = 1;  // product of the extents

    void add(const letter& l) {
      letters[count++] = l;
      size *= l.extent;
    }
    // Sorts by stride in a tensor, smallest first.
    void sort_by(std::size_t tensor) {
      std::sort(letters, letters + count, [tensor](const letter& x, const letter& y) {
        return x.stride[tensor] < y.stride[tensor];
      });
    }
    bool runs_in(std::size_t tensor) const {
      return std::any_of(letters, letters + count, [tensor](const letter& l) {
        return l.stride[tensor] == 1 && l.extent > 1;
      });
    }
    // The distance of neighbours in a tensor if all are as far apart, else 0.
    Eigen::Index step_in(std::size_t tensor) const {
      Eigen::Index step = 0, next = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const letter& l = letters[k];
        if (l.extent == 1) continue;
        if (l.stride[tensor] == 0 || (step != 0 && l.stride[tensor] != next)) return 0;
        if (step == 0) step = l.stride[tensor];
        next = l.stride[tensor] * l.extent;
      }
      return size == 1 ? 1 : step;
    }
    // Writes the offset of each letter combination in a tensor.
    void write(Eigen::Index* to, std::size_t tensor) const {
      to[0] = 0;
      Eigen::Index done = 1;
      for (std::size_t k = 0; k < count; ++k)
        for (Eigen::Index i = 1, base = done; i < letters[k].extent; ++i)
          for (Eigen::Index j = 0; j < base; ++j)
            to[done++] = to[j] + i * letters[k].stride[tensor];
    }
  };

  // Parses an equation such as "bij,bjk->bik", with the shapes of its tensors.
  product_letters(text_view equation, const tensor_view<Real>& out, const tensor_view<Real>& a,
                  const tensor_view<Real>& b) {
    const einsum_equation parts{equation};
    add(parts.result(), out, 0);
    add(parts.operand(0), a, 1);
    add(parts.operand(1), b, 2);
    for (std::size_t k = 0; k < count_; ++k) {
      const letter& l = all_[k];
      group& of = l.in[0] && l.in[1] && l.in[2] ? batch
                  : !l.in[0]                    ? depth
                  : l.in[1]                     ? rows
                                                : columns;
      of.add(l);
    }
    // Tiles are written along the rows, so the letter with stride 1 in the result must be a row.
    turned = columns.runs_in(0);
    if (turned) std::swap(rows, columns);
    rows.sort_by(0);
    columns.sort_by(0);
    depth.sort_by(depth.runs_in(left()) ? left() : right());
  }
  // Tensor numbers of the left and of the right operand of the product.
  std::size_t left() const { return turned ? 2 : 1; }
  std::size_t right() const { return turned ? 1 : 2; }
  // True if packing pays off.
  bool is_large() const {
    return !is_symbolic_scalar<Real> && depth.size >= 4 && rows.size * columns.size >= 16 &&
           rows.size * columns.size * depth.size >= 2000;
  }
  // Number of offsets.
  Eigen::Index offsets() const { return 2 * (rows.size + columns.size + depth.size); }
  // Elements of scratch storage for the offsets, for any alignment of its start.
  Eigen::Index offset_elements() const {
    constexpr Eigen::Index size = sizeof(Real), each = sizeof(Eigen::Index);
    const Eigen::Index before = std::max(each / size, Eigen::Index{1}) - 1;  // for alignment
    return before + (offsets() * each + size - 1) / size;
  }
  std::int64_t scratch() const {
    if (!is_large()) return 0;
    return offset_elements() + fused_product_scratch<Real>(rows.size, columns.size, depth.size);
  }

  group batch, rows, columns, depth;
  bool turned = false;

 private:
  void add(text_view letters, const tensor_view<Real>& t, std::size_t tensor) {
    for (std::uint32_t d = t.shape.rank; d-- > 0;) {
      letter& l = find(letters[d]);
      l.extent = t.extent(d);
      l.in[tensor] = true;
      l.stride[tensor] += step_along(t, d);
    }
  }
  letter& find(char name) {
    std::size_t k = 0;
    while (k < count_ && all_[k].name != name) ++k;
    if (k == count_) all_[count_++].name = name;
    return all_[k];
  }

  letter all_[3 * max_rank];
  std::size_t count_ = 0;
};

// Calls f(offsets) for each combination of the batch letters, with the offset in each tensor.
template <class Real, class F>
void for_each_batch(const product_letters<Real>& letters, F f) {
  Eigen::Index at[2 * max_rank] = {}, offsets[3] = {};
  for (Eigen::Index i = 0; i < letters.batch.size; ++i) {
    f(offsets);
    for (std::size_t d = 0; d < letters.batch.count; ++d) {
      const auto& l = letters.batch.letters[d];
      const bool ends = ++at[d] == l.extent;
      for (std::size_t t = 0; t < 3; ++t) offsets[t] += (ends ? 1 - l.extent : 1) * l.stride[t];
      if (!ends) break;
      at[d] = 0;
    }
  }
}

// A matrix of elements at constant distances, of which one must be 1; false if it is not.
template <class Element>
bool is_strided(strided_matrix<Element>& out, Element* elements, Eigen::Index rows,
                Eigen::Index columns, Eigen::Index down, Eigen::Index right) {
  const bool by_columns = down == 1 && right >= rows;
  if (!by_columns && (right != 1 || down < columns)) return false;
  out = {elements, rows, columns, by_columns ? right : down, by_columns};
  return true;
}

// Contracts by products of matrices if rows, columns and terms are at constant distances.
template <class Real>
bool contract_plainly(const product_letters<Real>& letters, const tensor_ref<Real>& out,
                      const tensor_view<Real>& a, const tensor_view<Real>& b, Real* scratch) {
  if constexpr (!multiplies_here<Real>) return false;
  const std::size_t on_left = letters.left(), on_right = letters.right();
  const auto &rows = letters.rows, &columns = letters.columns, &depth = letters.depth;
  matrix_ref<Real> to;
  matrix_view<Real> left, right;
  if (!is_strided(to, out.elements, rows.size, columns.size, rows.step_in(0), columns.step_in(0)) ||
      !is_strided(left, letters.turned ? b.elements : a.elements, rows.size, depth.size,
                  rows.step_in(on_left), depth.step_in(on_left)) ||
      !is_strided(right, letters.turned ? a.elements : b.elements, depth.size, columns.size,
                  depth.step_in(on_right), columns.step_in(on_right)))
    return false;
  for_each_batch(letters, [&](const Eigen::Index* offsets) {
    const auto moved = [](auto matrix, Eigen::Index by) {
      matrix.elements += by;
      return matrix;
    };
    multiply<Real>(moved(to, offsets[0]), moved(left, offsets[on_left]),
                   moved(right, offsets[on_right]), scratch);
  });
  return true;
}

// Contracts by products of matrices whose rows and columns are gathered.
template <class Real>
void contract_by_offsets(const product_letters<Real>& letters, const tensor_ref<Real>& out,
                         const tensor_view<Real>& a, const tensor_view<Real>& b, Real* scratch) {
  const auto past = reinterpret_cast<std::uintptr_t>(scratch) % alignof(Eigen::Index);
  Real* const begin = past == 0 ? scratch : scratch + (alignof(Eigen::Index) - past) / sizeof(Real);
  auto* const offsets = new (begin) Eigen::Index[static_cast<std::size_t>(letters.offsets())];
  matrix_sum<Real> to;
  matrix_sum<const Real> left, right;
  Eigen::Index* next = offsets;
  const auto place = [&](matrix_axis& axis, const auto& group, std::size_t tensor) {
    group.write(next, tensor);
    axis.offsets = next;
    next += group.size;
  };
  const std::size_t on_left = letters.left(), on_right = letters.right();
  place(to.rows, letters.rows, 0);
  place(to.columns, letters.columns, 0);
  place(left.rows, letters.rows, on_left);
  place(left.columns, letters.depth, on_left);
  place(right.rows, letters.depth, on_right);
  place(right.columns, letters.columns, on_right);
  const Eigen::Index m = letters.rows.size, n = letters.columns.size, k = letters.depth.size;
  to.add(out.elements, 1, m, n);
  left.add(letters.turned ? b.elements : a.elements, 1, m, k);
  right.add(letters.turned ? a.elements : b.elements, 1, k, n);
  const fused_product<Real> product(m, n, k, scratch + letters.offset_elements());
  Real* const elements = to.elements[0];
  const Real* const from[] = {left.elements[0], right.elements[0]};
  for_each_batch(letters, [&](const Eigen::Index* at) {
    to.elements[0] = elements + at[0];
    left.elements[0] = from[0] + at[on_left];
    right.elements[0] = from[1] + at[on_right];
    product.run(to, 1, left, right);
  });
}

}  // namespace detail

/// Elements of scratch storage that `contract` needs.
template <class Real>
std::int64_t contract_scratch(text_view equation, const shape& out, const shape& a,
                              const shape& b) {
  const detail::product_letters<Real> letters(equation, tensor_view<Real>{out},
                                              tensor_view<Real>{a}, tensor_view<Real>{b});
  detail::product_letters<Real> turned = letters;  // for a column-major result
  std::swap(turned.rows, turned.columns);
  return std::max(letters.scratch(), turned.scratch());
}

/// out = the contraction of a and b by an equation of two operands, as in `tensor_einsum`; large
/// contractions are matrix products without transposition. A letter of only one operand is summed
/// over. Scratch storage: `contract_scratch` elements.
template <class Real>
void contract(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a,
              const given<tensor_view<Real>>& b, text_view equation, given<Real>* scratch) {
  const detail::product_letters<Real> letters(equation, out.view(), a, b);
  if constexpr (is_symbolic_scalar<Real> || std::is_same_v<Real, bool>) {
    tensor_einsum(out, a, b, equation);
  } else {
    if (!letters.is_large()) return tensor_einsum(out, a, b, equation);
    if (detail::contract_plainly(letters, out, a, b, scratch)) return;
    detail::contract_by_offsets(letters, out, a, b, scratch);
  }
}

/// out = a·b for stacks of matrices, with broadcasting of the stacks: `multiply(out, a, b)` for
/// each product of two matrices. Matrices may have any layout.
template <class Real, class Multiply>
  requires std::invocable<const Multiply&, const matrix_ref<Real>&, const matrix_view<Real>&,
                          const matrix_view<Real>&>
void tensor_matmul(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a,
                   const given<tensor_view<Real>>& b, const Multiply& multiply) {
  const std::uint32_t rank = out.shape.rank;
  if (rank == 2) return multiply(matrix(out), matrix(a), matrix(b));
  const Eigen::Index m = out.view().extent(rank - 2), n = out.view().extent(rank - 1);
  const Eigen::Index k = a.extent(a.shape.rank - 1);
  const detail::strides walks[] = {detail::broadcast_strides(a, rank, 2),
                                   detail::broadcast_strides(b, rank, 2)};
  detail::for_each_index(out.shape, rank - 2, walks, [&](Eigen::Index i, const auto& at) {
    multiply(rows_at(out.elements + i * m * n, m, n),
             a.shape.rank == 2 ? matrix(a) : rows_at(a.elements + at[0], m, k),
             b.shape.rank == 2 ? matrix(b) : rows_at(b.elements + at[1], k, n));
  });
}
/// The same by wf's kernels. Scratch storage: as for `add_product`, per product.
template <class Real>
void tensor_matmul(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a,
                   const given<tensor_view<Real>>& b, given<Real>* scratch = nullptr) {
  tensor_matmul(out, a, b,
                [&](const matrix_ref<Real>& c, const matrix_view<Real>& left,
                    const matrix_view<Real>& right) { multiply(c, left, right, scratch); });
}

}  // namespace wf::compute
