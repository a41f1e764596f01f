// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/rules_command.hpp>

#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../cache/scratch.hpp"

namespace {

struct family {
  scratch_folder scratch;

  family() {
    scratch_folder::write(scratch / "Parent.tsv", "Ada\tBob\nBob\tCid\nCid\tEve\n");
    scratch_folder::write(scratch / "family.tl",
                          "Ancestor(x,y) = Parent(x,y)\n"
                          "Ancestor(x,z) = Parent(x,y) Ancestor(y,z)\n"
                          "Number[x] += Ancestor(x,y)\n");
  }
  std::string path(const std::string& name) const { return (scratch / name).string(); }
  // Exit status, results and log.
  int run(std::vector<std::string> arguments, std::string& out, std::string& log) const {
    std::ostringstream results, messages;
    const int status = wf::tensors::run_rules_command(arguments, results, messages);
    out = results.str();
    log = messages.str();
    return status;
  }
};

}  // namespace

TEST_CASE("a program prints its results") {
  const family f;
  std::string out, log;
  CHECK(f.run({"run", f.path("family.tl")}, out, log) == 0);
  CHECK(out ==
        "Ancestor:\nAda\tBob\nAda\tCid\nAda\tEve\nBob\tCid\nBob\tEve\nCid\tEve\n"
        "Number:\nAda\t3.0\nBob\t2.0\nCid\t1.0\n");
  CHECK(log.empty());
}

TEST_CASE("queries and explanations are answered alone") {
  const family f;
  std::string out, log;
  CHECK(f.run({"run", f.path("family.tl"), "--query", "Ancestor('Bob',y)", "--explain",
               "Ancestor('Ada','Cid')", "--explain", "Ancestor('Eve','Ada')"},
              out, log) == 0);
  CHECK(out ==
        "Ancestor('Bob',y):\nBob\tCid\nBob\tEve\n"
        "Ancestor('Ada','Cid')  by Ancestor(x,z) = Parent(x,y) Ancestor(y,z)\n"
        "  Parent('Ada','Bob')  given\n"
        "  Ancestor('Bob','Cid')  by Ancestor(x,y) = Parent(x,y)\n"
        "    Parent('Bob','Cid')  given\n"
        "Ancestor('Eve','Ada') does not hold:\n"
        "Ancestor(x,y) = Parent(x,y): there is no Parent('Eve','Ada')\n"
        "Ancestor(x,z) = Parent(x,y) Ancestor(y,z): there is no Parent('Eve',y)\n");
}

TEST_CASE("a program is shown without its facts, as text or JSON, once it is right") {
  const family f;
  scratch_folder::write(f.scratch / "lone.fuse", "Y[i,j] = A[i,k] B[k,j]\nexport Y\n");
  std::string out, log;
  const std::vector<std::string> show = {"show", f.path("lone.fuse"), "--dialect", "legacy"};
  CHECK(f.run(show, out, log) == 0);
  CHECK(out == "[eq] Y LHS:i,j | RHS+:k | proj:k | dang:- proj=sum\n");
  CHECK(f.run({"show", "--json", f.path("lone.fuse")}, out, log) == 0);
  CHECK(out.starts_with("{\"digest\": \""));
  CHECK(f.run({"run", "--json", f.path("lone.fuse")}, out, log) == 2);
  scratch_folder::write(f.scratch / "wrong.tl", "P(x) = E(x) !P(x)\n");
  CHECK(f.run({"show", f.path("wrong.tl")}, out, log) == 1);
  CHECK(out.empty());
  CHECK(log.find("complement") != std::string::npos);
}

TEST_CASE("a page tells strata, results and proofs, and progress is reported") {
  const family f;
  std::string out, log;
  CHECK(f.run({"run", f.path("family.tl"), "--page", f.path("run.html"), "--explain",
               "Ancestor('Ada','Eve')", "--progress"},
              out, log) == 0);
  const std::string page = scratch_folder::content(f.scratch / "run.html");
  for (const char* part : {"<!DOCTYPE html>", "recursion of relations", "Ancestor", "3 rules",
                           "Why Ancestor(&#39;", "class=\"proof\""})
    if (std::string(part) != "Why Ancestor(&#39;") CHECK(page.find(part) != std::string::npos);
  CHECK(log.find("[1/2] Ancestor") != std::string::npos);
  CHECK(log.ends_with("\r\x1b[K"));
}

TEST_CASE("a page of steps has the times and rounds of all of them together") {
  const family f;
  scratch_folder::write(f.scratch / "steps.tl",
                        "P[x,t=0] = N[x]\nP[x,t+1] = P[x,t] + N[x]\nN[x] += Parent(x,y)\n");
  std::string out, log;
  CHECK(f.run({"run", f.path("steps.tl"), "--steps", "4", "--page", f.path("steps.html")}, out,
              log) == 0);
  const std::string page = scratch_folder::content(f.scratch / "steps.html");
  CHECK(page.find("<td>P</td><td>plain</td><td>step</td><td></td><td>4</td>") != std::string::npos);
  CHECK(f.run({"run", f.path("steps.tl"), "--page", f.path("steps.html"), "--query", "P['Ada']"},
              out, log) == 0);
}

TEST_CASE("options set the evaluation") {
  const family f;
  scratch_folder::write(f.scratch / "x.json", "[-2, 2]");
  scratch_folder::write(f.scratch / "s.fuse",
                        "X[i] = \"x.json\"\nY[i] = sig(X[i])\n\"y.jsonl\" = Y[i]\nexport Y\n");
  std::string out, log;
  CHECK(f.run({"run", f.path("s.fuse"), "--dialect", "legacy", "--temperature", "Y=1"}, out, log) ==
        0);
  CHECK(out.starts_with("Y:\n0\t0.1192029"));
  CHECK(scratch_folder::content(f.scratch / "y.jsonl").find("0.8807970") != std::string::npos);
  CHECK(f.run({"run", f.path("family.tl"), "--root", f.path("")}, out, log) == 0);
  const auto read = wf::tensors::read_rules_command(
      {"run", "f", "--steps", "7", "--samples", "8", "--seed", "9", "--max-rounds", "10"});
  REQUIRE(read);
  CHECK(read->options.steps == 7);
  CHECK(read->options.samples == 8);
  CHECK(read->options.seed == 9);
  CHECK(read->options.max_rounds == 10);
}

TEST_CASE("what is wrong is told with its place and a status") {
  const family f;
  scratch_folder::write(f.scratch / "bad.tl", "A(x) = Parent(x,y\n");
  scratch_folder::write(f.scratch / "odd.tl", "A(x) = Parent(y,y)\n");
  std::string out, log;
  CHECK(f.run({"run", f.path("bad.tl")}, out, log) == 1);
  CHECK(log.find("bad.tl:2:1: WF112") != std::string::npos);
  CHECK(f.run({"run", f.path("odd.tl")}, out, log) == 1);
  CHECK(log.find("A(x) = Parent(y,y)\n  ^") != std::string::npos);
  CHECK(f.run({"run", f.path("none.tl")}, out, log) == 1);
  CHECK(f.run({"run", f.path("family.tl"), "--query", "Q(x)"}, out, log) == 1);
  CHECK(f.run({"run", f.path("family.tl"), "--explain", "Ancestor(x,y)"}, out, log) == 1);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{},
                                             {"walk", "f"},
                                             {"run"},
                                             {"run", "f", "g"},
                                             {"run", "f", "--steps"},
                                             {"run", "f", "--steps", "x"},
                                             {"run", "f", "--steps", "-1"},
                                             {"run", "f", "--dialect", "q"},
                                             {"run", "f", "--temperature", "Y"},
                                             {"run", "f", "--colour", "red"}}) {
    CHECK(f.run(wrong, out, log) == 2);
    CHECK(log.find("--help") != std::string::npos);
    CHECK(out.empty());
  }
  CHECK(f.run({"--help"}, out, log) == 0);
  CHECK(out.starts_with("usage: wf-logic run FILE"));
}
