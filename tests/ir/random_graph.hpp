// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random valid graphs that use every feature of the IR, and single changes of them.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <wf/ir/graph/graph.hpp>

namespace wf_test {

using random_source = std::mt19937_64;

struct random_graph_options {
  std::size_t most_statements = 12;
  bool shuffled = true;  // half of the graphs: nodes may read results of later nodes
};

class random_graph_maker {
 public:
  random_graph_maker(random_source& random, const random_graph_options& options)
      : random_(random), options_(options) {}

  wf::graph make() {
    graph_ = wf::graph(text_at_random());
    plan();
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (is_input_[i]) {
        graph_.add_input((wf::text("in") << i).view(), type());
      } else {
        add_node(i);
      }
    }
    add_edges();
    const std::size_t values = graph_.view().values.size();
    for (std::size_t k = 0; k <= below(3) && values != 0; ++k)
      graph_.add_output((wf::text("out.") << k << '\'').view(),
                        static_cast<wf::value_id>(below(values)));
    return std::move(graph_);
  }

  wf::value_type type() {
    wf::value_type t{static_cast<wf::dtype>(1 + below(wf::dtype_count - 1)), {}, {}};
    if (below(2) == 0)
      t.known = wf::detail::close_properties(static_cast<std::uint32_t>(below(256)));
    for (std::size_t r = below(20) == 0 ? wf::max_rank : below(4); r > 0; --r)
      t.shape.push_back(extent());
    return t;
  }
  wf::extent extent() {
    static constexpr const char* polynomials[] = {
        "M*N", "2*M + 1", "1/2*M**2 - 1/2*M", "M/2*", "42", "N", "", "a \"b\"", " M"};
    switch (below(5)) {
      case 0:
        return wf::extent(static_cast<std::int64_t>(below(100)));
      case 1:
        return wf::extent(std::int64_t{INT64_MAX} - static_cast<std::int64_t>(below(3)));
      case 2:
        return wf::extent(one_of({"M", "N", "batch_0", "_abcdefgh9"}));
      case 3:
        return graph_.add_derived(polynomials[below(std::size(polynomials))]);
      default:
        return wf::extent(7);
    }
  }
  // Text that the forms of a graph must quote: several lines, any bytes, or empty.
  wf::text_view text_at_random() {
    static constexpr char zero[] = "a\0b\x01\x1f\x7f";
    static constexpr wf::text_view texts[] = {
        "",
        "plain",
        "two words",
        "odd \"characters\"\n\\ and # and /\t",
        {zero, 6},
        "gr\xc3\xbc\xc3\x9f\x65 \xe2\x88\x91 \xf0\x9f\x98\x80",
        "\xff\xed\xa0\x80\xc3 not UTF-8",
        "wf.graph 1 \"body\"\ninput \"x\" : f64[3]\r\noutput \"y\" = %0\n",
        "\\ud800 \\n"};
    return texts[below(std::size(texts))];
  }
  std::vector<wf::attribute_value> attributes() {
    std::vector<wf::attribute_value> out;
    const auto integer = [&] {
      return below(2) == 0 ? static_cast<std::int64_t>(random_())
                           : static_cast<std::int64_t>(below(9)) - 4;
    };
    if (below(2) == 0) out.push_back(wf::attribute_value::integer("i", integer()));
    if (below(3) == 0)
      out.push_back(wf::attribute_value::ratio(
          "r", integer(), 1 + static_cast<std::int64_t>(random_() >> (below(2) == 0 ? 1 : 60))));
    if (below(3) == 0) out.push_back(wf::attribute_value::floating("x", real()));
    if (below(2) == 0) out.push_back(wf::attribute_value::string("s", text_at_random()));
    if (below(3) == 0) out.push_back(wf::attribute_value::dimension("d", extent()));
    if (below(9) == 0) out.push_back(wf::attribute_value::string("an odd=\"name", "1/0"));
    std::shuffle(out.begin(), out.end(), random_);
    return out;
  }
  double real() {
    switch (below(4)) {
      case 0:
        return std::bit_cast<double>(random_());
      case 1:
        return static_cast<double>(below(100000)) / 1000;
      case 2:
        return -static_cast<double>(below(3));
      default:
        return std::bit_cast<double>(std::uint64_t{0x7ff0000000000000} +
                                     (std::uint64_t{below(2)} << 51));
    }
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

 private:
  const char* one_of(std::initializer_list<const char*> list) {
    return list.begin()[below(list.size())];
  }
  // Decides which statements are inputs, their numbers of results, and an order of the nodes.
  void plan() {
    const std::size_t statements = below(options_.most_statements + 1);
    std::uint32_t values = 0;
    for (std::size_t i = 0; i < statements; ++i) {
      is_input_.push_back(below(4) == 0);
      results_.push_back(is_input_[i] ? 1 : (below(4) == 0 ? below(4) : 1));
      first_.push_back(values);
      values += static_cast<std::uint32_t>(results_[i]);
    }
    rank_.resize(statements);
    std::iota(rank_.begin(), rank_.end(), std::size_t{0});
    if (options_.shuffled && below(2) == 0) std::shuffle(rank_.begin(), rank_.end(), random_);
  }
  void add_node(std::size_t at) {
    std::vector<wf::value_id> known, operands;
    for (std::size_t i = 0; i < results_.size(); ++i)
      for (std::uint32_t k = 0; k < results_[i]; ++k)
        if (is_input_[i] || rank_[i] < rank_[at])
          known.push_back(static_cast<wf::value_id>(first_[i] + k));
    for (std::size_t k = known.empty() ? 0 : below(4); k > 0; --k)
      operands.push_back(known[below(known.size())]);
    std::vector<wf::value_type> results;
    for (std::size_t k = 0; k < results_[at]; ++k) results.push_back(type());

    const std::vector<wf::attribute_value> list = attributes();
    const wf::text name = wf::text("n") << at;
    wf::node_description d;
    d.op = one_of({"matmul", "relu", "random", "::opaque::module.fn", "odd op"});
    d.domain = one_of({"linalg", "", "control", "user.domain"});
    d.attributes = {list.data(), list.size()};
    if (below(3) == 0) d.name = name.view();
    d.effects = below(2) == 0 ? wf::effect::pure : static_cast<wf::effect>(below(3));
    if (below(4) == 0) d.peer = text_at_random();
    if (below(2) == 0) {
      d.file = one_of({"dir/file.cpp", "other \"file\".cpp", ""});
      d.line = static_cast<std::uint32_t>(below(4) == 0 ? 0xffffffff : below(300));
      d.column = static_cast<std::uint32_t>(below(100));
    }
    const wf::node_id id =
        graph_.add_node(d, {operands.data(), operands.size()}, {results.data(), results.size()});
    node_rank_.push_back(rank_[at]);
    if (below(3) == 0) graph_.add_cost("flops", one_of({"unknown", "2*M**2", "1"}));
    if (below(6) == 0) graph_.add_cost("my metric", text_at_random());
    for (std::uint32_t k = 0; k < results.size(); ++k)
      if (below(4) == 0)
        graph_.set_name(wf::graph_view::output_of(graph_[id], k),
                        below(2) == 0 ? name.view() : text_at_random());
  }
  void add_edges() {
    const std::size_t nodes = node_rank_.size();
    for (std::size_t k = nodes < 2 ? 0 : below(5); k > 0; --k) {
      std::size_t from = below(nodes), to = below(nodes);
      if (node_rank_[from] > node_rank_[to]) std::swap(from, to);
      if (from != to)
        graph_.add_edge(below(2) == 0 ? wf::edge_kind::control : wf::edge_kind::mutate,
                        static_cast<wf::node_id>(from), static_cast<wf::node_id>(to));
    }
  }

  random_source& random_;
  random_graph_options options_;
  wf::graph graph_;
  std::vector<bool> is_input_;          // by statement
  std::vector<std::size_t> results_;    // by statement
  std::vector<std::uint32_t> first_;    // by statement: the first value it defines
  std::vector<std::size_t> rank_;       // by statement: a node reads only results of lower rank
  std::vector<std::size_t> node_rank_;  // by node: the rank of its statement
};

// A random valid graph, which depends on the random numbers alone.
inline wf::graph random_graph(random_source& random, const random_graph_options& options = {}) {
  return random_graph_maker(random, options).make();
}

}  // namespace wf_test
