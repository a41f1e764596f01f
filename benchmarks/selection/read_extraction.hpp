// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>

#include <read_json.hpp>
#include <selection/decimal.hpp>
#include <selection/instance.hpp>

namespace selection_benchmark {

/// Reads an e-graph of the extraction-gym: {"nodes": {ID: {"eclass": CLASS, "cost": 1.5,
/// "children": [ID...]}}, "root_eclasses": [CLASS...]}. A child that is a number, or not the id of
/// a node, denotes a class.
class extraction_reader : wf_benchmark::json_reader {
 public:
  explicit extraction_reader(wf::text_view source) : json_reader(source) {}

  wf::result<instance> read() {
    if (fine()) collect_nodes();
    if (fine()) build();
    if (!fine()) return failure();
    return std::move(out_);
  }

 private:
  struct node {
    std::uint32_t owner = 0;
    std::uint32_t children = 0;  ///< index of the JSON array; 0 if absent
    decimal cost{1, 0};
  };
  using numbering = std::unordered_map<std::string_view, std::uint32_t>;

  bool is_name(std::uint32_t at) const {
    return item(at).kind == kind::string || item(at).kind == kind::number;
  }

  void collect_nodes() {
    if (item(0).kind != kind::object) return fail(0, "an e-graph is an object");
    each_member(member(0, "nodes", kind::object),
                [&](std::uint32_t key, std::uint32_t value) { collect_node(key, value); });
  }

  void collect_node(std::uint32_t key, std::uint32_t value) {
    if (item(value).kind != kind::object) return fail(value, "a node is an object");
    const std::uint32_t owner = find(value, "eclass");
    if (owner == 0 || !is_name(owner)) return fail(value, "the node has no class");
    node added{class_of_.emplace(characters(owner), static_cast<std::uint32_t>(class_of_.size()))
                   .first->second,
               find(value, "children"),
               {1, 0}};
    if (added.children != 0 && item(added.children).kind != kind::array)
      return fail(added.children, "the children are no array");
    if (const std::uint32_t cost = find(value, "cost"); cost != 0)
      if (item(cost).kind != kind::number || !read_decimal(characters(cost), added.cost))
        return fail(cost, "the cost is not a number up to 1e17 with at most 9 decimals");
    decimals_ = std::max(decimals_, added.cost.decimals);
    node_of_.emplace(characters(key), static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(added);
  }

  void build() {
    out_.scale = power_of_ten(decimals_);
    out_.objective = out_.problem.add_metric("cost");
    out_.problem.objective = wf::minimise_metric(out_.objective);
    out_.problem.classes = static_cast<std::uint32_t>(class_of_.size());
    std::vector<std::uint32_t> children;
    for (const node& n : nodes_) {
      children.clear();
      if (n.children != 0) each(n.children, [&](std::uint32_t at) { add_child(at, children); });
      std::int64_t cost = 0;
      if (!scaled(n.cost, decimals_, cost))
        return fail(0, "the costs have no common unit in which all are at most 1e17");
      out_.problem.add_candidate(n.owner, children, wf::view(&cost, 1));
    }
    each(member(0, "root_eclasses", kind::array), [&](std::uint32_t at) { add_root(at); });
  }

  void add_child(std::uint32_t at, std::vector<std::uint32_t>& children) {
    if (!is_name(at)) return fail(at, "a child is an id");
    if (item(at).kind == kind::string) {
      if (const auto found = node_of_.find(characters(at)); found != node_of_.end()) {
        children.push_back(nodes_[found->second].owner);
        return;
      }
    }
    const auto found = class_of_.find(characters(at));
    if (found == class_of_.end()) return fail(at, "the child is no node and no class");
    children.push_back(found->second);
  }

  void add_root(std::uint32_t at) {
    if (!is_name(at)) return fail(at, "a root is an id");
    const auto found = class_of_.find(characters(at));
    if (found == class_of_.end())
      ++out_.ignored_roots;
    else
      out_.problem.add_root(found->second);
  }

  numbering class_of_, node_of_;  ///< their keys are views of the document
  std::vector<node> nodes_;
  int decimals_ = 0;
  instance out_;
};

/// Reads an e-graph; errors: `graph_syntax` with its line. O(size).
inline wf::result<instance> read_extraction(wf::text_view source) {
  return extraction_reader(source).read();
}

}  // namespace selection_benchmark
