// SPDX-License-Identifier: BSL-1.0
#pragma once

// A family tree with rules, and the texts of its proofs.

#include <string>

#include <doctest/doctest.h>

#include <wf/report/logic/proof_text.hpp>

namespace wf_test {

struct family {
  family() {
    inputs.domains.push_back(wf::logic::symbol_domain("person"));
    for (const char* name : {"Ada", "Bob", "Cid", "Dan", "Eve"}) inputs.domains[0].add(name);
    wf::logic::relation parent(2, false);
    for (const auto& [x, y] : {std::pair{0, 1}, {1, 2}, {1, 3}, {2, 4}}) {
      const wf::logic::position at[] = {x, y};
      parent.append(at);
    }
    inputs.add("Parent", parent, {0, 0});
    const auto read = wf::logic::read_program(source);
    REQUIRE(read);
    program = *wf::logic::stratify(*read, source);
  }
  std::string proof(const std::string& fact) const {
    wf::logic::proof_session session(program, inputs);
    const auto found = session.prove(fact);
    REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
    return std::string(wf::proof_text(*found, session, source));
  }
  std::string why_not(const std::string& fact) const {
    wf::logic::proof_session session(program, inputs);
    const auto found = session.why_not(fact);
    REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
    return std::string(wf::why_not_text(*found, session, source));
  }

  const std::string source =
      "Ancestor(x,y) = Parent(x,y)\n"
      "Ancestor(x,z) = Parent(x,y) Ancestor(y,z)\n"
      "Twice(x) = Ancestor(x,y) Ancestor(x,y)\n"
      "Pair(x) = Twice(x) Ancestor(x,y)\n"
      "Children[x] += Parent(x,y)\n"
      "Child(y) = Parent(x,y)\n"
      "Root(x) = Parent(x,y) !Child(x)\n";
  wf::logic::database inputs;
  wf::logic::stratified_program program;
};

}  // namespace wf_test
