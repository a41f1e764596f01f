// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/fields.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/graph/graph.hpp>

namespace wf {

namespace detail {

/// Builds a graph from a JSON document.
class graph_json_reader : json_form_reader {
 public:
  using json_form_reader::json_form_reader;

  constexpr result<graph> read() {
    if (!read_document()) return failure(errc::graph_syntax);
    return static_cast<graph&&>(graph_);
  }

 private:
  constexpr bool number(std::uint32_t item, std::uint32_t& out) {
    std::int64_t wide = 0;
    if (json_[item].kind != json_kind::number) return fail(item, "expected an integer");
    if (!integer(item, 0, 0xffffffff, wide)) return false;
    out = static_cast<std::uint32_t>(wide);
    return true;
  }
  // --- values -----------------------------------------------------------------------------------

  constexpr bool read_extent(std::uint32_t item, extent& out) {
    if (json_[item].kind == json_kind::null) return true;
    if (json_[item].kind == json_kind::object) {
      constexpr json_field known[] = {{"polynomial", json_kind::string, true}};
      std::uint32_t found[1]{};
      if (!fields(item, "an extent", known, found)) return false;
      out = graph_.add_derived(string(found[0]));
      return graph_.view().derived.size() <= max_distinct_entries ||
             fail(item, "the graph has too many different derived extents (16384)");
    }
    const text_view written = json_.text_of(item);
    if (json_[item].kind == json_kind::number || is_number_word(written)) {
      std::int64_t size = 0;
      if (!integer(item, 0, INT64_MAX, size)) return false;
      out = extent(size);
      return true;
    }
    if (json_[item].kind == json_kind::string) out = extent(make_symbol(written));
    return !out.is_unknown() ||
           fail(item,
                "expected an extent: a size, a symbol of at most 10 letters, digits and "
                "underscores, {\"polynomial\": ...}, or null");
  }
  constexpr bool read_type(const std::uint32_t* found, value_type& out) {
    out.type = dtype_named(string(found[2]));
    if (out.type == dtype::unknown && string(found[2]) != name_of(dtype::unknown)) {
      table<text_view> known;
      for (const dtype_row& row : dtype_rows) known.push_back(row.name);
      return unknown_word(found[2], "element type", known);
    }
    if (json_[found[3]].kind == json_kind::null) out.shape = shape::unknown();
    return elements(json_[found[3]].kind == json_kind::null ? 0 : found[3],
                    [&](std::uint32_t item) {
                      extent e;
                      if (!read_extent(item, e)) return false;
                      return out.shape.push_back(e) ||
                             fail(item, "a value has at most 8 dimensions");
                    }) &&
           elements(found[4], [&](std::uint32_t item) { return read_property(item, out.known); });
  }
  constexpr bool read_property(std::uint32_t item, properties& out) {
    if (!expect(item, {"properties", json_kind::string})) return false;
    const properties named = properties_named(string(item));
    out = out | named;
    if (!named.empty()) return true;
    table<text_view> known;
    for (const property_row& row : property_rows) known.push_back(row.name);
    return unknown_word(item, "property", known);
  }
  // Reads an input, or a result of a node: its number must be the next one.
  constexpr bool read_value(std::uint32_t item, text_view what, bool named, text_view& name,
                            value_type& type) {
    const json_field known[] = {{"value", json_kind::number, true},
                                {"name", json_kind::string, named},
                                {"dtype", json_kind::string, true},
                                {"shape", json_kind::array, true, json_kind::null},
                                {"properties", json_kind::array}};
    std::uint32_t found[5]{}, id = 0;
    if (!fields(item, what, known, found) || !number(found[0], id)) return false;
    if (id != next_) {
      text message("expected value ");
      message << next_ << ": inputs are listed by their numbers, and the results of the nodes, in "
              << "the order of the nodes, take the other numbers";
      return fail(found[0], message.view());
    }
    ++next_;
    name = string(found[1]);
    return read_type(found, type);
  }
  // Adds the inputs whose numbers precede that of `result`; all remaining ones for 0.
  constexpr bool add_inputs(std::uint32_t result) {
    std::uint32_t limit = 0xffffffff;
    if (result != 0 && json_[result].kind == json_kind::object) {
      const std::uint32_t id = json_.find(result, "value");
      if (id != 0 && !number(id, limit)) return false;
    }
    for (; inputs_left_ != 0 && next_ < limit; --inputs_left_, input_ = json_[input_].next) {
      text_view name;
      value_type type;
      if (!read_value(input_, "an input", true, name, type)) return false;
      graph_.add_input(name, type);
    }
    return true;
  }

  // --- nodes ------------------------------------------------------------------------------------

  constexpr bool read_node(std::uint32_t item) {
    enum { op, domain, name, operands, attributes, costs, effect, peer, source, results };
    constexpr json_field known[] = {
        {"op", json_kind::string, true},  {"domain", json_kind::string},
        {"name", json_kind::string},      {"operands", json_kind::array, true},
        {"attributes", json_kind::array}, {"costs", json_kind::array},
        {"effect", json_kind::string},    {"peer", json_kind::string},
        {"source", json_kind::object},    {"results", json_kind::array, true}};
    std::uint32_t found[10]{};
    if (!fields(item, "a node", known, found)) return false;
    node_description what;
    what.op = string(found[op]), what.domain = string(found[domain]);
    what.name = string(found[name]), what.peer = string(found[peer]);
    if (what.op.empty()) return fail(found[op], "an operator's name must not be empty");
    if (!read_effect(found[effect], what.effects) || !read_source(found[source], what))
      return false;
    operands_.clear(), types_.clear(), names_.clear(), attributes_.clear();
    if (!elements(found[operands], [&](std::uint32_t o) { return read_operand(o); }) ||
        !elements(found[attributes], [&](std::uint32_t a) { return read_attribute(a); }) ||
        (json_[found[results]].size != 0 && !add_inputs(json_document::first_of(found[results]))) ||
        !elements(found[results], [&](std::uint32_t r) { return read_result(r); }))
      return false;
    what.attributes = attributes_;
    const node_id id = graph_.add_node(what, operands_, types_);
    if (graph_.view().operations.size() > max_distinct_entries)
      return fail(item, "the graph has too many different operators (16384)");
    for (std::uint32_t k = 0; k < names_.size(); ++k)
      if (!names_[k].empty()) graph_.set_name(graph_view::output_of(graph_[id], k), names_[k]);
    return elements(found[costs], [&](std::uint32_t c) { return read_cost(c); });
  }
  constexpr bool read_operand(std::uint32_t item) {
    std::uint32_t id = 0;
    if (!number(item, id)) return false;
    operands_.push_back(static_cast<value_id>(id));
    return true;
  }
  constexpr bool read_result(std::uint32_t item) {
    text_view name;
    value_type type;
    if (!read_value(item, "a result", false, name, type)) return false;
    types_.push_back(type);
    names_.push_back(name);
    return true;
  }
  constexpr bool read_effect(std::uint32_t item, effect& out) {
    constexpr text_view names[] = {"pure", "stateful", "external"};
    if (item == 0) return true;
    for (std::uint8_t i = 0; i < 3; ++i)
      if (string(item) == names[i]) return out = static_cast<effect>(i), true;
    return unknown_word(item, "effect", names);
  }
  constexpr bool read_source(std::uint32_t item, node_description& what) {
    constexpr json_field known[] = {{"file", json_kind::string, true},
                                    {"line", json_kind::number, true},
                                    {"column", json_kind::number, true}};
    std::uint32_t found[3]{};
    if (item == 0) return true;
    if (!fields(item, "a source location", known, found)) return false;
    what.file = string(found[0]);
    return number(found[1], what.line) && number(found[2], what.column);
  }
  constexpr bool read_cost(std::uint32_t item) {
    constexpr json_field known[] = {{"metric", json_kind::string, true},
                                    {"formula", json_kind::string, true}};
    std::uint32_t found[2]{};
    if (!fields(item, "a cost", known, found)) return false;
    graph_.add_cost(string(found[0]), string(found[1]));
    return true;
  }
  constexpr bool read_attribute(std::uint32_t item) {
    constexpr json_field known[] = {
        {"name", json_kind::string, true}, {"integer", json_kind::number, false, json_kind::string},
        {"rational", json_kind::array},    {"real", json_kind::number, false, json_kind::string},
        {"string", json_kind::string},
    };
    constexpr text_view one_value =
        "an attribute has a name and one of 'integer', 'rational', 'real', 'string' and 'extent'";
    // An extent may be of any kind, which `json_field` cannot express.
    const bool object = json_[item].kind == json_kind::object;
    const std::uint32_t e = object ? json_.find(item, "extent") : 0;
    std::uint32_t found[6]{};
    const json_field with_extent[] = {
        known[0], known[1], known[2],
        known[3], known[4], {"extent", e == 0 ? json_kind::null : json_[e].kind}};
    if (!fields(item, "an attribute", with_extent, found)) return false;
    attribute_value a;
    a.name = string(found[0]);
    std::uint32_t kind = 0;
    for (std::uint32_t k = 1; k < 6; ++k) {
      if (found[k] == 0) continue;
      if (kind != 0) return fail(item, one_value);
      kind = k;
    }
    if (kind == 0) return fail(item, one_value);
    a.kind = static_cast<attribute_kind>(kind - 1);
    if (!attribute_content(found[kind], a)) return false;
    attributes_.push_back(a);
    return true;
  }
  constexpr bool attribute_content(std::uint32_t item, attribute_value& a) {
    switch (a.kind) {
      case attribute_kind::integer:
        return integer(item, INT64_MIN, INT64_MAX, a.number);
      case attribute_kind::rational: {
        if (json_[item].size != 2)
          return fail(item, "'rational' must be an array of numerator and denominator");
        const std::uint32_t first = json_document::first_of(item);
        return integer(first, INT64_MIN, INT64_MAX, a.number) &&
               integer(json_[first].next, 1, INT64_MAX, a.denominator);
      }
      case attribute_kind::real: {
        const result<double> number = parse_real(json_.text_of(item));
        a.real = number ? *number : 0;
        return number || fail(item, number.error().message.view());
      }
      case attribute_kind::string:
        a.characters = string(item);
        return true;
      case attribute_kind::extent:
        break;
    }
    extent e;
    if (!read_extent(item, e)) return false;
    a.number = e.code;
    return true;
  }

  // --- the document -----------------------------------------------------------------------------

  constexpr bool read_document() {
    constexpr json_field known[] = {
        {"format", json_kind::string, true}, {"version", json_kind::number, true},
        {"name", json_kind::string, true},   {"inputs", json_kind::array, true},
        {"nodes", json_kind::array, true},   {"edges", json_kind::array, true},
        {"outputs", json_kind::array, true}};
    std::uint32_t found[7]{};
    if (!read_version() || !fields(0, "a graph", known, found)) return false;
    graph_ = graph(string(found[2]));
    inputs_left_ = json_[found[3]].size;
    input_ = json_document::first_of(found[3]);
    return elements(found[4], [&](std::uint32_t item) { return read_node(item); }) &&
           add_inputs(0) &&
           elements(found[5], [&](std::uint32_t item) { return read_edge(item); }) &&
           elements(found[6], [&](std::uint32_t item) { return read_output(item); });
  }
  // Checked first: another version may have other fields.
  constexpr bool read_version() {
    if (json_[0].kind != json_kind::object) return fail(0, "expected an object, a graph");
    const std::uint32_t format = json_.find(0, "format"), version = json_.find(0, "version");
    if (format == 0 || json_.text_of(format) != "wf-graph")
      return fail(format, "expected \"format\": \"wf-graph\"");
    if (version != 0 && json_[version].kind == json_kind::number && json_.text_of(version) != "1")
      return fail(version, "only version 1 of the JSON form can be read");
    return true;
  }
  constexpr bool read_edge(std::uint32_t item) {
    constexpr json_field known[] = {{"kind", json_kind::string, true},
                                    {"from", json_kind::number, true},
                                    {"to", json_kind::number, true}};
    constexpr text_view kinds[] = {"data", "control", "mutate"};
    std::uint32_t found[3]{}, from = 0, to = 0;
    if (!fields(item, "an edge", known, found) || !number(found[1], from) || !number(found[2], to))
      return false;
    for (std::uint8_t k = 0; k < 3; ++k) {
      if (kinds[k] != string(found[0])) continue;
      graph_.add_edge(static_cast<edge_kind>(k), static_cast<node_id>(from),
                      static_cast<node_id>(to));
      return true;
    }
    return unknown_word(found[0], "kind of edge", {kinds + 1, 2});
  }
  constexpr bool read_output(std::uint32_t item) {
    constexpr json_field known[] = {{"name", json_kind::string, true},
                                    {"value", json_kind::number, true}};
    std::uint32_t found[2]{}, id = 0;
    if (!fields(item, "an output", known, found) || !number(found[1], id)) return false;
    graph_.add_output(string(found[0]), static_cast<value_id>(id));
    return true;
  }

  graph graph_;
  std::uint32_t next_ = 0;  // the number of the next value
  std::uint32_t inputs_left_ = 0;
  std::uint32_t input_ = 0;  // the next remaining input
  // Parts of the current node.
  table<value_id> operands_;
  table<attribute_value> attributes_;
  table<value_type> types_;
  table<text_view> names_;
};

}  // namespace detail

/// Reads the JSON form that `to_json` (ir/form/json.hpp) writes. Members of objects may come in any
/// order. Unknown, repeated and missing fields, values of another kind and another version are
/// errors. References may point forward or dangle: `validate` reports that, and a graph that it
/// accepts is marked as valid. Errors: `graph_syntax` with line, column and offset, which `caret`
/// shows. Limits: those of `parse_json`, `max_distinct_entries`, `max_rank`. O(size) for graphs
/// with few operators and derived extents.
constexpr result<graph> parse_graph_json(text_view source) {
  const result<json_document> json = parse_json(source);
  if (!json) return json.error();
  return detail::with_validity(detail::graph_json_reader(source, *json).read());
}

}  // namespace wf
