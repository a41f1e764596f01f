// SPDX-License-Identifier: BSL-1.0
// Equations that recurse: a family tree with proofs, a points-to analysis, distances, attention,
// and a rule that is learned.
#include <wf/logic.hpp>
#include <wf/report/logic/proof_svg.hpp>

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
logic::stratified_program ordered(wf::text_view source) {
  const auto program = logic::read_program(source);
  return support::value_or_exit(stratify(support::value_or_exit(program), source));
}
// The tensors that a program exports, each as a list of facts.
wf::text listed(wf::text_view source, const logic::database& inputs) {
  logic::solution solved = support::value_or_exit(evaluate(ordered(source), inputs));
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

logic::database family_facts() {
  logic::database inputs;
  inputs.domains.push_back(logic::symbol_domain("person"));
  add_symbols(inputs, "Parent", parents, 2, 0);
  return inputs;
}

// --8<-- [start:proof]
void show_proof(const std::filesystem::path& folder) {
  const logic::stratified_program program = ordered(family);
  const logic::database inputs = family_facts();
  logic::proof_session session(program, inputs);
  const auto proof = support::value_or_exit(session.prove("Ancestor('Isaac','Judah')"));
  std::cout << proof_text(proof, session, family);
  support::write(folder / "rules_proof.svg", proof_svg(proof, session, family));
  std::cout << why_not_text(support::value_or_exit(session.why_not("Childless('Jacob')")), session,
                            family);
}
// --8<-- [end:proof]

// --8<-- [start:living]
void show_living_family() {
  logic::incremental_session session(ordered(family), family_facts());
  std::cout << support::value_or_exit(session.size("Ancestor")) << " ancestors\n";
  logic::database born;
  born.domains.push_back(logic::symbol_domain("person"));
  add_symbols(born, "Parent", "Joseph\tEsau\n", 2, 0);
  for (const bool adds : {true, false}) {
    const auto done =
        support::value_or_exit(adds ? session.update(born) : session.update({}, born));
    std::cout << done.grown << " strata went on, " << done.recomputed << " were computed again; "
              << support::value_or_exit(session.size("Ancestor")) << " ancestors\n";
  }
}
// --8<-- [end:living]

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

// --8<-- [start:attention]
constexpr wf::text_view attention = R"(
  Score[p,q] = Query[p,d] Key[q,d]
  Weight[p,q] = softmax(Score[p,q])
  Seen[p,h] = Weight[p,q] Value[q,h]
)";
// --8<-- [end:attention]

void show_attention() {
  logic::database inputs;
  const std::int64_t extents[] = {2, 2};
  const double identity[] = {1, 0, 0, 1}, values[] = {1, 2, 3, 4};
  inputs.add_dense("Query", extents, identity);
  inputs.add_dense("Key", extents, identity);
  inputs.add_dense("Value", extents, values);
  std::cout << listed(attention, inputs);
}

// --8<-- [start:uncles]
constexpr wf::text_view uncles = R"(
  W[r,s] = sigmoid(logit[r,s])
  guess[x,z] += W[r,s] Fact(r,x,y) Fact(s,y,z)
  loss[] += square(guess[x,z] - uncle[x,z])
)";
constexpr wf::text_view known =
    "brother\tBen\tAnn\nbrother\tCal\tDan\nparent\tAnn\tEve\nparent\tAnn\tFay\n"
    "parent\tDan\tGil\nparent\tEve\tHal\nparent\tBen\tIda\n";
constexpr wf::text_view answers = "Ben\tEve\t1\nBen\tFay\t1\nCal\tGil\t1\n";
// --8<-- [end:uncles]

// --8<-- [start:learn]
void learn_uncles() {
  const wf::text_view by[] = {"logit"};
  const wf::gradient_request wanted{.output = "loss", .inputs = by};
  const auto made = gradient(support::value_or_exit(logic::read_program(uncles)), wanted);
  const auto program = support::value_or_exit(stratify(support::value_or_exit(made), uncles));

  logic::database inputs;
  for (const char* name : {"relation", "person"})
    inputs.domains.push_back(logic::symbol_domain(name));
  const logic::fact_format facts{{0, 1, 1}, false}, weighed{{1, 1}, true}, logits{{0, 0}, true};
  const auto add = [&](const char* name, wf::text_view lines, const logic::fact_format& format) {
    inputs.add(name, support::value_or_exit(parse_facts(lines, format, inputs.domains)),
               format.columns);
  };
  add("Fact", known, facts);
  add("uncle", answers, weighed);
  add("logit", "brother\tbrother\t0\nbrother\tparent\t0\nparent\tbrother\t0\nparent\tparent\t0\n",
      logits);

  for (int step = 0;; ++step) {
    logic::solution solved = support::value_or_exit(evaluate(program, inputs));
    if (step % 100 == 0)
      std::cout << "loss after " << step << " steps: " << solved.find("loss")->entries().values[0]
                << '\n';
    if (step == 200) {
      std::cout << facts_text(solved.find("W")->entries(), logits.columns, solved.domains);
      return;
    }
    logic::relation& logit = inputs.relations.back().entries;
    const logic::relation& slope = solved.find("grad_logit")->entries();
    for (std::size_t i = 0; i < logit.rows; ++i) logit.values[i] -= 2 * slope.values[i];
  }
}
// --8<-- [end:learn]

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
  const std::filesystem::path folder = support::output_folder(argc, argv);
  std::cout << listed(family, family_facts());
  show_proof(folder);
  show_living_family();
  show_points_to();
  show_roads();
  show_attention();
  learn_uncles();
  show_refusals();
}
