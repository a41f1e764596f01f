// SPDX-License-Identifier: BSL-1.0
// Equations that recurse: a family tree, a points-to analysis, distances and ranks.
#include <wf/logic.hpp>

#include "support.hpp"

namespace logic = wf::logic;

// --8<-- [start:static]
constexpr std::size_t pairs_of_a_ring() {
  logic::database facts;
  logic::relation edge(2, false);
  for (const logic::position from : {0, 1, 2, 3}) {
    const logic::position at[] = {from, (from + 1) % 4};
    edge.append(at);
  }
  facts.add("Edge", edge);
  auto solved = evaluate(logic::rules<"Path(x,z) = Edge(x,z)\n"
                                      "Path(x,z) = Path(x,y) Edge(y,z)">(),
                         facts);
  return solved ? solved->find("Path")->size() : 0;
}
static_assert(pairs_of_a_ring() == 16);
// --8<-- [end:static]

namespace {

// --8<-- [start:family]
constexpr wf::text_view family = R"(
  Ancestor(x,z) = Parent(x,z)
  Ancestor(x,z) = Parent(x,y) Ancestor(y,z)
  Childless(x) = Parent(y,x) !HasChild(x)
  HasChild(x) = Parent(x,y)
  descendants[x] += Ancestor(x,z)
)";
constexpr wf::text_view parents =
    "Abraham\tIsaac\nIsaac\tEsau\nIsaac\tJacob\nJacob\tJoseph\nJacob\tJudah\n";
// --8<-- [end:family]

// --8<-- [start:solve]
// The tensors that a program exports, each as a list of facts.
wf::text listed(wf::text_view source, const logic::database& inputs) {
  auto strata = stratify(support::value_or_exit(logic::read_program(source)), source);
  logic::solution solved = support::value_or_exit(evaluate(support::value_or_exit(strata), inputs));
  wf::text out;
  for (logic::solved_tensor& t : solved.tensors)
    out << t.name.view() << ":\n" << facts_text(t.entries(), t.domains, solved.domains).view();
  return out;
}
// --8<-- [end:solve]

// --8<-- [start:inputs]
// Adds facts whose columns are all symbols of one domain.
void add_symbols(logic::database& to, wf::text_view name, wf::text_view facts,
                 std::uint32_t columns, std::uint32_t domain) {
  const logic::fact_format format{wf::table<std::uint32_t>(columns, domain), false};
  to.add(name, support::value_or_exit(parse_facts(facts, format, to.domains)), format.columns);
}
// --8<-- [end:inputs]

void show_family() {
  logic::database inputs;
  inputs.domains.push_back(logic::symbol_domain("person"));
  add_symbols(inputs, "Parent", parents, 2, 0);
  std::cout << listed(family, inputs);
}

// --8<-- [start:points_to]
constexpr wf::text_view points_to = R"(
  VarPointsTo(x,o) = New(x,o)
  VarPointsTo(x,o) = Assign(y,x) VarPointsTo(y,o)
  Assign(a,b) = Move(a,b)
  Alias(x,y) = VarPointsTo(x,o) VarPointsTo(y,o)
  Assign(a,b) = Store(a,q,'next') Alias(q,p) Load(p,b,'next')
  export VarPointsTo
)";
// --8<-- [end:points_to]

void show_points_to() {
  logic::database inputs;
  for (const char* name : {"variable", "object", "field"})
    inputs.domains.push_back(logic::symbol_domain(name));
  const auto add = [&](const char* name, const char* facts, wf::table<std::uint32_t> columns) {
    inputs.add(name, support::value_or_exit(parse_facts(facts, {columns, false}, inputs.domains)),
               columns);
  };
  // p = new A; q = p; q.next = r; r = new B; s = p.next
  add("New", "p\tA\nr\tB\n", {0, 1});
  add("Move", "p\tq\n", {0, 0});
  add("Store", "r\tq\tnext\n", {0, 0, 2});
  add("Load", "p\ts\tnext\n", {0, 0, 2});
  std::cout << listed(points_to, inputs);
}

// --8<-- [start:roads]
constexpr wf::text_view roads = R"(
  km[x,y] min= road[x,y]
  km[x,z] min= km[x,y] + road[y,z]
  farthest[x] max= km[x,y]
)";
// --8<-- [end:roads]

void show_roads() {
  logic::database inputs;
  inputs.domains.push_back(logic::symbol_domain("town"));
  const logic::fact_format format{{0, 0}, true};
  inputs.add("road",
             support::value_or_exit(parse_facts(
                 "Ulm\tAalen\t70\nAalen\tBonn\t400\nUlm\tBonn\t480\n", format, inputs.domains)),
             format.columns);
  std::cout << listed(roads, inputs);
}

// --8<-- [start:wrong]
void show_refusals() {
  for (wf::text_view wrong : {"Win(x) = Move(x,y) !Win(y)", "Far(x,z) = Near(x,y)",
                              "Path(x,y) = Edge(x,y)\nPath(x) = Edge(x,y) [x < 3"}) {
    const auto program = logic::read_program(wrong);
    if (!program) {
      std::cout << to_text(program.error()) << '\n' << caret(wrong, program.error().where) << '\n';
      continue;
    }
    const auto strata = stratify(*program, wrong);
    if (!strata)
      std::cout << to_text(strata.error()) << '\n' << caret(wrong, strata.error().where) << '\n';
  }
}
// --8<-- [end:wrong]

}  // namespace

int main(int argc, char** argv) {
  support::output_folder(argc, argv);
  show_family();
  show_points_to();
  show_roads();
  show_refusals();
}
