// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/linalg/structure.hpp>
#include <wf/registry/domain/movement.hpp>

// Partial evaluation: only the parts of a product or sum that are read are computed, parts that are
// computed one by one are computed together, and blocks of zeros are skipped.
namespace wf::transforms {

namespace detail {

// Consecutive elements of one dimension of a value.
struct part {
  value_id of = value_id::none;
  std::uint32_t axis = 0;
  std::int64_t start = 0;
  std::int64_t length = 0;

  constexpr std::int64_t end() const { return start + length; }
};

constexpr std::int64_t extent_of(const choice_graph& c, value_id id, std::uint32_t axis) {
  const shape& s = c.type_of(id).shape;
  return axis < s.rank && s[axis].is_fixed() ? s[axis].size() : -1;
}
constexpr std::int64_t integer_of(const choice_graph& c, node_id id, text_view name) {
  const graph_view g = c.view();
  return g.integer_attribute(g[id], name, 0);
}
constexpr std::uint32_t axis_of(const choice_graph& c, node_id id) {
  return static_cast<std::uint32_t>(integer_of(c, id, "axis"));
}

// The part that a slice of fixed extents reads; false if the node is none.
constexpr bool find_part(const choice_graph& c, node_id id, part& out) {
  if (!c.applies(id, kernels::slice)) return false;
  out = {c.inputs_of(id)[0], axis_of(c, id), integer_of(c, id, "start"), 0};
  out.length = extent_of(c, c.result_of(id), out.axis);
  return out.length >= 0 && extent_of(c, out.of, out.axis) >= 0;
}
constexpr result<value_id> add_part(choice_graph& c, const part& p) {
  if (p.start == 0 && p.length == extent_of(c, p.of, p.axis)) return p.of;
  const attribute_value with[] = {attribute_value::integer("axis", p.axis),
                                  attribute_value::integer("start", p.start),
                                  attribute_value::integer("length", p.length)};
  return c.add(kernels::slice, {&p.of, 1}, with);
}
constexpr result<value_id> part_of(choice_graph& c, value_id of, const part& like) {
  return add_part(c, {of, like.axis, like.start, like.length});
}
// Values concatenated along a dimension.
constexpr result<value_id> add_joined(choice_graph& c, view<value_id> values, std::uint32_t axis) {
  const attribute_value with[] = {attribute_value::integer("axis", axis)};
  return c.add(kernels::concat, values, with);
}
constexpr result<nothing> unite_made(choice_graph& c, value_id to, const result<value_id>& made) {
  if (!made) return made.error();
  c.unite(to, *made);
  return nothing{};
}

constexpr bool is_elementwise(const choice_graph& c, node_id id) {
  return c.applies(id, kernels::add) || c.applies(id, kernels::subtract) ||
         c.applies(id, kernels::multiply);
}
constexpr const kernel_spec& elementwise_kernel(const choice_graph& c, node_id id) {
  return c.applies(id, kernels::add)        ? kernels::add
         : c.applies(id, kernels::subtract) ? kernels::subtract
                                            : kernels::multiply;
}
// True if both operands of an elementwise node have the shape of its result, or are scalars.
constexpr bool is_aligned(const choice_graph& c, node_id id) {
  for (value_id operand : c.inputs_of(id)) {
    const shape& s = c.type_of(operand).shape;
    if (s.rank != 0 && !(s == c.type_of(c.result_of(id)).shape)) return false;
  }
  return true;
}

// f(X, Y) elementwise after applying `f` to each operand; scalars stay as they are.
template <class F>
constexpr result<value_id> through_operands(choice_graph& c, node_id id, F f) {
  const kernel_spec& k = elementwise_kernel(c, id);
  value_id operands[] = {c.inputs_of(id)[0], c.inputs_of(id)[1]};
  for (value_id& operand : operands) {
    if (c.type_of(operand).shape.rank == 0) continue;
    const auto made = f(operand);
    if (!made) return made;
    operand = *made;
  }
  return c.add(k, {operands, 2});
}

// --- a part of what is computed ------------------------------------------------------------------

// Rows of A·B are rows of A times B, columns are A times columns of B; likewise for sums,
// transposes, nested slices and concatenations.
constexpr result<value_id> pushed_part(choice_graph& c, node_id from, const part& p) {
  constexpr auto nowhere = value_id::none;
  const value_id first = c.inputs_of(from)[0];
  if (c.applies(from, kernels::matmul)) {
    value_id operands[] = {first, c.inputs_of(from)[1]};
    if (!is_matrix(c, operands[0]) || !is_matrix(c, operands[1])) return nowhere;
    const auto taken = part_of(c, operands[p.axis], p);
    if (!taken) return taken;
    operands[p.axis] = *taken;
    return c.add(kernels::matmul, {operands, 2});
  }
  if (c.applies(from, kernels::solve) && p.axis == 1) {
    const auto taken = part_of(c, c.inputs_of(from)[1], p);
    if (!taken) return taken;
    const value_id operands[] = {first, *taken};
    return c.add(kernels::solve, {operands, 2});
  }
  if (is_elementwise(c, from) && is_aligned(c, from))
    return through_operands(c, from, [&](value_id operand) { return part_of(c, operand, p); });
  if (c.applies(from, kernels::transpose) && is_matrix(c, first)) {
    const auto taken = add_part(c, {first, 1 - p.axis, p.start, p.length});
    return taken ? transposed(c, *taken) : taken;
  }
  if (part inner; find_part(c, from, inner) && inner.axis == p.axis)
    return add_part(c, {inner.of, p.axis, inner.start + p.start, p.length});
  if (c.applies(from, kernels::concat) && axis_of(c, from) == p.axis) {
    std::int64_t begin = 0;  // of the operand, in the result
    for (const value_id operand : c.inputs_of(from)) {
      const std::int64_t length = extent_of(c, operand, p.axis);
      if (length < 0) break;
      if (p.start >= begin && p.end() <= begin + length)
        return add_part(c, {operand, p.axis, p.start - begin, p.length});
      begin += length;
    }
  }
  return nowhere;
}

// An element of the diagonal of a square matrix, as a matrix.
constexpr result<nothing> offer_diagonal_element(choice_graph& c, value_id made, const part& p) {
  if (p.length != 1) return nothing{};
  for (node_id n : c.candidates_of(p.of)) {
    part inner;
    if (!find_part(c, n, inner) || inner.axis == p.axis || inner.length != 1 ||
        inner.start != p.start || extent_of(c, inner.of, 0) != extent_of(c, inner.of, 1))
      continue;
    const auto all = c.add(kernels::diagonal, {&inner.of, 1});
    if (!all) return all.error();
    const auto one = add_part(c, {*all, 0, p.start, 1});
    if (!one) return one.error();
    const attribute_value with[] = {attribute_value::dimension("d0", extent(1)),
                                    attribute_value::dimension("d1", extent(1))};
    if (auto done = unite_made(c, made, c.add(kernels::reshape, {&*one, 1}, with)); !done)
      return done;
  }
  return nothing{};
}

constexpr result<nothing> push_part(choice_graph& c, node_id id) {
  part p;
  if (!find_part(c, id, p)) return nothing{};
  const value_id made = c.result_of(id);
  if (p.length == extent_of(c, p.of, p.axis)) c.unite(made, p.of);
  if (c.type_of(p.of).shape.rank > 2) return nothing{};
  for (node_id from : c.candidates_of(p.of)) {
    const auto pushed = pushed_part(c, from, p);
    if (!pushed) return pushed.error();
    if (*pushed != value_id::none) c.unite(made, *pushed);
  }
  return offer_diagonal_element(c, made, p);
}

// The diagonal of A·B needs no other element of it; likewise for sums and transposes.
constexpr result<nothing> push_diagonal(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id);
  for (node_id from : c.candidates_of(c.inputs_of(id)[0])) {
    const value_id first = c.inputs_of(from)[0];
    if (c.applies(from, kernels::matmul)) {
      const auto whole = offer(c, made, kernels::product_diagonal, first, c.inputs_of(from)[1]);
      if (!whole) return whole.error();
    } else if (c.applies(from, kernels::transpose)) {
      const auto whole = offer(c, made, kernels::diagonal, first);
      if (!whole) return whole.error();
    } else if (is_elementwise(c, from) && is_aligned(c, from)) {
      const auto whole = through_operands(
          c, from, [&](value_id operand) { return c.add(kernels::diagonal, {&operand, 1}); });
      if (auto done = unite_made(c, made, whole); !done) return done;
    }
  }
  return nothing{};
}

// The trace of A·B is the sum of its diagonal.
constexpr result<nothing> push_trace(choice_graph& c, node_id id) {
  for (node_id from : c.candidates_of(c.inputs_of(id)[0])) {
    if (!c.applies(from, kernels::matmul)) continue;
    const value_id operands[] = {c.inputs_of(from)[0], c.inputs_of(from)[1]};
    const auto all = c.add(kernels::product_diagonal, {operands, 2});
    if (!all) return all.error();
    const auto whole = offer(c, c.result_of(id), kernels::reduce_sum, *all);
    if (!whole) return whole.error();
  }
  return nothing{};
}

// --- parts that are computed one by one ----------------------------------------------------------

// Adjacent parts of one value, in order, form one part of it.
constexpr bool find_neighbours(const choice_graph& c, view<value_id> values, std::uint32_t axis,
                               part& out) {
  for (node_id first : c.candidates_of(values[0])) {
    if (!find_part(c, first, out) || out.axis != axis) continue;
    bool all = true;
    for (std::size_t k = 1; all && k < values.size(); ++k) {
      all = false;
      for (node_id n : c.candidates_of(values[k])) {
        part next;
        if (all || !find_part(c, n, next) || next.axis != axis || next.start != out.end() ||
            c.class_of(next.of) != c.class_of(out.of))
          continue;
        out.length += next.length;
        all = true;
      }
    }
    if (all) return true;
  }
  return false;
}

// The products with a common factor that compute the values; the factor is the left one for
// columns, the right one for rows. False if there are none.
constexpr bool find_products(const choice_graph& c, view<value_id> values, std::size_t common,
                             table<node_id>& out) {
  for (node_id first : c.candidates_of(values[0])) {
    if (!c.applies(first, kernels::matmul)) continue;
    const std::uint32_t factor = c.class_of(c.inputs_of(first)[common]);
    out = {first};
    for (std::size_t k = 1; out.size() == k && k < values.size(); ++k)
      for (node_id n : c.candidates_of(values[k]))
        if (c.applies(n, kernels::matmul) && c.class_of(c.inputs_of(n)[common]) == factor) {
          out.push_back(n);
          break;
        }
    if (out.size() == values.size() && is_matrix(c, c.inputs_of(first)[0]) &&
        is_matrix(c, c.inputs_of(first)[1]))
      return true;
  }
  return false;
}

// The vectors that are reshaped to the columns; false if one column is no such vector.
constexpr bool find_vectors(const choice_graph& c, view<value_id> values, table<value_id>& out) {
  for (value_id id : values) {
    const std::size_t before = out.size();
    for (node_id n : c.candidates_of(id))
      if (out.size() == before && c.applies(n, kernels::reshape) &&
          c.type_of(c.inputs_of(n)[0]).shape.rank == 1 && extent_of(c, id, 1) == 1)
        out.push_back(c.inputs_of(n)[0]);
    if (out.size() == before) return false;
  }
  return true;
}

// A·x and A·y side by side are A·(x y); likewise stacked vertically.
constexpr result<nothing> join_parts(choice_graph& c, node_id id) {
  const table<value_id> values(c.inputs_of(id));
  const value_id made = c.result_of(id);
  const std::uint32_t axis = axis_of(c, id);
  if (c.type_of(made).shape.rank > 2) return nothing{};
  if (part whole; find_neighbours(c, values, axis, whole))
    if (auto done = unite_made(c, made, add_part(c, whole)); !done) return done;
  if (!is_matrix(c, made)) return nothing{};
  const std::size_t common = axis == 1 ? 0 : 1;
  if (table<node_id> products; find_products(c, values, common, products)) {
    table<value_id> others;
    for (node_id n : products) others.push_back(c.inputs_of(n)[1 - common]);
    const value_id factor = c.inputs_of(products[0])[common];
    const auto joined = add_joined(c, others, axis);
    if (!joined) return joined.error();
    const auto whole = axis == 1 ? offer(c, made, kernels::matmul, factor, *joined)
                                 : offer(c, made, kernels::matmul, *joined, factor);
    if (!whole) return whole.error();
  }
  if (table<value_id> vectors; axis == 0 && find_vectors(c, values, vectors)) {
    const auto joined = add_joined(c, vectors, 0);
    if (!joined) return joined.error();
    const attribute_value with[] = {attribute_value::dimension("d0", extent(extent_of(c, made, 0))),
                                    attribute_value::dimension("d1", extent(1))};
    if (auto done = unite_made(c, made, c.add(kernels::reshape, {&*joined, 1}, with)); !done)
      return done;
  }
  return nothing{};
}

// --- blocks --------------------------------------------------------------------------------------

// The blocks A (upper left) and B (lower right) of a matrix that is zero elsewhere.
struct blocks {
  value_id upper = value_id::none;
  value_id lower = value_id::none;
};

constexpr bool find_padded(const choice_graph& c, value_id id, bool is_upper, value_id& out) {
  for (node_id n : c.candidates_of(id))
    if (c.applies(n, kernels::pad) && axis_of(c, n) == 1 &&
        integer_of(c, n, is_upper ? "before" : "after") == 0)
      return out = c.inputs_of(n)[0], true;
  return false;
}
constexpr bool find_blocks(const choice_graph& c, value_id id, blocks& out) {
  if (!is_matrix(c, id)) return false;
  for (node_id n : c.candidates_of(id)) {
    if (!c.applies(n, kernels::concat) || axis_of(c, n) != 0 || c.inputs_of(n).size() != 2)
      continue;
    if (find_padded(c, c.inputs_of(n)[0], true, out.upper) &&
        find_padded(c, c.inputs_of(n)[1], false, out.lower) &&
        extent_of(c, out.upper, 1) + extent_of(c, out.lower, 1) == extent_of(c, id, 1))
      return true;
  }
  return false;
}
constexpr bool is_square(const choice_graph& c, value_id id) {
  return extent_of(c, id, 0) >= 0 && extent_of(c, id, 0) == extent_of(c, id, 1);
}

// Properties that both square blocks have hold for the whole, except properties of scalars.
constexpr properties known_of_blocks(const choice_graph& c, const blocks& b) {
  if (!is_square(c, b.upper) || !is_square(c, b.lower)) return {};
  const properties both{c.known_of(b.upper).bits & c.known_of(b.lower).bits};
  return {both.bits & ~properties(positive).bits};
}

constexpr result<value_id> add_blocks(choice_graph& c, const blocks& b) {
  const auto padded = [&](value_id block, std::int64_t before, std::int64_t after) {
    const attribute_value with[] = {attribute_value::integer("axis", 1),
                                    attribute_value::integer("before", before),
                                    attribute_value::integer("after", after)};
    return c.add(kernels::pad, {&block, 1}, with);
  };
  const auto above = padded(b.upper, 0, extent_of(c, b.lower, 1));
  if (!above) return above;
  const auto below = padded(b.lower, extent_of(c, b.upper, 1), 0);
  if (!below) return below;
  const value_id both[] = {*above, *below};
  return add_joined(c, {both, 2}, 0);
}

// The inverse or the transpose, block by block.
constexpr result<nothing> map_blocks(choice_graph& c, node_id id) {
  blocks b;
  if (!find_blocks(c, c.inputs_of(id)[0], b)) return nothing{};
  c.assume(c.inputs_of(id)[0], known_of_blocks(c, b));
  const bool inverts = c.applies(id, kernels::inverse);
  if (inverts && (!is_square(c, b.upper) || !is_square(c, b.lower))) return nothing{};
  const kernel_spec& k = inverts ? kernels::inverse : kernels::transpose;
  for (value_id* block : {&b.upper, &b.lower}) {
    const auto made = c.add(k, {block, 1});
    if (!made) return made.error();
    *block = *made;
  }
  return unite_made(c, c.result_of(id), add_blocks(c, b));
}

// (A ⊕ B)·X stacks A·(the upper rows of X) on B·(the lower ones); likewise for solutions.
constexpr result<nothing> split_by_blocks(choice_graph& c, node_id id, std::size_t side) {
  const value_id whole = c.inputs_of(id)[side], other = c.inputs_of(id)[1 - side];
  blocks b;
  if (!find_blocks(c, whole, b) || c.type_of(other).shape.rank > 2) return nothing{};
  const bool vector = c.type_of(other).shape.rank == 1;
  const bool solves = c.applies(id, kernels::solve);
  if (solves && (!is_square(c, b.upper) || !is_square(c, b.lower))) return nothing{};
  const kernel_spec& k = solves ? kernels::solve : vector ? kernels::matvec : kernels::matmul;
  const std::uint32_t inner = side == 0 ? 1 : 0;  // the summed dimension of the blocks
  const std::int64_t border = extent_of(c, b.upper, inner);
  const value_id block[] = {b.upper, b.lower};
  value_id parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const part taken{other, 1 - inner, i == 0 ? 0 : border, extent_of(c, block[i], inner)};
    const auto read = add_part(c, taken);
    if (!read) return read.error();
    const value_id operands[] = {side == 0 ? block[i] : *read, side == 0 ? *read : block[i]};
    const auto made = c.add(k, {operands, 2});
    if (!made) return made.error();
    parts[i] = *made;
  }
  return unite_made(c, c.result_of(id), add_joined(c, {parts, 2}, 1 - inner));
}
constexpr result<nothing> multiply_blocks(choice_graph& c, node_id id) {
  if (auto done = split_by_blocks(c, id, 0); !done) return done;
  return c.applies(id, kernels::matmul) ? split_by_blocks(c, id, 1) : nothing{};
}

}  // namespace detail

/// A part of a product, sum or transpose from parts of the operands; no other element is computed.
inline constexpr transform push_part{"linalg",           "push_part", "only the part that is read",
                                     &detail::push_part, true,        "slice"};
/// The diagonal of a product or a sum without its other elements.
inline constexpr transform push_diagonal{
    "linalg", "push_diagonal", "only the diagonal", &detail::push_diagonal, true, "diagonal"};
/// The trace of a product from its diagonal.
inline constexpr transform push_trace{
    "linalg", "push_trace", "only the diagonal", &detail::push_trace, true, "trace"};
/// Concatenated products with a common matrix become one product; concatenated parts of one value
/// become one part of it.
inline constexpr transform join_parts{
    "linalg", "join_parts", "one product in place of several", &detail::join_parts, true, "concat"};
/// The inverse of a block-diagonal matrix of two blocks, block by block.
inline constexpr transform invert_blocks{
    "linalg", "invert_blocks", "block by block", &detail::map_blocks, true, "inverse"};
/// The transpose of such a matrix, block by block.
inline constexpr transform transpose_blocks{
    "linalg", "transpose_blocks", "block by block", &detail::map_blocks, true, "transpose"};
/// The product of a block-diagonal matrix and a matrix.
inline constexpr transform multiply_blocks{
    "linalg", "multiply_blocks", "block by block", &detail::multiply_blocks, true, "matmul"};
/// The product of a block-diagonal matrix and a vector.
inline constexpr transform multiply_vector_blocks{
    "linalg", "multiply_vector_blocks", "block by block", &detail::multiply_blocks, true, "matvec"};
/// The solution of a block-diagonal system.
inline constexpr transform solve_blocks{
    "linalg", "solve_blocks", "block by block", &detail::multiply_blocks, true, "solve"};

}  // namespace wf::transforms
