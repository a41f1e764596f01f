// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/text.hpp>

#include <cmath>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/parse.hpp>
#include <wf/ir/same.hpp>

namespace {

using namespace wf;

// A graph that uses every feature, at random.
graph random_feature_graph(std::mt19937_64& random) {
  graph g((text() << "g" << random() % 100).view());
  std::uint32_t names = 0;
  const auto extent_at_random = [&]() -> extent {
    switch (random() % 4) {
      case 0:
        return extent(static_cast<std::int64_t>(random() % 100));
      case 1:
        return extent(random() % 2 == 0 ? "M" : "batch_0");
      case 2:
        return g.add_derived(random() % 2 == 0 ? "M*N" : "2*M + 1");
      default:
        return extent(7);
    }
  };
  const auto type_at_random = [&] {
    value_type t{static_cast<dtype>(1 + random() % (dtype_count - 1)), {}, {}};
    t.known = wf::detail::close_properties(static_cast<std::uint32_t>(random() % 256));
    for (std::size_t r = random() % 4; r > 0; --r) t.shape.push_back(extent_at_random());
    return t;
  };
  const std::size_t steps = 1 + random() % 12;
  g.add_input("first", type_at_random());
  for (std::size_t s = 0; s < steps; ++s) {
    if (random() % 3 == 0) {
      g.add_input((text() << "in" << names++).view(), type_at_random());
      continue;
    }
    table<value_id> operands;
    for (std::size_t k = random() % 4; k > 0; --k)
      operands.push_back(static_cast<value_id>(random() % g.view().values.size()));
    table<value_type> results;
    for (std::size_t k = random() % 3; k > 0; --k) results.push_back(type_at_random());
    table<attribute_value> attributes;
    if (random() % 2 == 0)
      attributes.push_back(attribute_value::integer("i", static_cast<std::int64_t>(random())));
    if (random() % 2 == 0) attributes.push_back(attribute_value::ratio("r", -3, 7));
    if (random() % 2 == 0)
      attributes.push_back(attribute_value::floating(
          "x", std::ldexp(1.0 + 1e-9 * static_cast<double>(random() % 1000),
                          static_cast<int>(random() % 600) - 300)));
    if (random() % 2 == 0)
      attributes.push_back(attribute_value::string("s", "odd \"characters\"\n\\ and #"));
    if (random() % 2 == 0)
      attributes.push_back(attribute_value::dimension("d", extent_at_random()));
    node_description d;
    d.op = random() % 2 == 0 ? "matmul" : "user_op";
    d.domain = random() % 2 == 0 ? "linalg" : "user";
    d.attributes = attributes;
    if (random() % 3 == 0) d.name = "named";
    d.effects = static_cast<effect>(random() % 3);
    if (random() % 4 == 0) d.peer = "worker";
    if (random() % 2 == 0) d.file = "dir/file.cpp", d.line = 12, d.column = 3;
    g.add_node(d, operands, results);
    if (random() % 3 == 0) g.add_cost("flops", random() % 2 == 0 ? "unknown" : "2*M**2");
  }
  for (std::size_t k = 0; g.view().nodes.size() > 1 && k < random() % 3; ++k)
    g.add_edge(random() % 2 == 0 ? edge_kind::control : edge_kind::mutate, node_id{0},
               static_cast<node_id>(g.view().nodes.size() - 1));
  g.add_output("out", static_cast<value_id>(random() % g.view().values.size()));
  return g;
}

}  // namespace

TEST_CASE("the text form round-trips random graphs of every feature") {
  std::mt19937_64 random(31);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const graph g = random_feature_graph(random);
    const text written = to_text(g.view());
    const auto read = parse_graph(written.view());
    INFO(std::string(written.view()));
    if (!read) INFO(std::string(to_text(read.error()).view()));
    REQUIRE(read);
    CHECK(same(g.view(), read->view()));
    CHECK(to_text(read->view()) == written);
    CHECK(digest(g.view()) == digest(read->view()));
  }
}
