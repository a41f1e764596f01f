// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <wf/core/result.hpp>
#include <wf/ir/json_document.hpp>

#include <selection/decimal.hpp>
#include <selection/instance.hpp>

namespace selection_benchmark {

/// Reads an e-graph of the extraction-gym: {"nodes": {ID: {"eclass": CLASS, "cost": 1.5,
/// "children": [ID...]}}, "root_eclasses": [CLASS...]}. A child that is written as a number, or is
/// no node's id, is a class.
class extraction_reader {
 public:
  explicit extraction_reader(wf::text_view source)
      : source_(source), json_(wf::parse_json(source)) {}

  wf::result<instance> read() {
    if (!json_) return json_.error();
    if (!collect_nodes() || !build() || !add_roots()) return error_;
    return std::move(out_);
  }

 private:
  struct node {
    std::uint32_t owner = 0;
    std::uint32_t children = 0;  ///< the item of the array; 0 if there is none
    decimal cost{1, 0};
  };
  using numbering = std::unordered_map<std::string_view, std::uint32_t>;

  bool fail(std::uint32_t item, wf::text_view message) {
    error_ = syntax_error(message, wf::position_at(source_, (*json_)[item].offset));
    return false;
  }
  std::string_view characters(std::uint32_t item) const {
    const wf::text_view t = json_->text_of(item);
    return {t.data(), t.size()};
  }
  bool is_name(std::uint32_t item) const {
    const wf::json_kind kind = (*json_)[item].kind;
    return kind == wf::json_kind::string || kind == wf::json_kind::number;
  }
  /// The member of an object that has to be there, of a kind; 0 after an error.
  std::uint32_t member(std::uint32_t object, const char* name, wf::json_kind kind) {
    const std::uint32_t found = json_->find(object, name);
    if (found != 0 && (*json_)[found].kind == kind) return found;
    fail(found == 0 ? object : found,
         (wf::text("'") << name << (found == 0 ? "' is missing" : "' must be ")
                        << (found == 0 ? "" : wf::name_of(kind)))
             .view());
    return 0;
  }

  bool collect_nodes() {
    if ((*json_)[0].kind != wf::json_kind::object) return fail(0, "an e-graph is an object");
    const std::uint32_t nodes = member(0, "nodes", wf::json_kind::object);
    if (nodes == 0) return false;
    std::uint32_t key = wf::json_document::first_of(nodes);
    for (std::uint32_t i = 0; i < (*json_)[nodes].size; ++i, key = (*json_)[key + 1].next)
      if (!collect_node(key)) return false;
    return true;
  }

  bool collect_node(std::uint32_t key) {
    const std::uint32_t value = wf::json_document::value_of(key);
    if ((*json_)[value].kind != wf::json_kind::object) return fail(value, "a node is an object");
    const std::uint32_t owner = json_->find(value, "eclass");
    if (owner == 0 || !is_name(owner)) return fail(value, "the node has no class");
    node added{class_of_.emplace(characters(owner), static_cast<std::uint32_t>(class_of_.size()))
                   .first->second,
               json_->find(value, "children"),
               {1, 0}};
    if (added.children != 0 && (*json_)[added.children].kind != wf::json_kind::array)
      return fail(added.children, "the children are no array");
    if (const std::uint32_t cost = json_->find(value, "cost"); cost != 0)
      if ((*json_)[cost].kind != wf::json_kind::number ||
          !read_decimal(json_->text_of(cost), added.cost))
        return fail(cost, "the cost is not a number with at most 3 decimals");
    decimals_ = std::max(decimals_, added.cost.decimals);
    node_of_.emplace(characters(key), static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(added);
    return true;
  }

  bool build() {
    out_.scale = power_of_ten(decimals_);
    out_.objective = out_.problem.add_metric("cost");
    out_.problem.objective = wf::minimise_metric(out_.objective);
    out_.problem.classes = static_cast<std::uint32_t>(class_of_.size());
    std::vector<std::uint32_t> children;
    for (const node& n : nodes_) {
      children.clear();
      const std::uint32_t count = n.children == 0 ? 0 : (*json_)[n.children].size;
      std::uint32_t item = wf::json_document::first_of(n.children);
      for (std::uint32_t i = 0; i < count; ++i, item = (*json_)[item].next)
        if (!add_child(item, children)) return false;
      const std::int64_t cost = scaled(n.cost, decimals_);
      out_.problem.add_candidate(n.owner, children, wf::view(&cost, 1));
    }
    return true;
  }

  bool add_child(std::uint32_t item, std::vector<std::uint32_t>& children) {
    if (!is_name(item)) return fail(item, "a child is an id");
    if ((*json_)[item].kind == wf::json_kind::string) {
      if (const auto found = node_of_.find(characters(item)); found != node_of_.end()) {
        children.push_back(nodes_[found->second].owner);
        return true;
      }
    }
    const auto found = class_of_.find(characters(item));
    if (found == class_of_.end()) return fail(item, "the child is no node and no class");
    children.push_back(found->second);
    return true;
  }

  bool add_roots() {
    const std::uint32_t roots = member(0, "root_eclasses", wf::json_kind::array);
    if (roots == 0) return false;
    std::uint32_t item = wf::json_document::first_of(roots);
    for (std::uint32_t i = 0; i < (*json_)[roots].size; ++i, item = (*json_)[item].next) {
      if (!is_name(item)) return fail(item, "a root is an id");
      const auto found = class_of_.find(characters(item));
      if (found == class_of_.end())
        ++out_.ignored_roots;
      else
        out_.problem.add_root(found->second);
    }
    return true;
  }

  wf::text_view source_;
  wf::result<wf::json_document> json_;
  numbering class_of_, node_of_;  ///< views of the document's characters
  std::vector<node> nodes_;
  int decimals_ = 0;
  wf::error error_;
  instance out_;
};

/// Reads an e-graph; errors: `graph_syntax` with its line. O(size).
inline wf::result<instance> read_extraction(wf::text_view source) {
  return extraction_reader(source).read();
}

}  // namespace selection_benchmark
