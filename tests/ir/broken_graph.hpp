// SPDX-License-Identifier: BSL-1.0
#pragma once

// The tables of a graph, which a test can change arbitrarily, and random faults such as parsers,
// front ends and users might produce. A fault may leave the graph valid; `validate` decides.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <wf/ir/graph/validate.hpp>

namespace wf_test {

using random_source = std::mt19937_64;

struct loose_tables {
  wf::text_ref name;
  std::vector<char> characters;
  std::vector<wf::operation> operations;
  std::vector<wf::node> nodes;
  std::vector<wf::value> values;
  std::vector<wf::value_id> operands;
  std::vector<wf::attribute> attributes;
  std::vector<wf::declared_cost> costs;
  std::vector<wf::edge> edges;
  std::vector<wf::output> outputs;
  std::vector<wf::text_ref> derived;

  explicit loose_tables(const wf::graph_view& g)
      : name(g.name),
        characters(g.characters.begin(), g.characters.end()),
        operations(g.operations.begin(), g.operations.end()),
        nodes(g.nodes.begin(), g.nodes.end()),
        values(g.values.begin(), g.values.end()),
        operands(g.operands.begin(), g.operands.end()),
        attributes(g.attributes.begin(), g.attributes.end()),
        costs(g.costs.begin(), g.costs.end()),
        edges(g.edges.begin(), g.edges.end()),
        outputs(g.outputs.begin(), g.outputs.end()),
        derived(g.derived.begin(), g.derived.end()) {}

  // Replaces the tables of a view, as the holder of the view of a valid graph might.
  void put_into(wf::graph_view& g) const {
    g.name = name;
    g.characters = characters;
    g.operations = operations;
    g.nodes = nodes;
    g.values = values;
    g.operands = operands;
    g.attributes = attributes;
    g.costs = costs;
    g.edges = edges;
    g.outputs = outputs;
    g.derived = derived;
  }
};

// Introduces faults into tables: for every invariant of `validate`, slightly and far beyond its
// limit.
class graph_breaker {
 public:
  graph_breaker(loose_tables& g, random_source& random) : g_(g), random_(random) {}

  void break_something() {
    using self = graph_breaker;
    constexpr void (self::* faults[])() = {
        &self::operand,     &self::operand,    &self::cycle,          &self::cycle,
        &self::producer,    &self::node_range, &self::node_range,     &self::node_text,
        &self::op,          &self::op,         &self::type,           &self::type,
        &self::type,        &self::attribute,  &self::attribute,      &self::attribute,
        &self::value_name,  &self::output,     &self::edge,           &self::edge,
        &self::character,   &self::table_size, &self::many,           &self::swap_nodes,
        &self::declaration, &self::cost,       &self::duplicate_names};
    (this->*faults[below(std::size(faults))])();
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  template <class T>
  T* any(std::vector<T>& table) {
    return table.empty() ? nullptr : &table[below(table.size())];
  }
  // A position in a table of that size: inside, one past the end, far outside, or the null value.
  std::uint32_t position(std::size_t size) {
    switch (below(5)) {
      case 0:
        return static_cast<std::uint32_t>(size);
      case 1:
        return static_cast<std::uint32_t>(size + below(3));
      case 2:
        return 0xffffffff;
      case 3:
        return static_cast<std::uint32_t>(random_());
      default:
        return static_cast<std::uint32_t>(size == 0 ? 0 : below(size));
    }
  }
  wf::range range_in(std::size_t size) { return {position(size), position(size)}; }

  void operand() {
    if (wf::value_id* id = any(g_.operands))
      *id = static_cast<wf::value_id>(position(g_.values.size()));
  }
  // A node that reads its own result or that of another node.
  void cycle() {
    wf::node *reader = any(g_.nodes), *maker = below(3) == 0 ? reader : any(g_.nodes);
    if (reader == nullptr || maker->outputs.count == 0 || reader->inputs.count == 0) return;
    const std::size_t at = reader->inputs.first + below(reader->inputs.count);
    if (at < g_.operands.size())
      g_.operands[at] =
          static_cast<wf::value_id>(maker->outputs.first + below(maker->outputs.count));
  }
  void producer() {
    if (wf::value* v = any(g_.values))
      v->producer =
          below(3) == 0 ? wf::node_id::none : static_cast<wf::node_id>(position(g_.nodes.size()));
  }
  void node_range() {
    wf::node* n = any(g_.nodes);
    if (n == nullptr) return;
    wf::range* const ranges[] = {&n->inputs, &n->outputs, &n->attributes, &n->costs};
    const std::size_t sizes[] = {g_.operands.size(), g_.values.size(), g_.attributes.size(),
                                 g_.costs.size()};
    const std::size_t which = below(4);
    wf::range& r = *ranges[which];
    switch (below(4)) {
      case 0:
        r.first = position(sizes[which]);
        break;
      case 1:
        r.count = position(sizes[which]);
        break;
      case 2:
        r.count += static_cast<std::uint32_t>(below(3)) - 1;
        break;
      default:
        r = range_in(sizes[which]);
    }
  }
  void node_text() {
    wf::node* n = any(g_.nodes);
    if (n == nullptr) return;
    wf::text_ref* const texts[] = {&n->name, &n->peer, &n->location.file, &g_.name};
    *texts[below(4)] = range_in(g_.characters.size());
  }
  // The operator of another node, to which nothing else fits, or none.
  void op() {
    if (below(3) == 0) {
      wf::operation* o = any(g_.operations);
      if (o == nullptr) return;
      switch (below(4)) {
        case 0:
          o->hash ^= std::uint64_t{1} << below(64);
          return;
        case 1:
          o->name = range_in(g_.characters.size());
          return;
        case 2:
          o->domain = range_in(g_.characters.size());
          return;
        default:
          std::swap(*o, *any(g_.operations));
          return;
      }
    }
    wf::node* n = any(g_.nodes);
    if (n == nullptr) return;
    if (below(4) == 0)
      n->effects = static_cast<wf::effect>(below(256));
    else
      n->op = below(3) == 0 || g_.operations.empty()
                  ? position(g_.operations.size())
                  : static_cast<std::uint32_t>(below(g_.operations.size()));
  }
  std::int64_t extent_code() {
    switch (below(8)) {
      case 0:
        return -1 - static_cast<std::int64_t>(below(5));
      case 1:
        return static_cast<std::int64_t>(random_());
      case 2:
        return wf::extent::derived(position(g_.derived.size())).code;
      case 3:
        return wf::extent("M").code;
      case 4:
        return INT64_MAX - static_cast<std::int64_t>(below(2));
      case 5:
        return INT64_MIN + static_cast<std::int64_t>(below(70));
      default:
        return static_cast<std::int64_t>(below(5));
    }
  }
  void type() {
    wf::value* v = any(g_.values);
    if (v == nullptr) return;
    wf::value_type& t = v->type;
    switch (below(6)) {
      case 0:
        t.type = static_cast<wf::dtype>(below(256));
        break;
      case 1:
        t.type = static_cast<wf::dtype>(below(wf::dtype_count));
        break;
      case 2: {
        constexpr std::uint32_t ranks[] = {0, 1, 2, 4, 8, 9, 200, wf::shape::unknown_rank};
        t.shape.rank = ranks[below(std::size(ranks))];
        break;
      }
      case 3:
        t.known.bits = static_cast<std::uint32_t>(random_());
        break;
      case 4:
        t.known = wf::detail::close_properties(static_cast<std::uint32_t>(below(4096)));
        break;
      default:
        t.shape.extents[below(t.shape.rank - 1 < wf::max_rank ? t.shape.rank : 2)].code =
            extent_code();
    }
  }
  void attribute() {
    wf::attribute* a = any(g_.attributes);
    if (a == nullptr) return;
    switch (below(9)) {
      case 0:
        a->kind = static_cast<wf::attribute_kind>(below(256));
        break;
      case 1:
      case 2:
        a->kind = static_cast<wf::attribute_kind>(below(5));
        break;
      case 3:
        a->denominator = static_cast<std::int64_t>(below(4)) - 2;
        break;
      case 4:
        a->name = below(2) == 0 ? range_in(g_.characters.size()) : any(g_.attributes)->name;
        break;
      case 5:
        a->characters = range_in(g_.characters.size());
        break;
      default: {
        constexpr std::int64_t numbers[] = {0, -1, 1, 2, 3, 100, INT64_MAX, INT64_MIN};
        a->number = below(3) == 0 ? extent_code() : numbers[below(std::size(numbers))];
        a->real = below(2) == 0 ? 1e300 : static_cast<double>(a->number);
      }
    }
  }
  void value_name() {
    if (wf::value* v = any(g_.values))
      v->name = below(3) == 0 ? wf::text_ref{} : range_in(g_.characters.size());
  }
  void output() {
    wf::output* o = any(g_.outputs);
    if (o == nullptr) return;
    if (below(2) == 0)
      o->source = static_cast<wf::value_id>(position(g_.values.size()));
    else
      o->name = below(3) == 0 ? wf::text_ref{} : range_in(g_.characters.size());
  }
  void duplicate_names() {
    if (below(2) == 0 && g_.outputs.size() > 1) {
      g_.outputs[below(g_.outputs.size())].name = any(g_.outputs)->name;
      return;
    }
    wf::value *a = any(g_.values), *b = any(g_.values);
    if (a != nullptr) a->name = b->name;
  }
  void edge() {
    const auto node = [&] {
      return static_cast<wf::node_id>(below(3) == 0 ? position(g_.nodes.size())
                                                    : below(g_.nodes.size() + 1));
    };
    if (below(2) == 0 || g_.edges.empty())
      g_.edges.push_back({static_cast<wf::edge_kind>(1 + below(2)), node(), node()});
    wf::edge& e = *any(g_.edges);
    switch (below(5)) {
      case 0:
        e.kind = static_cast<wf::edge_kind>(below(256));
        break;
      case 1:
        e.to = e.from;
        break;
      case 2:
        std::swap(e.from, e.to);
        break;
      case 3:
        e.from = node();
        break;
      default:
        e.to = node();
    }
  }
  // Changes a character of a name, a formula, an equation, a type or a body.
  void character() {
    if (char* c = any(g_.characters))
      *c = below(2) == 0 ? static_cast<char>(static_cast<unsigned char>(below(256)))
                         : "0+*/-(),>\"{M "[below(13)];
  }
  template <class T>
  void resize(std::vector<T>& table) {
    if (table.empty()) return;
    if (below(3) == 0)
      table.pop_back();
    else if (below(2) == 0)
      table.resize(below(table.size()));
    else
      table.push_back(T(table[below(table.size())]));
  }
  void table_size() {
    switch (below(10)) {
      case 0:
        return resize(g_.characters);
      case 1:
        return resize(g_.operations);
      case 2:
        return resize(g_.nodes);
      case 3:
        return resize(g_.values);
      case 4:
        return resize(g_.operands);
      case 5:
        return resize(g_.attributes);
      case 6:
        return resize(g_.costs);
      case 7:
        return resize(g_.edges);
      case 8:
        return resize(g_.outputs);
      default:
        return resize(g_.derived);
    }
  }
  // A node with more operands or results than any kernel has.
  void many() {
    wf::node* n = any(g_.nodes);
    if (n == nullptr || g_.values.empty()) return;
    if (below(2) == 0) {
      const auto first = static_cast<std::uint32_t>(g_.operands.size());
      for (std::size_t i = below(30); i > 0; --i)
        g_.operands.push_back(static_cast<wf::value_id>(below(g_.values.size())));
      n->inputs = {first, static_cast<std::uint32_t>(g_.operands.size()) - first};
      return;
    }
    n = &g_.nodes.back();
    const auto last = static_cast<wf::node_id>(g_.nodes.size() - 1);
    if (n->outputs.count == 0 || n->outputs.first + n->outputs.count != g_.values.size()) return;
    for (std::size_t i = below(9); i > 0; --i, ++n->outputs.count) {
      g_.values.push_back(g_.values.back());
      g_.values.back().producer = last;
    }
  }
  void swap_nodes() {
    if (wf::node* a = any(g_.nodes), *b = any(g_.nodes); a != b) std::swap(*a, *b);
  }
  void declaration() {
    if (wf::text_ref* d = any(g_.derived))
      *d = below(2) == 0 ? *any(g_.derived) : range_in(g_.characters.size());
  }
  void cost() {
    if (wf::declared_cost* c = any(g_.costs))
      (below(2) == 0 ? c->metric : c->formula) = range_in(g_.characters.size());
  }

  loose_tables& g_;
  random_source& random_;
};

}  // namespace wf_test
