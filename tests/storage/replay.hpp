// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <wf/storage/plan.hpp>

#include "random_storage.hpp"

// Verifies a storage plan by running the workflow on tokens: every computed element is a distinct
// token, written to the bytes that the plan assigns, and must be there whenever it is read. It uses
// only the plan of wf/storage and the permissions of operators in wf/registry: the readings of
// views are implemented again.
namespace storage_tests {

using index_list = std::vector<std::int64_t>;

inline index_list unravel(const wf::shape& s, std::int64_t i) {
  index_list at(s.rank);
  for (std::size_t d = s.rank; d-- > 0;) {
    at[d] = i % s[d].size();
    i /= s[d].size();
  }
  return at;
}
inline std::int64_t ravel(const wf::shape& s, const index_list& at) {
  std::int64_t i = 0;
  for (std::size_t d = 0; d < s.rank; ++d) i = i * s[d].size() + at[d];
  return i;
}

// The element of the first operand to which element `i` of result `k` of a view refers.
inline std::int64_t element_of_view(const wf::graph_view& g, const wf::node& n, std::uint32_t k,
                                    std::int64_t i) {
  const std::string op(g.op_name(n));
  const wf::shape to = g.values[n.outputs.first + k].type.shape;
  const wf::shape from = g[g.inputs_of(n)[0]].type.shape;
  index_list at = unravel(to, i), source(from.rank);
  const auto integer = [&](const char* name) { return g.integer_attribute(n, name, 0); };
  if (op == "transpose") {
    source = at;
    std::swap(source[from.rank - 1], source[from.rank - 2]);
  } else if (op == "permute") {
    constexpr const char* names[] = {"p0", "p1", "p2", "p3"};
    for (std::size_t d = 0; d < from.rank; ++d)
      source[static_cast<std::size_t>(integer(names[d]))] = at[d];
  } else if (op == "slice") {
    source = at;
    source[static_cast<std::size_t>(integer("axis"))] += integer("start");
  } else if (op == "split") {
    source = at;
    const auto axis = static_cast<std::size_t>(integer("axis"));
    source[axis] += to[axis].size() * k;
  } else if (op == "broadcast_to") {
    for (std::size_t d = 0; d < from.rank; ++d)
      source[d] = from[d].size() == 1 ? 0 : at[to.rank - from.rank + d];
  } else if (op == "rearrange") {
    const std::string equation(g.text_of(g.find_attribute(n, "equation")->characters));
    for (std::size_t d = 0; d < from.rank; ++d)
      source[d] = at[equation.find(equation[d], from.rank + 2) - from.rank - 2];
  } else if (op == "page") {
    source = {integer("at"), at[0], at[1]};
  } else if (op == "border") {
    source = {at[0], k == 0 ? 0 : from[1].size() - 1};
  } else {  // the same elements in the same order
    return i;
  }
  return ravel(from, source);
}

class replay {
 public:
  replay(const wf::graph_view& g, const wf::storage_plan& plan, wf::view<std::int64_t> scratch,
         std::int64_t element_bytes = 0)
      : g_(g), plan_(plan), scratch_(scratch), element_bytes_(element_bytes) {}

  // Runs the workflow; returns the first fault, or "". `inputs_stay`: inputs must not be
  // overwritten.
  std::string run(wf::view<wf::node_id> order, bool inputs_stay = true) {
    bytes_.assign(static_cast<std::size_t>(plan_.bytes), 0);
    tokens_.resize(g_.values.size());
    for (std::uint32_t i = 0; i < g_.values.size(); ++i) {
      if (plan_.offset[i] % bytes_of_element(i) != 0) fail("is not aligned", i);
      if (g_.values[i].producer == wf::node_id::none) create(i);
    }
    for (wf::node_id id : order) run(id);
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (inputs_stay && g_.values[i].producer == wf::node_id::none) check(i, "input");
    for (const wf::output& o : g_.outputs) check(wf::index_of(o.source), "output");
    if (highest_ != plan_.bytes) fail("bytes are promised, another number is used", 0);
    return why_;
  }
  std::size_t overwritten() const { return overwritten_; }
  std::size_t shared() const { return shared_; }

 private:
  std::int64_t bytes_of_element(std::uint32_t i) const {
    return element_bytes_ != 0 ? element_bytes_ : wf::size_of(g_.values[i].type.type);
  }
  std::int64_t elements(std::uint32_t i) const { return g_.values[i].type.shape.elements(); }
  void fail(const std::string& what, std::uint32_t value) {
    if (why_.empty()) why_ = "%" + std::to_string(value) + " " + what;
  }

  // The address of element `e` of a home: matrices are stored by columns, all else in row-major
  // order.
  std::int64_t place(std::uint32_t home, std::int64_t e) const {
    const wf::shape& s = g_.values[home].type.shape;
    if (s.rank == 2) {
      const index_list at = unravel(s, e);
      e = at[1] * s[0].size() + at[0];
    }
    return plan_.offset[home] + e * bytes_of_element(home);
  }
  // The address of element `e` of any value, through views to the home in the plan.
  std::int64_t address(std::uint32_t value, std::int64_t e) const {
    while (wf::index_of(plan_.home[value]) != value) {
      const wf::node& n = g_[g_.values[value].producer];
      e = element_of_view(g_, n, value - n.outputs.first, e);
      value = wf::index_of(g_.inputs_of(n)[0]);
    }
    return place(value, e);
  }

  void write(std::uint32_t home, std::int64_t e, std::int64_t token) {
    const std::int64_t first = place(home, e), end = first + bytes_of_element(home);
    highest_ = std::max(highest_, end);
    if (first < 0 || end > plan_.bytes) return fail("lies outside of the plan", home);
    for (std::int64_t b = first; b < end; ++b) bytes_[static_cast<std::size_t>(b)] = token;
  }
  void create(std::uint32_t home) {
    for (std::int64_t e = 0; e < elements(home); ++e) {
      tokens_[home].push_back(++made_);
      write(home, e, made_);
    }
  }
  bool is_there(std::uint32_t value, std::int64_t e) const {
    const std::int64_t first = address(value, e);
    for (std::int64_t b = first; b < first + bytes_of_element(value); ++b)
      if (bytes_[static_cast<std::size_t>(b)] != tokens_[value][static_cast<std::size_t>(e)])
        return false;
    return true;
  }
  void check(std::uint32_t value, const char* what) {
    for (std::int64_t e = 0; e < elements(value); ++e)
      if (!is_there(value, e)) return fail(std::string(what) + " is no longer there", value);
  }

  void run(wf::node_id id) {
    const wf::node& n = g_[id];
    const wf::kernel_spec* const k = kernels().find(g_.op_name(n));
    if (const std::int64_t bytes = scratch_[wf::index_of(id)]; bytes != 0) {
      const std::int64_t first = plan_.scratch_offset[wf::index_of(id)];
      highest_ = std::max(highest_, first + bytes);
      if (first % 8 != 0 || first + bytes > plan_.bytes) return fail("has bad scratch", 0);
      std::fill_n(bytes_.begin() + first, bytes, -1);
    }
    for (wf::value_id operand : g_.inputs_of(n)) check(wf::index_of(operand), "operand");
    if (k != nullptr && k->is_view) return run_view(n);
    const bool elementwise = k->laws.elementwise && n.outputs.count == 1;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) {
      const std::uint32_t result = n.outputs.first + r;
      if (plan_.home[result] != wf::value_id{result}) return fail("is no view", result);
      if (plan_.overwrites[result] != wf::value_id::none) check_permission(n, *k, r, elementwise);
    }
    if (elementwise) return run_elements(id);
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) create(n.outputs.first + r);
    // Operands that are not overwritten must be readable until the end: results and scratch are
    // elsewhere.
    for (wf::value_id operand : g_.inputs_of(n)) {
      bool taken = false;
      for (std::uint32_t r = 0; r < n.outputs.count; ++r)
        taken = taken || plan_.overwrites[n.outputs.first + r] == operand;
      if (!taken) check(wf::index_of(operand), "operand, after its reader,");
    }
    check_scratch(id);
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) check(n.outputs.first + r, "result");
  }
  void check_scratch(wf::node_id id) {
    const std::int64_t first = plan_.scratch_offset[wf::index_of(id)];
    for (std::int64_t b = 0; b < scratch_[wf::index_of(id)]; ++b)
      if (bytes_[static_cast<std::size_t>(first + b)] != -1)
        fail("a result lies in the scratch of its node", g_[id].outputs.first);
  }
  void run_view(const wf::node& n) {
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) {
      const std::uint32_t result = n.outputs.first + r, from = wf::index_of(g_.inputs_of(n)[0]);
      for (std::int64_t e = 0; e < elements(result); ++e)
        tokens_[result].push_back(
            tokens_[from][static_cast<std::size_t>(element_of_view(g_, n, r, e))]);
      if (plan_.home[result] != wf::value_id{result}) {
        ++shared_;
        continue;
      }
      for (std::int64_t e = 0; e < elements(result); ++e)
        write(result, e, tokens_[result][static_cast<std::size_t>(e)]);
      check(from, "operand, while it is copied,");
    }
  }
  // Computes one element after the other, each from the elements at its position.
  void run_elements(wf::node_id id) {
    const wf::node& n = g_[id];
    const std::uint32_t result = n.outputs.first;
    tokens_[result].resize(static_cast<std::size_t>(elements(result)));
    const wf::shape& s = g_.values[result].type.shape;
    for (std::int64_t e = 0; e < elements(result); ++e) {
      const index_list at = unravel(s, e);
      for (wf::value_id operand : g_.inputs_of(n)) {
        const wf::shape& t = g_[operand].type.shape;
        index_list from;
        for (std::size_t d = 0; d < t.rank; ++d)
          from.push_back(t[d].size() == 1 ? 0 : at[s.rank - t.rank + d]);
        if (!is_there(wf::index_of(operand), ravel(t, from)))
          fail("is overwritten before it is read", wf::index_of(operand));
      }
      tokens_[result][static_cast<std::size_t>(e)] = ++made_;
      write(result, e, made_);
    }
    check(result, "result");
    check_scratch(id);
  }
  // The k-th operand that becomes the k-th result; any operand in place; or elementwise.
  void check_permission(const wf::node& n, const wf::kernel_spec& k, std::uint32_t r,
                        bool elementwise) {
    ++overwritten_;
    const std::uint32_t result = n.outputs.first + r;
    const wf::value_id old = plan_.overwrites[result];
    std::vector<wf::value_id> through;
    const auto s = wf::parse_signature(k.signature);
    for (std::uint32_t p = 0; p < n.inputs.count; ++p)
      if (s->parameters[p].side == wf::side::through) through.push_back(g_.inputs_of(n)[p]);
    const bool allowed =
        !through.empty() ? r < through.size() && through[r] == old : k.in_place || elementwise;
    if (!allowed) fail("overwrites what its operator does not allow", result);
    if (!(g_[old].type.shape == g_.values[result].type.shape))
      return fail("overwrites another shape", result);
    for (std::int64_t e = 0; e < elements(result); ++e)
      if (address(wf::index_of(old), e) != place(result, e))
        return fail("does not lie as what it overwrites", result);
  }

  wf::graph_view g_;
  const wf::storage_plan& plan_;
  wf::view<std::int64_t> scratch_;
  std::int64_t element_bytes_;
  std::vector<std::int64_t> bytes_;                // by byte: the token that it holds
  std::vector<std::vector<std::int64_t>> tokens_;  // by value and element
  std::int64_t made_ = 0, highest_ = 0;
  std::size_t overwritten_ = 0, shared_ = 0;
  std::string why_;
};

}  // namespace storage_tests
