// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/joining.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../../sanitized.hpp"
#include "../programs.hpp"

namespace {

constexpr std::uint32_t machines_each = 3;

// A random workflow whose values go to lists of several machines, lists within lists among them,
// and are collected again; and what it computes on given machines, one by one.
class forking_program {
 public:
  explicit forking_program(std::uint64_t seed) : random_(seed), g_("forking") {
    for (const char* name : {"left", "right"})
      lists_.push_back(
          {name, g_.add_input(
                     name, {wf::dtype::peer, {}, wf::shape::of(static_cast<int>(machines_each))})});
    const wf::value_type number{wf::dtype::f64, {}, {}};
    facts_[index(g_.add_input("x", number))] = {kind::input, {}, {}, host};
    open_.push_back(wf::value_id{2});
    for (std::uint32_t n = 10 + below(20); n > 0; --n) grow();
    for (const wf::value_id v : open_)
      if (fact_of(v).way.empty())
        g_.add_output((std::string("y") + std::to_string(g_.view().outputs.size())).c_str(), v);
  }
  const wf::graph& workflow() const { return g_; }
  std::size_t collections() const { return collections_; }
  std::size_t nested() const { return nested_; }

  // The value of each output, where `machine` tells the number of the k-th machine of a list.
  template <class Machine>
  std::map<std::string, std::uint64_t> outputs(const Machine& machine) const {
    std::map<std::string, std::uint64_t> out;
    const wf::graph_view g = g_.view();
    for (const wf::output& o : g.outputs)
      out[std::string(g.text_of(o.name))] = compute(o.source, {}, machine);
    return out;
  }

 private:
  enum class kind { input, operation, message, collection };
  static constexpr std::uint32_t host = UINT32_MAX;
  // What is known of a value: how it is made, to which lists it has gone, and which of their
  // machines has it; with the value of the machine that sent it, if a message brought it.
  struct fact {
    kind made = kind::input;
    std::vector<wf::value_id> operands;
    std::vector<std::uint32_t> way;  // indices of lists
    std::uint32_t where = host;      // index into `way`
    wf::value_id sender = wf::value_id::none;
    std::uint32_t sender_where = host;
  };
  struct list {
    std::string name;
    wf::value_id value{};
  };

  static std::uint32_t index(wf::value_id v) { return static_cast<std::uint32_t>(v); }
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  const fact& fact_of(wf::value_id v) const { return facts_.at(index(v)); }
  wf::value_id some() { return open_[below(open_.size())]; }

  void grow() {
    const wf::value_id v = some();
    const fact f = fact_of(v);
    switch (below(5)) {
      case 0:
        return operate(v);
      case 1:
        if (f.way.size() < 3) return send(v, below(lists_.size()));
        return;
      case 2:
      case 3:
        if (f.sender != wf::value_id::none) answer(v);
        return;
      default: {
        std::vector<wf::value_id> answered;
        for (const wf::value_id w : open_)
          if (fact_of(w).where + 1 != fact_of(w).way.size() && !fact_of(w).way.empty())
            answered.push_back(w);
        if (!answered.empty()) collect(answered[below(answered.size())]);
      }
    }
  }
  // With a second operand of the same machine, if there is one whose way is a part of this one's.
  void operate(wf::value_id v) {
    std::vector<wf::value_id> operands{v};
    const fact f = fact_of(v);
    const wf::value_id w = some();
    const fact& other = fact_of(w);
    if (other.where == f.where && other.way.size() <= f.way.size() &&
        std::equal(other.way.begin(), other.way.end(), f.way.begin()))
      operands.push_back(w);
    const wf::value_type number{wf::dtype::f64, {}, {}};
    const wf::node_id made = g_.add_node({.op = operands.size() == 1 ? "user.mine" : "user.ours"},
                                         {operands.data(), operands.size()}, {&number, 1});
    fact of = f;
    of.made = kind::operation;
    of.operands = operands;
    take(wf::graph_view::output_of(g_[made]), of);
  }
  void message(wf::value_id v, wf::value_id to, fact of) {
    const wf::value_id operands[] = {v, to};
    const wf::value_type type = g_[v].type;
    const wf::value_type results[] = {type, {wf::dtype::peer, {}, {}}, {wf::dtype::u64, {}, {}}};
    const wf::node_id made =
        g_.add_node({.op = "send", .domain = "wire", .effects = wf::effect::external},
                    {operands, 2}, {results, 3});
    of.made = kind::message;
    of.operands = {v};
    of.sender = wf::graph_view::output_of(g_[made], 1);
    of.sender_where = fact_of(v).where;
    take(wf::graph_view::output_of(g_[made]), of);
  }
  void send(wf::value_id v, std::uint32_t to) {
    fact of = fact_of(v);
    of.way.push_back(to);
    of.where = static_cast<std::uint32_t>(of.way.size() - 1);
    message(v, lists_[to].value, of);
  }
  void answer(wf::value_id v) {
    fact of = fact_of(v);
    of.where = of.sender_where;
    message(v, fact_of(v).sender, of);
  }
  // The machine that collects is none of those from which it does.
  void collect(wf::value_id v) {
    fact of = fact_of(v);
    if (g_[v].type.shape.rank > 2) return;
    nested_ += of.way.size() > 1 ? 1 : 0;
    const wf::value_id operands[] = {v, lists_[of.way.back()].value};
    wf::value_type type = g_[v].type;
    type.shape = {};
    type.shape.push_back(wf::extent(static_cast<int>(machines_each)));
    for (std::uint32_t d = 0; d < g_[v].type.shape.rank; ++d)
      type.shape.push_back(g_[v].type.shape[d]);
    const wf::node_id made =
        g_.add_node({.op = "collect", .domain = "wire"}, {operands, 2}, {&type, 1});
    of.made = kind::collection;
    of.operands = {v};
    of.way.pop_back();
    of.sender = wf::value_id::none;
    ++collections_;
    take(wf::graph_view::output_of(g_[made]), of);
  }
  void take(wf::value_id v, const fact& f) {
    facts_[index(v)] = f;
    open_.push_back(v);
  }

  // By the definition: a value for each choice of machines on its way.
  template <class Machine>
  std::uint64_t compute(wf::value_id v, std::vector<std::uint32_t> chosen,
                        const Machine& machine) const {
    const fact& f = fact_of(v);
    chosen.resize(f.way.size());
    if (f.made == kind::input) return hashed::input(g_.view().text_of(g_[v].name));
    const wf::graph_view g = g_.view();
    if (f.made == kind::message) return compute(f.operands[0], chosen, machine);
    std::uint64_t h = wf::hash_text(g.op_name(g[g[v].producer]));
    const std::uint32_t here = f.where == host
                                   ? machine("@self", 0)
                                   : machine(lists_[f.way[f.where]].name, chosen[f.where]);
    if (f.made == kind::collection) {
      chosen.push_back(0);
      for (; chosen.back() < machines_each; ++chosen.back())
        h = hashed::mixed(h, compute(f.operands[0], chosen, machine));
      return hashed::mixed(h, here);
    }
    for (const wf::value_id operand : f.operands)
      h = hashed::mixed(h, compute(operand, chosen, machine));
    return hashed::mixed(h, here);
  }

  std::mt19937_64 random_;
  wf::graph g_;
  std::vector<list> lists_;
  std::map<std::uint32_t, fact> facts_;
  std::vector<wf::value_id> open_;
  std::size_t collections_ = 0, nested_ = 0;
};

// Computes a node from its operands and the machine on which it runs.
struct by_machine {
  wf::error operator()(const wf::graph_view& g, wf::node_id id,
                       wf::view<const machine_case::value*> operands,
                       wf::table<machine_case::value>& results, std::uint32_t machine) const {
    std::uint64_t h = wf::hash_text(g.op_name(g[id]));
    for (const machine_case::value* v : operands) h = hashed::mixed(h, v->datum);
    for (machine_case::value& r : results) r.datum = hashed::mixed(h, machine);
    return {};
  }
};

}  // namespace

TEST_CASE("what is collected is what each machine of the list has made of it") {
  std::size_t collections = 0, nested = 0, outputs = 0;
  const std::uint64_t count = wf_test::sanitized ? 60 : 400;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    CAPTURE(seed);
    const forking_program program(seed);
    const auto deployed =
        wf::deploy(program.workflow().view(), {.per_hop_budget = 1'000'000'000'000});
    REQUIRE_MESSAGE(deployed, std::string(wf::to_text(deployed.error()).view()));
    machine_case::machines_of m(*deployed, machines_each);
    // Classes to which something is sent that nobody reads there have machines, too.
    for (const char* role : {"left", "right"})
      for (std::uint32_t k = 0; k < machines_each; ++k) {
        const wf::text name = wf::text(role) << k;
        if (wf::fault::find_peer(m.script, name.view()) < m.script.peers.size()) continue;
        m.script.peers.push_back(name);
        m.roles.push_back({name, wf::text(role)});
      }
    const auto machine = [&](const std::string& role, std::uint32_t k) {
      const std::string name = (role == "@self" ? "host" : role) + std::to_string(k);
      return wf::fault::find_peer(m.script, wf::text_view(name.data(), name.size()));
    };
    const auto expected = program.outputs(machine);
    collections += program.collections();
    nested += program.nested();
    m.script.seed = seed;
    for (const bool has_faults : {false, true}) {
      CAPTURE(has_faults);
      if (has_faults)
        machine_case::add_rules(m.script,
                                {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate,
                                 wf::fault::rule_effect::delay},
                                0.2, 20'000'000);
      const std::vector<machine_case::call> calls{machine_case::call_at(*deployed, 0),
                                                  machine_case::call_at(*deployed, 3'000'000)};
      const auto r = m.run(*deployed, calls, {}, by_machine());
      REQUIRE_MESSAGE(r, std::string(wf::to_text(r.error()).view()));
      REQUIRE(r->failure.code == wf::errc::none);
      REQUIRE(r->failures.empty());
      // Finished calls are forgotten, and nothing changes.
      wf::machine_run_options keeping;
      keeping.messages.collects = false;
      const auto all = m.run(*deployed, calls, keeping, by_machine());
      REQUIRE(all);
      REQUIRE(all->run.trace == r->run.trace);
      REQUIRE(all->outputs.size() == r->outputs.size());
      REQUIRE(all->slots_kept >= r->slots_kept);
      for (std::uint64_t call = 1; call <= 2; ++call) {
        const auto got = machine_case::outputs_of(*deployed, *r, call);
        REQUIRE(got.size() == expected.size());
        for (const auto& [name, value] : expected) {
          CAPTURE(name);
          REQUIRE(got.at(name) == std::vector<std::uint64_t>{value});
          ++outputs;
        }
      }
    }
  }
  MESSAGE(collections << " collections, " << nested << " of them nested, " << outputs
                      << " outputs");
  CHECK(collections > count / 2);
  CHECK(nested > count / 10);
}

namespace {

// The servers' own values, collected by the host.
const char* const owns =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[]\n"
    "input \"servers\" : peer[3]\n"
    "node wire.send(%0, %1) effect external -> f64[], peer[], u64[]\n"
    "node user.mine(%2) -> f64[]\n"
    "node wire.send(%5, %3) effect external -> f64[], peer[], u64[]\n"
    "node wire.collect(%6, %1) -> f64[3]\n"
    "output \"y\" = %9\n";

// Tells which machine it is, and what it collects by their digits.
struct by_number {
  wf::error operator()(const wf::graph_view& g, wf::node_id id,
                       wf::view<const machine_case::value*> operands,
                       wf::table<machine_case::value>& results, std::uint32_t machine) const {
    results[0].datum = machine;
    if (g.op_name(g[id]) != wf::text_view("collect")) return {};
    results[0].datum = 0;
    for (const machine_case::value* v : operands)
      results[0].datum = 10 * results[0].datum + v->datum;
    return {};
  }
};

}  // namespace

TEST_CASE("what is collected is in the order of the list, and the list as long as it states") {
  const auto d = wf::deploy(programs::parsed(owns).view());
  REQUIRE(d);
  const machine_case::machines_of m(*d, 3);
  const std::vector<machine_case::call> calls{machine_case::call_at(*d, 0)};
  wf::machine_run_options options;
  const auto all = m.run(*d, calls, options, by_number());
  REQUIRE(all);
  CHECK(machine_case::outputs_of(*d, *all, 1).at("y") == std::vector<std::uint64_t>{123});
  options.lists.push_back(
      {wf::text("servers"), {wf::text("servers2"), wf::text("servers0"), wf::text("servers1")}});
  const auto turned = m.run(*d, calls, options, by_number());
  REQUIRE(turned);
  CHECK(machine_case::outputs_of(*d, *turned, 1).at("y") == std::vector<std::uint64_t>{312});
  options.lists.back().machines.resize(2);
  const auto few = m.run(*d, calls, options, by_number());
  REQUIRE(few);
  CHECK(few->outputs.empty());
  REQUIRE(few->failures.size() == 2);
  CHECK(few->failures[0].failure.code == wf::errc::argument_shape);
  CHECK(few->failures[0].failure.message.view() ==
        wf::text_view("the list has another number of machines than its type states"));
}

TEST_CASE("without the answer of one machine, nothing is collected") {
  const auto d = wf::deploy(programs::parsed(owns).view());
  REQUIRE(d);
  machine_case::machines_of m(*d, 3);
  wf::fault::event crash;
  crash.what.kind = wf::fault::action_kind::crash;
  crash.what.peer = 2;
  m.script.events.push_back(crash);
  const auto r = m.run(*d, {machine_case::call_at(*d, 1)}, {}, by_number());
  REQUIRE(r);
  CHECK(r->outputs.empty());
  CHECK(r->run.broken.invariant == 0);
}

TEST_CASE("a call waits for what is collected from the start on") {
  const auto d = wf::deploy(
      programs::parsed("wf.graph 1 \"M\"\n"
                       "input \"x\" : f64[]\n"
                       "input \"root\" : peer[1]\n"
                       "input \"servers\" : peer[3]\n"
                       "node user.seed() peer \"root\" -> f64[]\n"
                       "node wire.send(%3, %2) effect external -> f64[], peer[], u64[]\n"
                       "node user.mine(%4) -> f64[]\n"
                       "node wire.send(%7, %5) effect external -> f64[], peer[], u64[]\n"
                       "node wire.collect(%8, %2) -> f64[3]\n"
                       "node wire.send(%0, %1) effect external -> f64[], peer[], u64[]\n"
                       "node user.both(%11, %12) -> f64[]\n"
                       "node wire.send(%15, %13) effect external -> f64[], peer[], u64[]\n"
                       "output \"y\" = %16\n")
          .view());
  REQUIRE_MESSAGE(d, std::string(wf::to_text(d.error()).view()));
  machine_case::machines_of m(*d, 3);
  // One machine of "root".
  for (std::size_t i = m.roles.size(); i-- > 0;)
    if (m.roles[i].machine == "root1" || m.roles[i].machine == "root2")
      m.roles.erase(m.roles.begin() + static_cast<std::ptrdiff_t>(i));
  for (const bool collects : {true, false}) {
    CAPTURE(collects);
    wf::machine_run_options options;
    options.messages.collects = collects;
    const auto r = m.run(*d, {machine_case::call_at(*d, 0), machine_case::call_at(*d, 9'000'000)},
                         options, by_number());
    REQUIRE(r);
    CHECK(r->failures.empty());
    CHECK(r->outputs.size() == 2);
  }
}
