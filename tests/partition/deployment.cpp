// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/deployment.hpp>

#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "programs.hpp"

namespace {

wf::guarded_program guarded(const char* source) {
  const wf::registry kernels = wf::builtin_registry();
  auto p = programs::cut(source);
  REQUIRE(p);
  for (const wf::gate_spec& gate : wf::standard_gates)
    p = wf::insert_gate(static_cast<wf::partitioned_program&&>(*p), gate, kernels);
  auto out = wf::complete(*p, wf::guard_rules::standard(), kernels);
  REQUIRE(out);
  return static_cast<wf::guarded_program&&>(*out);
}
wf::bootstrap start(const char* name, const char* role, std::initializer_list<const char*> needs) {
  wf::bootstrap b{wf::text(name), wf::text(role), wf::graph(name), {}};
  for (const char* n : needs) b.needs.push_back(wf::text(n));
  return b;
}
wf::result<wf::deployment> deployed(std::initializer_list<wf::bootstrap> bootstraps,
                                    const char* source = programs::one_hop) {
  wf::table<wf::bootstrap> list;
  for (const wf::bootstrap& b : bootstraps) list.push_back(b);
  return wf::deploy(guarded(source), list, {}, wf::builtin_registry());
}
std::string names(const wf::result<wf::deployment>& d) {
  if (!d) return std::string(wf::to_text(d.error()).view());
  std::string out;
  for (const wf::bootstrap& b : d->bootstraps)
    out += (out.empty() ? "" : " ") + std::string(b.name.view());
  return out;
}

}  // namespace

TEST_CASE("bootstraps run after those that they need") {
  CHECK(names(deployed({start("c", "peers", {"b", "a"}), start("b", "@self", {"a"}),
                        start("a", "peers", {})})) == "a b c");
  CHECK(names(deployed({start("a", "@self", {}), start("b", "@self", {})})) == "a b");
}
TEST_CASE("bootstraps that do not exist, or need each other, are refused") {
  CHECK(names(deployed({start("a", "@self", {"b"})})) ==
        "WF909 in 'a': it needs 'b', which does not exist");
  CHECK(names(deployed({start("d", "@self", {"a"}), start("a", "@self", {"b"}),
                        start("b", "@self", {"c"}), start("c", "@self", {"a"})})) ==
        "WF910 in 'a': bootstraps need each other: a -> b -> c -> a");
  CHECK(names(deployed({start("a", "@self", {"a"})})) ==
        "WF910 in 'a': bootstraps need each other: a -> a");
  CHECK(deployed({start("a", "@self", {}), start("a", "peers", {})}).error().code ==
        wf::errc::duplicate_name);
  CHECK(deployed({start("a", "nobody", {})}).error().code == wf::errc::unresolved_class);
}
TEST_CASE("a bootstrap sends no message: nothing would guard it") {
  wf::bootstrap b = start("a", "@self", {});
  b.workflow = programs::parsed(programs::gossip);
  CHECK(deployed({b}).error().code == wf::errc::unguarded_message);
}
TEST_CASE("two programs and one bootstrap can be deployed (G4)") {
  CHECK(names(deployed({start("warm", "peers", {})}, programs::request_and_reply).error().code ==
                      wf::errc::unresolved_class
                  ? deployed({start("warm", "servers", {})}, programs::request_and_reply)
                  : deployed({})) == "warm");
}
TEST_CASE("the passport says what a program was made of") {
  wf::table<wf::slot_binding> bindings;
  bindings.push_back({wf::text("reader"), 5, wf::text("copy"), {}});
  const char* const source =
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"peers\" : peer[P]\n"
      "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
      "node movement.copy(%2) [role = \"reader\", slot = 5] -> f64[4]\n"
      "output \"y\" = %5\n";
  const auto d = wf::deploy(guarded(source), {}, bindings, wf::builtin_registry());
  REQUIRE(d);
  std::map<std::string, std::string> passport;
  for (const wf::passport_entry& e : d->passport)
    passport[std::string(e.key.view())] = std::string(e.value.view());
  CHECK(passport["compiled"] == "v1");
  CHECK(passport["binding.reader.5"] == "copy");
  // The slot that reads a message is found behind its gates (G18).
  CHECK(passport["receive.0"] == "5");
  CHECK(passport["program.peers"].find("M_peers#") == 0);
  CHECK(passport.size() == 5);
}
TEST_CASE("the programs of one class have keys of their own in the passport") {
  auto p = programs::cut(programs::two_messages, {.split_disconnected = true});
  REQUIRE(p);
  REQUIRE(p->partitions.size() == 4);
  const auto guarded = wf::complete(*p, {}, wf::builtin_registry());
  REQUIRE(guarded);
  const auto d = wf::deploy(*guarded, {start("warm", "peers", {})}, {}, wf::builtin_registry());
  REQUIRE(d);
  const char* const keys[] = {"compiled", "program.@self", "program.@self.2", "program.peers",
                              "program.peers.2"};
  REQUIRE(d->passport.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(d->passport[i].key == keys[i]);
  for (std::size_t i = 0; i < 4; ++i) CHECK(d->passport[i + 1].value == p->partitions[i].name);
}
TEST_CASE("the identity of a deployment is that of its programs, edges, bootstraps and bindings") {
  const auto identity = [](const wf::result<wf::deployment>& d) { return d->identity; };
  const auto first = identity(deployed({}));
  CHECK(first == identity(deployed({})));
  CHECK(first != identity(deployed({}, programs::gossip)));
  CHECK(first != identity(deployed({start("a", "@self", {})})));
  wf::table<wf::slot_binding> bindings;
  bindings.push_back({wf::text("reader"), 5, wf::text("copy"), {}});
  CHECK(first !=
        wf::deploy(guarded(programs::one_hop), {}, bindings, wf::builtin_registry())->identity);
}
