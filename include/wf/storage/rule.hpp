// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/references.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/registry/infer.hpp>

namespace wf {

/// The layout of a view inside the storage of its home, the value that owns the storage. A matrix
/// may be row-major or column-major with any leading dimension; every other value is contiguous in
/// row-major order.
struct storage_reading {
  /// True if the home is a matrix; then the value is a matrix too.
  bool of_matrix = false;
  /// For a matrix: the dimension of the home that each dimension walks along; {1, 0} is the
  /// transpose.
  std::uint8_t axis[2] = {0, 1};
  /// For a matrix: the first position along each dimension of the home.
  std::int64_t start[2] = {};
  /// Otherwise: the offset of the first element in the home, in elements.
  std::int64_t first = 0;
  /// Otherwise: the stride of each dimension, in elements.
  std::int64_t step[max_rank] = {};
  /// True if the value covers all of its home in the home's own order.
  bool is_whole = true;
};

/// The operand that each result of a node overwrites in place; none for most results.
struct takeover {
  /// The overwritten operand, by result index.
  value_id from[max_results] = {value_id::none, value_id::none, value_id::none,
                                value_id::none, value_id::none, value_id::none};
};

/// The rule of shared storage: which values lie in the storage of others. The price, the search for
/// an order, storage plans, the executor and the mapper all use it.
///
/// A value has storage of its own unless it is a view whose reading (`kernel_spec::reading`) can be
/// expressed as a `storage_reading`: blocks and transposes of a matrix; from row-major storage also
/// every row-major value, and matrices with contiguous rows or columns. Qubits cannot be copied, so
/// every view of them lies in its operand.
///
/// A result overwrites an operand that dies at its node if the operator allows it
/// (`kernel_spec::in_place`, `through`, elementwise laws), both have one shape, one element size
/// and the same place for each element, and the node reads no other operand of that storage. An
/// elementwise operator may read others that have the same elements in the same places.
class storage_rule {
 public:
  /// The rule for a graph and its kernels, both of which must outlive it. `element_bytes`: the size
  /// of every element in bytes; 0: the size of its type. If `validate_references` rejects the
  /// graph, every value has storage of its own, and no function that takes a node may be called.
  /// O(values), plus the calls of the view rules.
  constexpr storage_rule(const graph_view& g, const registry& r, std::int64_t element_bytes = 0)
      : graph_(g), element_bytes_(element_bytes) {
    if (!validate_references(g)) {
      for (std::uint32_t i = 0; i < g.values.size(); ++i) home_.push_back(static_cast<value_id>(i));
      return;
    }
    for (const operation& o : g.operations) {
      permissions_.push_back(permission_of(r.find(g.text_of(o.name))));
    }
    find_homes();
  }

  /// The graph of the rule; it must outlive the rule.
  constexpr const graph_view& graph() const { return graph_; }
  /// The kernel of a node, or null if the registry has none.
  constexpr const kernel_spec* kernel_of(const node& n) const { return permissions_[n.op].kernel; }
  /// The value that owns the storage of a value: itself, unless it is a view.
  constexpr value_id home_of(value_id id) const { return home_[index_of(id)]; }
  /// True if a value has storage of its own.
  constexpr bool is_home(value_id id) const { return home_of(id) == id; }
  /// The layout of a value without storage of its own inside its home.
  constexpr const storage_reading& reading_of(value_id id) const {
    return readings_[reading_[index_of(id)]];
  }
  /// True if a value covers all of its home, each element in its place.
  constexpr bool fills_home(value_id id) const { return is_home(id) || reading_of(id).is_whole; }
  /// The size of an element in bytes: that of its type, or the common size if one was given.
  constexpr std::int64_t bytes_of_element(value_id id) const {
    return element_bytes_ != 0 ? element_bytes_ : size_of(graph_[id].type.type);
  }
  /// The size of a static value in bytes; -1 if its shape is symbolic or the size exceeds 63 bits.
  constexpr std::int64_t bytes_of(value_id id) const {
    std::int64_t bytes = 0;
    const std::int64_t elements = graph_[id].type.shape.elements();
    return elements >= 0 && checked_multiply(elements, bytes_of_element(id), bytes) ? bytes : -1;
  }

  /// True if result `k` of a node may overwrite operand number `position`, provided that operand
  /// dies at the node. O(operands).
  constexpr bool may_overwrite(const node& n, std::uint32_t k, std::uint32_t position) const {
    const permission& p = permissions_[n.op];
    if (!p.any || k >= n.outputs.count || n.effects == effect::external) return false;
    const auto result = static_cast<value_id>(n.outputs.first + k);
    const view<value_id> operands = graph_.inputs_of(n);
    const bool elementwise = p.elementwise && n.outputs.count == 1;
    if (!is_home(result) || !is_allowed(p, k, position, elementwise)) return false;
    if (!lies_alike(operands[position], result)) return false;
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      if (i == position || home_of(operands[i]) != home_of(operands[position])) continue;
      if (!elementwise || !lies_alike(operands[i], result)) return false;
    }
    return true;
  }

  /// The operands that the results of a node overwrite: each result takes the first operand that it
  /// may overwrite, whose storage is read for the last time here (`dies(home)`) and that
  /// `fits(result, operand)`; no storage is taken twice. If more storage dies, no fewer results
  /// take over an operand. O(results · operands²).
  template <class Dies, class Fits>
  constexpr takeover take_over(const node& n, Dies&& dies, Fits&& fits) const {
    takeover out;
    if (!permissions_[n.op].any) return out;
    const view<value_id> operands = graph_.inputs_of(n);
    for (std::uint32_t k = 0; k < n.outputs.count && k < max_results; ++k)
      for (std::uint32_t i = 0; i < operands.size(); ++i) {
        const value_id home = home_of(operands[i]);
        bool free = dies(home);
        for (std::uint32_t j = 0; j < k && free; ++j)
          free = out.from[j] == value_id::none || home_of(out.from[j]) != home;
        if (!free || !may_overwrite(n, k, i)) continue;
        if (!fits(graph_view::output_of(n, k), operands[i])) continue;
        out.from[k] = operands[i];
        break;
      }
    return out;
  }

 private:
  // A view with more attributes than this gets storage of its own.
  static constexpr std::uint32_t most_attributes = 16;
  // The overwrites that an operator allows.
  struct permission {
    const kernel_spec* kernel = nullptr;
    bool any = false;                        // some result may overwrite some operand
    bool elementwise = false;                // any operand, element by element
    bool in_place = false;                   // any operand
    std::uint8_t through[max_results] = {};  // otherwise result k overwrites operand through[k]
    std::uint8_t throughs = 0;
  };

  static constexpr permission permission_of(const kernel_spec* k) {
    permission p;
    p.kernel = k;
    if (k == nullptr) return p;
    p.elementwise = k->laws.elementwise;
    p.in_place = k->in_place;
    if (!p.elementwise && contains(k->signature, "through ")) {
      const auto s = parse_signature(k->signature);
      for (std::uint32_t i = 0; s && i < (*s).inputs && p.throughs < max_results; ++i)
        if ((*s).parameters[i].side == side::through)
          p.through[p.throughs++] = static_cast<std::uint8_t>(i);
    }
    p.any = p.elementwise || p.in_place || p.throughs != 0;
    return p;
  }
  static constexpr bool contains(text_view text, text_view word) {
    for (std::size_t i = 0; i + word.size() <= text.size(); ++i)
      if (text[i] == word[0] && text.part(i).starts_with(word)) return true;
    return false;
  }
  static constexpr bool is_allowed(const permission& p, std::uint32_t k, std::uint32_t position,
                                   bool elementwise) {
    if (p.throughs != 0) return k < p.throughs && p.through[k] == position;
    return p.in_place || elementwise;
  }
  // True if the elements of the operand have the places in its storage that the result needs.
  constexpr bool lies_alike(value_id operand, value_id result) const {
    const value_type &from = graph_[operand].type, &to = graph_[result].type;
    const bool matrices = graph_[home_of(operand)].type.shape.rank == 2;
    return from.shape == to.shape && fills_home(operand) &&
           (matrices == (to.shape.rank == 2) || from.type == dtype::qubit) &&
           bytes_of_element(operand) == bytes_of_element(result);
  }

  // --- views ------------------------------------------------------------------------------------

  constexpr bool is_view(node_id id) const {
    if (id == node_id::none) return false;
    const node& n = graph_[id];
    return kernel_of(n) != nullptr && kernel_of(n)->is_view && n.inputs.count != 0;
  }
  // In topological order of views, whatever the order in the table.
  constexpr void find_homes() {
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      home_.push_back(static_cast<value_id>(i));
    reading_.resize(graph_.values.size());
    table<char> known(graph_.nodes.size());
    table<node_id> path;
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      auto at = static_cast<node_id>(i);
      path.resize(0);
      while (is_view(at) && known[index_of(at)] == 0) {
        known[index_of(at)] = 1;
        path.push_back(at);
        at = graph_[graph_.inputs_of(graph_[at])[0]].producer;
      }
      for (std::size_t k = path.size(); k-- > 0;) follow(graph_[path[k]]);
    }
  }
  // Puts the results of a view into the storage of its operand, whose home is known, if all of them
  // can be read there.
  constexpr void follow(const node& n) {
    const value_id from = graph_.inputs_of(n)[0], home = home_of(from);
    const std::size_t first = readings_.size();
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id to = graph_view::output_of(n, k);
      storage_reading read;
      if (to == home || !reads(n, to, from, read)) {
        readings_.resize(first);
        return;
      }
      readings_.push_back(read);
    }
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      home_[n.outputs.first + k] = home;
      reading_[n.outputs.first + k] = static_cast<std::uint32_t>(first + k);
    }
  }
  constexpr bool reads(const node& n, value_id to, value_id from, storage_reading& out) const {
    if (read_of(n, to, from, out)) return true;
    out.is_whole = graph_[to].type.shape.elements() == graph_[home_of(from)].type.shape.elements();
    return graph_[from].type.type == dtype::qubit;
  }
  constexpr bool read_of(const node& n, value_id id, value_id from, storage_reading& out) const {
    const view_rule rule = kernel_of(n)->reading;
    const shape &to = graph_[id].type.shape, &shape_from = graph_[from].type.shape;
    out = reading_from(from);
    if (rule == nullptr || !to.is_static() || !shape_from.is_static() ||
        graph_[id].type.type != graph_[from].type.type)
      return false;
    value_type operands[max_operands];
    for (std::uint32_t i = 0; i < n.inputs.count && i < max_operands; ++i)
      operands[i] = graph_[graph_.inputs_of(n)[i]].type;
    attribute_value attributes[most_attributes];
    if (n.inputs.count > max_operands || n.attributes.count > most_attributes) return false;
    for (std::uint32_t i = 0; i < n.attributes.count; ++i)
      attributes[i] = value_of(graph_, graph_.attributes_of(n)[i]);
    const view_reading r =
        rule({{operands, n.inputs.count}, {attributes, n.attributes.count}, &graph_},
             index_of(id) - n.outputs.first);
    if (r.how == view_reading::way::copied) return false;
    if (r.how == view_reading::way::flat) return is_flat(to, shape_from, out);
    if (!is_inside(r, to, shape_from)) return false;
    out.is_whole = out.is_whole && is_straight(r, to, shape_from);
    return out.of_matrix ? walks_matrix(r, to, shape_from, out)
                         : walks_elements(r, to, shape_from, out);
  }
  // The layout of a value inside its home, homes included.
  constexpr storage_reading reading_from(value_id id) const {
    if (!is_home(id)) return reading_of(id);
    storage_reading out;
    out.of_matrix = graph_[id].type.shape.rank == 2;
    if (!out.of_matrix) set_row_major(graph_[id].type.shape, out.step);
    return out;
  }
  static constexpr void set_row_major(const shape& s, std::int64_t (&step)[max_rank]) {
    if (s.rank > max_rank) return;
    std::int64_t next = 1;
    for (std::uint32_t d = s.rank; d-- > 0;) {
      step[d] = next;
      if (!s.is_static() || !checked_multiply(next, s[d].size(), next)) next = 0;
    }
  }
  static constexpr bool is_row_major(const shape& s, const storage_reading& r) {
    std::int64_t plain[max_rank] = {};
    set_row_major(s, plain);
    for (std::uint32_t d = 0; d < s.rank; ++d)
      if (s[d].size() > 1 && r.step[d] != plain[d]) return false;
    return true;
  }
  // The same elements in the same order (reshape), in shape `to` instead of `from`, which `r`
  // reads.
  static constexpr bool is_flat(const shape& to, const shape& from, storage_reading& r) {
    if (to == from) return true;
    if (r.of_matrix || to.elements() != from.elements() || !is_row_major(from, r)) return false;
    set_row_major(to, r.step);
    return true;
  }
  static constexpr bool is_inside(const view_reading& r, const shape& to, const shape& from) {
    for (std::uint32_t p = 0; p < from.rank; ++p) {
      const bool walks = r.walker[p] != view_reading::none;
      if (walks && r.walker[p] >= to.rank) return false;
      const std::int64_t length = walks ? to[r.walker[p]].size() : 1;
      if (r.start[p] < 0 || length > from[p].size() - r.start[p]) return false;
    }
    return true;
  }
  static constexpr bool is_straight(const view_reading& r, const shape& to, const shape& from) {
    bool same = to == from;
    for (std::uint32_t p = 0; p < from.rank && same; ++p)
      same = r.start[p] == 0 && (r.walker[p] == p || from[p].size() == 1);
    return same;
  }
  // A block of a matrix, possibly transposed.
  static constexpr bool walks_matrix(const view_reading& r, const shape& to, const shape& from,
                                     storage_reading& out) {
    if (to.rank != 2 || from.rank != 2) return false;
    const storage_reading before = out;
    std::uint8_t along[2] = {view_reading::none, view_reading::none};
    for (std::uint8_t p = 0; p < 2; ++p) {
      out.start[before.axis[p]] += r.start[p];
      if (r.walker[p] == view_reading::none) continue;
      if (along[r.walker[p]] != view_reading::none) return false;
      along[r.walker[p]] = p;
    }
    // A dimension of one element walks along the dimension left; a longer one would repeat
    // elements.
    for (std::uint8_t d = 0; d < 2; ++d) {
      if (along[d] != view_reading::none) continue;
      if (to[d].size() > 1) return false;
      along[d] = along[1 - d] == d ? static_cast<std::uint8_t>(1 - d) : d;
    }
    for (std::uint8_t d = 0; d < 2; ++d) out.axis[d] = before.axis[along[d]];
    return true;
  }
  // A row-major value, or a matrix with contiguous rows or columns.
  static constexpr bool walks_elements(const view_reading& r, const shape& to, const shape& from,
                                       storage_reading& out) {
    const storage_reading before = out;
    for (std::uint32_t d = 0; d < max_rank; ++d) out.step[d] = 0;
    for (std::uint32_t p = 0; p < from.rank; ++p) {
      out.first += r.start[p] * before.step[p];
      if (r.walker[p] != view_reading::none) out.step[r.walker[p]] += before.step[p];
    }
    if (is_row_major(to, out)) {
      set_row_major(to, out.step);
      return true;
    }
    if (to.rank != 2) return false;
    for (std::uint32_t d = 0; d < 2; ++d)
      if (to[d].size() <= 1) out.step[d] = out.step[1 - d] == 1 ? to[1 - d].size() : 1;
    const std::uint32_t along = out.step[1] == 1 ? 1 : 0;  // the contiguous dimension
    return out.step[along] == 1 && out.step[1 - along] >= to[along].size();
  }

  graph_view graph_;
  std::int64_t element_bytes_;
  table<value_id> home_;          // by value
  table<std::uint32_t> reading_;  // index into `readings_`, by value that is no home
  table<storage_reading> readings_;
  table<permission> permissions_;  // by operation
};

}  // namespace wf
