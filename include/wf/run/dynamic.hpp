// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <wf/ir/validate.hpp>
#include <wf/pass/bind.hpp>
#include <wf/run/operation.hpp>

namespace wf {

/// A matrix of any size, as run-time executors take and give it. A vector is a column, a scalar 1x1;
/// a tensor of more dimensions is a row of its elements in row-major order.
using dynamic_matrix = Eigen::MatrixXd;

/// Matrices by name.
using named_matrices = std::map<std::string, dynamic_matrix, std::less<>>;

namespace detail {

class dynamic_run {
 public:
  explicit dynamic_run(const graph_view& g) : graph_(g) {}

  result<named_matrices> run(const named_matrices& arguments) {
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    values_.resize(graph_.values.size());
    allocate();
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none)
        values_[i] = arguments.find(std::string(graph_.text_of(graph_.values[i].name)))->second;
    for (node_id id : *order)
      if (error e = run_node(id); e.code != errc::none) return e;
    named_matrices out;
    for (const output& o : graph_.outputs)
      out[std::string(graph_.text_of(o.name))] = values_[index_of(o.source)];
    return out;
  }

 private:
  // All results get their storage before anything is computed.
  void allocate() {
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      const shape& s = graph_.values[i].type.shape;
      if (graph_.values[i].producer == node_id::none) continue;
      if (s.rank > 2)
        values_[i].resize(1, static_cast<Eigen::Index>(s.elements()));
      else
        values_[i].resize(s.rank == 0 ? 1 : static_cast<Eigen::Index>(s[0].size()),
                          s.rank < 2 ? 1 : static_cast<Eigen::Index>(s[1].size()));
    }
  }

  error run_node(node_id id) {
    const node& n = graph_[id];
    const opcode op = opcode_of(graph_.op_name(n));
    if (is_rolled_loop(graph_, n))
      return make_error(errc::not_executable, graph_.label(id).view(),
                        "a loop: unroll it first (wf::unroll)");
    bool known = false;
    bool done = false;
    if (graph_.op_name(n) == "conv2d") {
      known = true, done = convolve(n);
    } else if (graph_.op_name(n) == "max_pool2d") {
      known = true, done = pool(n);
    } else if (graph_.op_name(n) == "global_average_pool") {
      known = true, done = average(n);
    } else if (elementwise_on_tensor(n, op)) {
      known = true, done = dispatch(op, n, known);
    } else if (rank_of(n) <= 2) {
      done = dispatch(op, n, known);
    }
    if (!known)
      return make_error(errc::not_executable, graph_.label(id).view(),
                        (text() << "the executor has no implementation of " << graph_.op_name(n)
                                << " for these shapes")
                            .view());
    if (!done)
      return make_error(errc::numerical_failure, graph_.label(id).view(),
                        (text() << graph_.op_name(n)
                                << " failed: a matrix is singular or not positive definite")
                            .view());
    return {};
  }

  // Flat storage serves elementwise operations on tensors of one shape.
  bool elementwise_on_tensor(const node& n, opcode op) const {
    if (op == opcode::reshape) return false;
    if (op > opcode::relu) return false;
    const shape& s = graph_.values[n.outputs.first].type.shape;
    for (value_id operand : graph_.inputs_of(n))
      if (!(graph_[operand].type.shape == s) && graph_[operand].type.shape.rank != 0) return false;
    return true;
  }
  std::uint32_t rank_of(const node& n) const {
    std::uint32_t rank = 0;
    for (value_id operand : graph_.inputs_of(n))
      rank = std::max(rank, graph_[operand].type.shape.rank);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      rank = std::max(rank, graph_.values[n.outputs.first + k].type.shape.rank);
    return rank;
  }

  const dynamic_matrix& in(const node& n, std::uint32_t k) const {
    return values_[index_of(graph_.inputs_of(n)[k])];
  }
  dynamic_matrix& out(const node& n) { return values_[n.outputs.first]; }

  bool dispatch(opcode op, const node& n, bool& known) {
    const node_facts facts = facts_of(graph_, n);
    return dispatch_over(op, n, facts, known,
                         std::make_index_sequence<static_cast<std::size_t>(opcode::unknown)>{});
  }
  template <std::size_t... Op>
  bool dispatch_over(opcode op, const node& n, const node_facts& f, bool& known,
                     std::index_sequence<Op...>) {
    bool done = false;
    ((static_cast<opcode>(Op) == op
          ? (known = true, done = one<static_cast<opcode>(Op)>(n, f), true)
          : false) ||
     ...);
    return done;
  }
  template <opcode Op>
  bool one(const node& n, const node_facts& f) {
    if constexpr (Op == opcode::constant)
      return execute<Op>(out(n), f);
    else if constexpr (is_unary(Op))
      return execute<Op>(out(n), f, in(n, 0));
    else
      return execute<Op>(out(n), f, in(n, 0), in(n, 1));
  }

  Eigen::Index extent_of(value_id id, std::uint32_t d) const {
    return static_cast<Eigen::Index>(graph_[id].type.shape[d].size());
  }

  // Each image's windows become columns of a matrix, and the filters multiply it.
  bool convolve(const node& n) {
    const value_id x = graph_.inputs_of(n)[0], k = graph_.inputs_of(n)[1];
    const value_id y = graph_view::output_of(n);
    const Eigen::Index stride = graph_.integer_attribute(n, "stride", 1);
    const Eigen::Index padding = graph_.integer_attribute(n, "padding", 0);
    const Eigen::Index channels = extent_of(x, 1), height = extent_of(x, 2), width = extent_of(x, 3);
    const Eigen::Index filters = extent_of(k, 0), rows = extent_of(k, 2), columns = extent_of(k, 3);
    const Eigen::Index out_height = extent_of(y, 2), out_width = extent_of(y, 3);
    using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Index window = channels * rows * columns, pixels = out_height * out_width;
    const Eigen::Map<const row_major> weights(values_[index_of(k)].data(), filters, window);
    row_major patches(window, pixels);
    for (Eigen::Index image = 0; image < extent_of(x, 0); ++image) {
      const double* pixel = values_[index_of(x)].data() + image * channels * height * width;
      for (Eigen::Index w = 0; w < window; ++w) {
        const Eigen::Index c = w / (rows * columns), r = w / columns % rows, s = w % columns;
        for (Eigen::Index p = 0; p < pixels; ++p) {
          const Eigen::Index h = p / out_width * stride - padding + r;
          const Eigen::Index v = p % out_width * stride - padding + s;
          const bool inside = h >= 0 && h < height && v >= 0 && v < width;
          patches(w, p) = inside ? pixel[(c * height + h) * width + v] : 0.0;
        }
      }
      Eigen::Map<row_major>(out(n).data() + image * filters * pixels, filters, pixels).noalias() =
          weights * patches;
    }
    return true;
  }

  bool pool(const node& n) {
    const value_id x = graph_.inputs_of(n)[0], y = graph_view::output_of(n);
    const Eigen::Index stride = graph_.integer_attribute(n, "stride", 1);
    const Eigen::Index padding = graph_.integer_attribute(n, "padding", 0);
    const Eigen::Index window = graph_.integer_attribute(n, "window", 1);
    const Eigen::Index height = extent_of(x, 2), width = extent_of(x, 3);
    const Eigen::Index out_height = extent_of(y, 2), out_width = extent_of(y, 3);
    for (Eigen::Index plane = 0; plane < extent_of(x, 0) * extent_of(x, 1); ++plane) {
      const double* pixel = values_[index_of(x)].data() + plane * height * width;
      for (Eigen::Index p = 0; p < out_height * out_width; ++p) {
        double largest = -std::numeric_limits<double>::infinity();
        for (Eigen::Index w = 0; w < window * window; ++w) {
          const Eigen::Index h = p / out_width * stride - padding + w / window;
          const Eigen::Index v = p % out_width * stride - padding + w % window;
          if (h >= 0 && h < height && v >= 0 && v < width)
            largest = std::max(largest, pixel[h * width + v]);
        }
        out(n).data()[plane * out_height * out_width + p] = largest;
      }
    }
    return true;
  }

  bool average(const node& n) {
    const value_id x = graph_.inputs_of(n)[0];
    const Eigen::Index pixels = extent_of(x, 2) * extent_of(x, 3);
    const Eigen::Index channels = extent_of(x, 1);
    for (Eigen::Index plane = 0; plane < extent_of(x, 0) * channels; ++plane)
      out(n)(plane / channels, plane % channels) =
          Eigen::Map<const Eigen::VectorXd>(values_[index_of(x)].data() + plane * pixels, pixels)
              .mean();
    return true;
  }

  graph_view graph_;
  std::vector<dynamic_matrix> values_;
};

// Finds the sizes of symbols in the arguments' shapes, or what does not fit.
inline result<table<symbol_size>> sizes_from(const graph_view& g, const named_matrices& arguments) {
  table<symbol_size> sizes;
  std::size_t inputs = 0;
  for (const value& v : g.values) {
    if (v.producer != node_id::none) continue;
    ++inputs;
    const text_view name = g.text_of(v.name);
    const auto found = arguments.find(std::string(name));
    if (found == arguments.end())
      return make_error(errc::missing_argument, name, "the run needs this input");
    const shape& s = v.type.shape;
    const dynamic_matrix& m = found->second;
    if (s.rank > 2) {
      if (!s.is_static() || s.elements() != m.size() || (m.rows() != 1 && m.cols() != 1))
        return make_error(errc::argument_shape, name,
                          (text() << "it needs the elements of " << to_text(s).view()
                                  << " in one row")
                              .view());
      continue;
    }
    const std::int64_t actual[] = {m.rows(), m.cols()};
    for (std::uint32_t d = 0; d < 2; ++d) {
      const extent wanted = d < s.rank ? s[d] : extent(1);
      bool fits = !wanted.is_fixed() || wanted.size() == actual[d];
      if (wanted.is_symbol()) {
        bool bound = false;
        for (const symbol_size& known : sizes) {
          if (known.name != wanted.name()) continue;
          bound = true;
          fits = known.size == actual[d];
        }
        if (!bound) sizes.push_back({wanted.name(), actual[d]});
      }
      if (!fits)
        return make_error(errc::argument_shape, name,
                          (text() << "it is " << to_text(s).view() << ", not " << actual[0] << 'x'
                                  << actual[1])
                              .view());
    }
  }
  if (inputs == arguments.size()) return sizes;
  for (const auto& [name, m] : arguments) {
    bool known = false;
    for (const value& v : g.values)
      known = known || (v.producer == node_id::none && name == std::string(g.text_of(v.name)));
    if (!known)
      return make_error(errc::unknown_argument, name, "the workflow has no input of this name");
  }
  return sizes;
}

}  // namespace detail

/// Runs any workflow, symbolic or static, in double precision: binds the symbols to the arguments'
/// sizes, allocates every result, computes, and returns the outputs by name. Nothing is returned in
/// part. Errors: `missing_argument`, `unknown_argument`, `argument_shape` (also when one symbol would
/// have two sizes), `not_executable` for an operator without implementation or a loop that was not
/// unrolled, `numerical_failure` naming the node, those of `bind_symbols` and `validate`.
inline result<named_matrices> run_dynamic(const graph_view& g, const named_matrices& arguments) {
  if (auto valid = validate(g); !valid) return valid.error();
  const auto sizes = detail::sizes_from(g, arguments);
  if (!sizes) return sizes.error();
  const auto bound = bind_symbols(g, *sizes);
  if (!bound) return bound.error();
  if (!bound->view().is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "a symbol occurs in no argument, so its size is unknown");
  return detail::dynamic_run(bound->view()).run(arguments);
}

}  // namespace wf
