// SPDX-License-Identifier: BSL-1.0
//
// Compilation as a composition of steps: wf's own toolchain is stopped early, entered late,
// modified, traced and cached on disk; then a user-defined back end compiles scalar workflows to a
// tape.
#include <wf/cache/cached.hpp>
#include <wf/cache/store/directory.hpp>
#include <wf/compile/program.hpp>
#include <wf/compile/toolchain.hpp>
#include <wf/report.hpp>
#include <wf/report/toolchain/step_times.hpp>
#include <wf/wf.hpp>

#include <map>
#include <string>
#include <vector>

#include "support.hpp"

// --8<-- [start:workflow]
// A chain of products, whose order matters: A*(B*(C*x)) is the cheapest.
constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto a = s.input<"A", double, 16, 16>();
  auto b = s.input<"B", double, 16, 16>();
  auto c = s.input<"C", double, 16, 16>();
  auto x = s.input<"x", double, 16, 1>();
  s.output<"y">(a * b * c * x);
});

constexpr wf::compile_settings settings() {
  wf::compile_settings s;
  s.array.rows = 1;
  s.array.columns = 2;
  s.array.memory_bytes = 64 * 1024;
  return s;
}
// --8<-- [end:workflow]

// --8<-- [start:whole]
// Capture, validate, canonicalise, price, expand, select, map, simulate: all of it while compiling.
static_assert(wf::default_toolchain(settings())(wf::define(chain))->replay.makespan == 6400);
// --8<-- [end:whole]

// --8<-- [start:early]
// Run up to a step: returns that step's stage, with its type.
static_assert(wf::default_toolchain().until<"plan/price">(wf::define(chain))->costs.totals.size() ==
              1);
static_assert(wf::default_toolchain().until<"plan">(wf::define(chain))->value == 3 * (2 * 16 * 16));
// --8<-- [end:early]

// --8<-- [start:late]
// Run from a stage: its type, or the name of a step, decides where it enters.
static_assert(wf::default_toolchain(settings()).from(wf::graph(chain.graph()))->replay.makespan ==
              6400);
constexpr bool enters_late() {
  const auto steps = wf::default_toolchain(settings());
  const auto plan = steps.until<"plan">(wf::define(chain));
  return steps.from(*plan)->replay.makespan == 6400 &&
         steps.from<"place/map">(*plan)->replay.makespan == 6400;
}
static_assert(enters_late());
// --8<-- [end:late]

// --8<-- [start:swap]
// A user-defined step replaces the search: it takes the first candidate of every class, which is
// the workflow as written. The new toolchain is another value and leaves the old one unchanged; a
// step that does not fit its neighbours is a compile-time error.
constexpr auto first_come = [](const wf::priced_choices& c) -> wf::result<wf::plan> {
  const wf::graph_view candidates = c.choices.view();
  wf::table<std::uint32_t> chosen(c.classes.count, wf::class_numbers::none);
  for (std::uint32_t i = 0; i < candidates.nodes.size(); ++i) {
    const std::uint32_t number = c.classes.of_value[candidates.nodes[i].outputs.first];
    if (number < chosen.size() && chosen[number] == wf::class_numbers::none) chosen[number] = i;
  }
  auto taken = wf::extract(c.choices, c.classes, chosen);
  if (!taken) return taken.error();
  const auto flops = wf::price(taken->view(), wf::flops);
  if (!flops) return flops.error();
  wf::plan out;
  out.chosen = *taken;
  out.value = *flops;
  return out;
};
static_assert(wf::default_toolchain()
                  .replace<"plan/select">(first_come)
                  .until<"plan">(wf::define(chain))
                  ->value == 2 * (2 * 16 * 16 * 16) + 2 * 16 * 16);
// --8<-- [end:swap]

// --8<-- [start:backend]
// A user-defined back end: scalar workflows become a tape for a machine with a stack of numbers.
namespace tape {

using arguments = std::map<std::string, double>;

struct machine {
  struct step {
    char op;           // '=' for a constant
    std::size_t a, b;  // the positions of its operands on the stack
    double value;      // the value of a constant
  };
  std::vector<std::string> inputs;  // in the order of the first stack entries
  std::vector<step> steps;          // each pushes a number
  std::size_t result = 0;

  // The types of the arguments, and the values of those that are static and compiled in.
  static wf::result<wf::type_args> types_of(const wf::graph_view&, const arguments& given,
                                            const wf::table<wf::text>& static_inputs) {
    wf::type_args out;
    for (const auto& [name, value] : given) {
      bool fixed = false;
      for (const wf::text& s : static_inputs) fixed = fixed || s.view() == name;
      if (fixed)
        out.fixed.push_back(wf::static_arg(name, value));
      else
        out.types.push_back({wf::text(name), {wf::dtype::f64, {}, {}}});
    }
    return out;
  }
  static arguments without(arguments given, const wf::table<wf::text>& static_inputs) {
    for (const wf::text& s : static_inputs) given.erase(static_cast<std::string>(s.view()));
    return given;
  }
  // Executes the artifact.
  wf::result<double> operator()(const arguments& given) const {
    std::vector<double> numbers;
    for (const std::string& name : inputs) {
      const auto found = given.find(name);
      if (found == given.end())
        return wf::make_error(wf::errc::missing_argument, name, "the run needs this input");
      numbers.push_back(found->second);
    }
    for (const auto& [op, a, b, value] : steps) {
      if (op == '=') {
        numbers.push_back(value);
        continue;
      }
      const double x = numbers[a], y = numbers[b];
      numbers.push_back(op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y);
    }
    return numbers[result];
  }
};

// An artifact is a value that can be compared, stored, and loaded.
struct artifact {
  wf::graph program;
  machine load() const {
    const wf::graph_view g = program.view();
    machine out;
    std::vector<std::size_t> place(g.values.size());
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      if (g.values[i].producer != wf::node_id::none) continue;
      place[i] = out.inputs.size();
      out.inputs.emplace_back(g.text_of(g.values[i].name));
    }
    std::size_t next = out.inputs.size();
    for (const wf::node& n : g.nodes) {
      const auto operands = g.inputs_of(n);
      machine::step made{symbol_of(g.op_name(n)), 0, 0, 0};
      if (made.op == '=') {
        made.value = g.find_attribute(n, "value")->real;
      } else {
        made.a = place[wf::index_of(operands[0])];
        made.b = place[wf::index_of(operands[1])];
      }
      out.steps.push_back(made);
      place[n.outputs.first] = next++;
    }
    out.result = place[wf::index_of(g.outputs[0].source)];
    return out;
  }
  static char symbol_of(wf::text_view op) {
    if (op == "add") return '+';
    if (op == "subtract") return '-';
    if (op == "multiply") return '*';
    if (op == "divide") return '/';
    return op == "constant" ? '=' : '?';
  }
};

// Serialisation of artifacts, for caches on disk.
inline wf::text encode_stage(const artifact& a) { return wf::to_text(a.program.view()); }
inline wf::result<artifact> decode_stage(wf::text_view characters, std::type_identity<artifact>) {
  auto program = wf::parse_graph(characters);
  if (!program) return program.error();
  return artifact{*program};
}

// The executor: translates the final plan of the transforms to the artifact.
inline constexpr auto translate =
    wf::step<"translate">([](const wf::plan& p) -> wf::result<artifact> {
      const wf::graph_view g = p.chosen.view();
      for (const wf::node& n : g.nodes)
        if (artifact::symbol_of(g.op_name(n)) == '?')
          return wf::make_error(wf::errc::not_executable, g.op_name(n),
                                "the tape adds, subtracts, multiplies and divides");
      return artifact{p.chosen};
    });

constexpr auto backend() {
  return wf::make_backend<"tape">(wf::planning_toolchain(wf::compile_settings{}), translate);
}

}  // namespace tape
// --8<-- [end:backend]

// --8<-- [start:scalars]
constexpr auto orbit = wf::workflow<"orbit">([](wf::scope& s) {
  auto x = s.input<"x", double>();
  auto k = s.input<"k", double>();
  s.output<"y">(k * x * (1.0 - x));
});
// --8<-- [end:scalars]

int main(int argc, char** argv) {
  const std::filesystem::path out = support::output_folder(argc, argv);

  // --8<-- [start:watch]
  // A tracer is passed to the run; without one, tracing costs nothing.
  const auto steps = wf::default_toolchain(settings());
  wf::timing_tracer clock;
  const auto replay = support::value_or_exit(steps(wf::define(chain), clock)).replay;
  std::cout << wf::to_text(clock.times());
  support::write(out / "toolchain.svg", wf::to_svg(steps));
  // --8<-- [end:watch]
  support::require(replay.makespan == 6400, "the replay at run time is that of the compiler");

  // --8<-- [start:record]
  // All stages of one run, by the names of their steps.
  const auto all = steps.get<"plan">().record(wf::graph(chain.graph()));
  std::cout << "as written " << wf::to_text(all.get<"price">().costs.totals[0])
            << " flops, planned " << all.get<"select">().value << '\n';
  // --8<-- [end:record]
  support::require(all.get<"select">().value == 1536, "the plan is the cheapest");

  // --8<-- [start:run]
  // The back end compiles once for each set of static arguments. Here k is static: its values are
  // compiled in, so each value has its own program.
  wf::program_options options;
  options.static_inputs.push_back(wf::text("k"));
  const auto program =
      support::value_or_exit(wf::make_program(tape::backend(), orbit.graph(), options));
  const wf::static_choices ahead[] = {wf::choices_of("k", {2.5, 3.5})};
  support::value_or_exit(program.compile_all(ahead));
  const tape::arguments given = {{"x", 0.5}, {"k", 3.5}};
  std::cout << "y = " << support::value_or_exit(program(given)) << ", " << program.counters().misses
            << " programs compiled\n";
  // --8<-- [end:run]
  support::require(*program(given) == 0.875, "3.5 * 0.5 * (1 - 0.5)");
  support::require(program.counters().misses == 2, "nothing is compiled twice");

  // --8<-- [start:disk]
  // The whole compilation is cached in a folder, where the next process, and this second back end,
  // find it. "1" is the version of the user's code; it must change when the back end does.
  const std::filesystem::path folder = out / "cache";
  const auto store = wf::in_directory<tape::artifact>(folder);
  const auto kept = tape::backend().wrap_all([&](auto s) { return wf::cached(s, store, "1"); });
  const auto first = support::value_or_exit(kept.compile(orbit.graph()));
  const auto again = wf::in_directory<tape::artifact>(folder);
  const auto other = tape::backend().wrap_all([&](auto s) { return wf::cached(s, again, "1"); });
  const auto second = support::value_or_exit(other.compile(orbit.graph()));
  std::cout << again.counters().hits << " found, " << again.counters().misses << " computed\n";
  // --8<-- [end:disk]
  support::require(wf::same(first.program.view(), second.program.view()), "what is found is equal");
  support::require(again.counters().hits == 1, "the second back end computes nothing");
}
