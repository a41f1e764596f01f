// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/choice/graph/choice_graph.hpp>

// Evaluates all values of a graph of products and sums of tensors on random integers modulo 2^64,
// where all orders of a sum are equal, with loops over all indices.
class tensor_values {
 public:
  using elements = std::vector<std::uint64_t>;

  tensor_values(const wf::graph_view& g, std::uint64_t seed) : graph_(g), random_(seed) {
    values_.resize(g.values.size());
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      if (g.values[i].producer != wf::node_id::none) continue;
      values_[i].resize(count_of(g.values[i].type.shape));
      for (std::uint64_t& e : values_[i]) e = random_();
    }
    for (const wf::node& n : g.nodes) compute(n);
  }
  const elements& of(wf::value_id id) const { return values_[wf::index_of(id)]; }

 private:
  static std::size_t count_of(const wf::shape& s) {
    std::size_t count = 1;
    for (std::uint32_t d = 0; d < s.rank; ++d) count *= static_cast<std::size_t>(s[d].size());
    return count;
  }
  const wf::shape& shape_of(wf::value_id id) const { return graph_[id].type.shape; }

  // The sum of products over the letters, one letter per dimension. A dimension of one element with
  // a lower-case letter is broadcast to the extent of that letter.
  void contract(wf::value_id out, const std::vector<wf::value_id>& in,
                const std::vector<std::string>& letters, const std::string& result) {
    std::map<char, std::size_t> extents, at;
    const auto note = [&](const std::string& of, const wf::shape& s) {
      REQUIRE(of.size() == s.rank);
      for (std::uint32_t d = 0; d < s.rank; ++d) {
        std::size_t& e = extents[of[d]];
        e = std::max(e, static_cast<std::size_t>(s[d].size()));
        at[of[d]] = 0;
      }
    };
    for (std::size_t i = 0; i < in.size(); ++i) note(letters[i], shape_of(in[i]));
    note(result, shape_of(out));
    const auto offset = [&](const std::string& of, const wf::shape& s) {
      std::size_t o = 0;
      for (std::uint32_t d = 0; d < s.rank; ++d) {
        const auto size = static_cast<std::size_t>(s[d].size());
        o = o * size + (size == 1 ? 0 : at[of[d]]);
      }
      return o;
    };
    elements& to = values_[wf::index_of(out)];
    to.assign(count_of(shape_of(out)), 0);
    while (true) {
      std::uint64_t product = 1;
      for (std::size_t i = 0; i < in.size(); ++i)
        product *= of(in[i])[offset(letters[i], shape_of(in[i]))];
      to[offset(result, shape_of(out))] += product;
      auto next = at.begin();
      for (; next != at.end() && ++next->second == extents[next->first]; ++next) next->second = 0;
      if (next == at.end()) return;
    }
  }

  void compute(const wf::node& n) {
    const std::string op(graph_.op_name(n));
    CAPTURE(op);
    const auto read = graph_.inputs_of(n);
    const std::vector<wf::value_id> in(read.begin(), read.end());
    const wf::value_id out = wf::graph_view::output_of(n);
    const auto last = [](std::uint32_t rank) {  // letters aligned on the right
      return std::string("stuvwxyz").substr(8 - rank);
    };
    const std::uint32_t rank = shape_of(out).rank;
    if (op == "einsum" || op == "rearrange") {
      const std::string text(graph_.text_of(graph_.find_attribute(n, "equation")->characters));
      const std::size_t arrow = text.find("->"), comma = text.find(',');
      if (op == "rearrange")
        return contract(out, in, {text.substr(0, arrow)}, text.substr(arrow + 2));
      return contract(out, in, {text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1)},
                      text.substr(arrow + 2));
    }
    if (op == "matmul") {
      std::string a = last(shape_of(in[0]).rank), b = last(shape_of(in[1]).rank);
      a.back() = 'k';
      b[b.size() - 2] = 'k';
      return contract(out, in, {a, b}, last(rank));
    }
    if (op == "matvec") return contract(out, in, {"ij", "j"}, "i");
    if (op == "dot") return contract(out, in, {"i", "i"}, "");
    if (op == "outer") return contract(out, in, {"i", "j"}, "ij");
    if (op == "multiply")
      return contract(out, in, {last(shape_of(in[0]).rank), last(shape_of(in[1]).rank)},
                      last(rank));
    if (op == "diagonal") return contract(out, in, {"ii"}, "i");
    if (op == "trace") return contract(out, in, {"ii"}, "");
    if (op == "reshape") return void(values_[wf::index_of(out)] = of(in[0]));
    std::string all = last(shape_of(in[0]).rank), result = all;
    if (op == "transpose") {
      std::swap(result[rank - 1], result[rank - 2]);
    } else if (op == "permute") {
      for (std::uint32_t d = 0; d < rank; ++d)
        result[d] = all[static_cast<std::size_t>(
            graph_.integer_attribute(n, ("p" + std::to_string(d)).c_str(), 0))];
    } else if (op == "sum") {
      const auto axis = graph_.integer_attribute(n, "axis", -1);
      if (axis < 0)
        result.clear();
      else
        result.erase(static_cast<std::size_t>(axis), 1);
    } else {
      FAIL("no evaluation of " << op);
    }
    contract(out, in, {all}, result);
  }

  const wf::graph_view& graph_;
  std::mt19937_64 random_;
  std::vector<elements> values_;
};

// Checks that all candidates of every class compute the same value.
inline void check_tensor_classes(const wf::choice_graph& c, std::uint64_t seed) {
  const wf::graph_view g = c.view();
  const tensor_values computed(g, seed);
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    CAPTURE(i);
    const auto id = static_cast<wf::value_id>(i);
    CHECK((computed.of(id) == computed.of(c.representative(id))));
  }
}
