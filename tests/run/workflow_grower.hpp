// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <wf/ir/graph/graph.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/dynamic.hpp>

namespace wf_test {

struct random_workflow_options {
  std::size_t most_nodes = 40;
  std::int64_t most_extent = 4;   // of inputs; above 4 they have at most two dimensions
  bool single_precision = false;  // also elements of type f32, f16 and bf16
  bool factorisations = true;     // inverses, solutions, factors
  bool effects = true;            // barriers, checks and control edges
};

struct random_workflow {
  wf::graph graph;
  wf::named_matrices arguments;
};

// A short list with trivial destruction: the hundreds below compile quickly.
template <class T>
struct short_list {
  T items[8] = {};
  std::size_t count = 0;

  short_list() = default;
  short_list(std::initializer_list<T> list) : short_list(list.begin(), list.end()) {}
  short_list(const T* first, const T* last) {
    while (first != last) push_back(*first++);
  }
  void push_back(const T& item) { items[count++] = item; }
  std::size_t size() const { return count; }
  const T* data() const { return items; }
  const T* begin() const { return items; }
  const T* end() const { return items + count; }
  const T& operator[](std::size_t i) const { return items[i]; }
  const T& back() const { return items[count - 1]; }
};

// Grows a workflow of static shapes node by node, with a bound on the magnitude of every value, so
// that nothing overflows and functions stay within their domains.
class workflow_grower {
 protected:
  using attributes = short_list<wf::attribute_value>;
  using value_list = short_list<wf::value_id>;

  // Facts about a value besides its type.
  struct fact {
    double magnitude = 0;  // upper bound of all magnitudes
    bool exact = false;    // computed without rounding: it may be compared
    int steep = 0;         // number of error-amplifying operators on the path to it
  };
  static constexpr double most = 1e4;
  static constexpr wf::value_id none = wf::value_id::none;

  workflow_grower(std::mt19937_64& random, const random_workflow_options& options)
      : options_(options), graph_("random"), random_(random) {}

  // --- chance ------------------------------------------------------------------------------------

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  std::int64_t any(std::int64_t bound) {
    return static_cast<std::int64_t>(below(static_cast<std::size_t>(bound)));
  }
  bool once_in(std::size_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[below(N)];
  }
  double uniform() { return std::uniform_real_distribution<double>(-2, 2)(random_); }
  wf::shape random_shape(std::size_t most_rank) {
    wf::shape s;
    if (options_.most_extent > 4) most_rank = std::min<std::size_t>(most_rank, 2);
    for (std::size_t rank = below(most_rank + 1); rank > 0; --rank)
      s.push_back(1 + any(options_.most_extent));
    return s;
  }
  wf::dtype random_type() {
    constexpr wf::dtype floats[] = {wf::dtype::f32, wf::dtype::f16, wf::dtype::bf16};
    if (options_.single_precision && once_in(4)) return one_of(floats);
    const std::size_t i = below(8);
    return i == 0 ? wf::dtype::i64 : i == 1 ? wf::dtype::boolean : wf::dtype::f64;
  }

  // --- values ------------------------------------------------------------------------------------

  std::size_t values() const { return graph_.view().values.size(); }
  std::size_t nodes() const { return graph_.view().nodes.size(); }
  wf::value_type type_of(wf::value_id id) const { return graph_[id].type; }
  wf::shape shape_of(wf::value_id id) const { return graph_[id].type.shape; }
  fact fact_of(wf::value_id id) const { return facts_[wf::index_of(id)]; }
  bool is_number(wf::value_id id) const { return type_of(id).type != wf::dtype::boolean; }
  bool is_whole(wf::value_id id) const { return wf::is_integer(type_of(id).type); }

  // A value of at least that rank, usually a recent one; nothing if there is none.
  wf::value_id pick(std::uint32_t rank = 0) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const std::size_t late = values() - 1 - below(std::min<std::size_t>(values(), 6));
      const auto id = static_cast<wf::value_id>(once_in(2) ? below(values()) : late);
      if (shape_of(id).rank >= rank) return id;
    }
    return none;
  }
  wf::value_id pick_floating(std::uint32_t rank = 0) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const wf::value_id id = pick(rank);
      if (id != none && wf::is_floating(type_of(id).type)) return id;
    }
    return none;
  }
  // A value of the same type that broadcasts with `id`: another value, a new constant, or `id`
  // itself.
  wf::value_id partner(wf::value_id id) {
    for (int attempt = 0; attempt < 12; ++attempt) {
      const wf::value_id other = pick();
      if (type_of(other).type == type_of(id).type && broadcasts(shape_of(id), shape_of(other)))
        return other;
    }
    if (!is_number(id) || once_in(3)) return id;
    return constant(static_cast<double>(any(4)) + (is_whole(id) ? 0 : 0.37), type_of(id).type);
  }
  static bool broadcasts(const wf::shape& a, const wf::shape& b) {
    for (std::uint32_t back = 1; back <= std::min(a.rank, b.rank); ++back) {
      const wf::extent x = a[a.rank - back], y = b[b.rank - back];
      if (!(x == y || x == wf::extent(1) || y == wf::extent(1))) return false;
    }
    return true;
  }

  // --- nodes -------------------------------------------------------------------------------------

  // The first result of a new node, or nothing if the operator rejects the operands. The other
  // results follow it.
  wf::value_id add(wf::text_view op, const value_list& operands, fact known,
                   const attributes& with = {}, wf::dtype constant_type = wf::dtype::f64) {
    static const wf::registry registry = wf::builtin_registry();
    const wf::kernel_spec& kernel = *registry.find(op);
    short_list<wf::value_type> in;
    known.steep = kernel.domain == "linalg" && op != "matmul" && op != "transpose" ? 1 : 0;
    if (op == "layer_norm") known.steep = 1;
    for (wf::value_id id : operands) {
      if (id == none) return none;
      in.push_back(type_of(id));
      known.steep = std::max(known.steep, fact_of(id).steep);
    }
    const auto made = wf::infer(kernel, {{in.data(), in.size()}, {with.data(), with.size()}});
    if (!made || known.magnitude > most) return none;
    short_list<wf::value_type> types;
    for (wf::value_type t : made->types()) {
      if (t.type == wf::dtype::unknown) t.type = constant_type;
      if (t.shape.elements() > 300) return none;
      types.push_back(t);
    }
    const wf::node_id n =
        graph_.add_node({.op = op,
                         .domain = kernel.domain,
                         .attributes = {with.data(), with.size()},
                         .effects = kernel.effects},
                        {operands.data(), operands.size()}, {types.data(), types.size()});
    facts_.resize(values(), known);
    if (once_in(10)) graph_.set_name(n, "step" + std::to_string(wf::index_of(n)));
    return wf::graph_view::output_of(graph_[n]);
  }
  wf::value_id constant(double value, wf::dtype type) {
    return add("constant", {}, {std::abs(value), true},
               {wf::attribute_value::floating("value", value)}, type);
  }
  // A value of this shape with all elements equal to a constant.
  wf::value_id filled(const wf::shape& s, double value, wf::dtype type) {
    return add("broadcast_to", {constant(value, type)}, {std::abs(value), true}, extents(s));
  }

  // --- attributes --------------------------------------------------------------------------------

  static wf::attribute_value integer(wf::text_view name, std::int64_t n) {
    return wf::attribute_value::integer(name, n);
  }
  static attributes extents(const wf::shape& s) {
    constexpr const char* names[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
    attributes out;
    for (std::uint32_t d = 0; d < s.rank; ++d)
      out.push_back(wf::attribute_value::dimension(names[d], s[d]));
    return out;
  }
  attributes permutation(std::uint32_t rank, bool shuffled) {
    constexpr const char* names[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
    std::int64_t order[wf::max_rank] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (shuffled) std::shuffle(order, order + rank, random_);
    attributes out;
    for (std::uint32_t d = 0; d < rank; ++d) out.push_back(integer(names[d], order[d]));
    return out;
  }

  // --- inputs, outputs, edges --------------------------------------------------------------------

  void add_input(std::size_t i) {
    const wf::value_type type{random_type(), {}, random_shape(once_in(3) ? 4 : 2)};
    const wf::shape& s = type.shape;
    const std::string name = "in" + std::to_string(i);
    graph_.add_input(name, type);
    facts_.push_back({2, true});
    wf::dynamic_matrix m(s.rank == 0 || s.rank > 2 ? 1 : s[0].size(), 1);
    if (s.rank > 1) m.resize(m.rows(), s.elements() / m.rows());
    for (Eigen::Index k = 0; k < m.size(); ++k)
      m(k) = type.type == wf::dtype::boolean ? static_cast<double>(below(2))
             : wf::is_integer(type.type)     ? static_cast<double>(any(5) - 2)
                                             : uniform();
    arguments_[name] = m;
  }
  // Exports some values twice, and some inputs; values that reach no output remain unused.
  void add_outputs() {
    for (std::size_t i = 0; i < 1 + below(4); ++i) {
      const std::size_t late = values() - 1 - below((values() + 1) / 2);
      graph_.add_output("out" + std::to_string(i),
                        static_cast<wf::value_id>(once_in(4) ? below(values()) : late));
    }
  }
  void add_edges() {
    for (std::size_t i = 0; i < nodes() / 8; ++i) {
      const std::size_t from = below(nodes()), to = below(nodes());
      if (from < to)
        graph_.add_edge(wf::edge_kind::control, static_cast<wf::node_id>(from),
                        static_cast<wf::node_id>(to));
    }
  }

  random_workflow_options options_;
  wf::graph graph_;
  wf::named_matrices arguments_;

 private:
  std::mt19937_64& random_;
  std::vector<fact> facts_;  // by value
};

}  // namespace wf_test
