// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/facts_folder.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>

#include "../../cache/scratch.hpp"

namespace {

struct folder {
  scratch_folder scratch;
  wf::tensors::sandbox box = *wf::tensors::sandbox::at(scratch.path());
  wf::logic::database facts;

  void put(const std::string& name, const std::string& content) const {
    scratch_folder::write(scratch / name, content);
  }
  // The message of an error, or "".
  std::string read(const std::string& source) {
    const auto program = wf::logic::read_program(source);
    REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
    const auto r = wf::tensors::read_facts(box, *program, facts);
    return r ? std::string() : std::string(wf::to_text(r.error()));
  }
  std::string shown(const char* name) const {
    const auto* r = facts.find(name);
    REQUIRE(r != nullptr);
    return std::string(wf::logic::facts_text(r->entries, r->domains, facts.domains));
  }
};

}  // namespace

TEST_CASE("inputs are read from files of their names, numbers and symbols") {
  folder f;
  f.put("E.tsv", "1\t2\n-3\t4\n");
  f.put("P.csv", "Ada,1\nBob,2\n");
  f.put("W.facts", "Ada\t7\t0.5\r\n");
  CHECK(f.read("A(x,y) = E(x,y)\nB(n,x) = P(n,x)\nC[n] += W[n,x] N(n)\n") == "");
  CHECK(f.shown("E") == "-3\t4\n1\t2\n");
  CHECK(f.shown("P") == "Ada\t1\nBob\t2\n");
  CHECK(f.shown("W") == "Ada\t7\t0.5\n");
  CHECK(f.facts.find("E")->domains.empty());
  CHECK(f.facts.find("N") == nullptr);  // has no file
  CHECK(f.facts.find("A") == nullptr);
}

TEST_CASE("numbers are symbols along an axis where another file has symbols") {
  folder f;
  f.put("P.tsv", "1\n2\n");
  f.put("Q.tsv", "2\nx\n");
  CHECK(f.read("Both(n) = P(n) Q(n)\n") == "");
  REQUIRE(f.facts.domains.size() == 1);
  CHECK(f.facts.domains[0].symbols.size() == 3);
  CHECK(f.shown("P") == "1\n2\n");
  CHECK(f.shown("Q") == "2\nx\n");
}

TEST_CASE("what is there is kept, and after an error nothing is added") {
  folder f;
  f.put("P.tsv", "1\n");
  f.put("Q.tsv", "1\t2\n");
  f.facts.add("P", wf::logic::relation(1, false));
  CHECK(f.read("R(n) = P(n) Q(n)\n").find("Q.tsv") != std::string::npos);
  CHECK(f.facts.relations.size() == 1);
  CHECK(f.facts.find("P")->entries.rows == 0);
}
