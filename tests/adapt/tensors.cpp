// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

#include "../cache/scratch.hpp"
#include "tensors/packed.hpp"
#include "tensors/random_tensor.hpp"

namespace {

using wf::logic::named_relation;
using wf::tensors::source_kind;

struct folder {
  scratch_folder scratch;
  wf::tensors::sandbox box = *wf::tensors::sandbox::at(scratch.path());

  void put(const std::string& name, const std::string& content) const {
    scratch_folder::write(scratch / name, content);
  }
  std::string got(const std::string& name) const { return scratch_folder::content(scratch / name); }
  std::string refused(wf::tensors::tensor_source source) const {
    wf::logic::database d;
    d.add("there", wf::logic::relation(1, false));
    const auto r = wf::tensors::read_tensor(box, source, d);
    REQUIRE(!r);
    CHECK(d.relations.size() == 1);
    CHECK(d.domains.empty());
    return std::string(to_text(r.error()).view());
  }
};

bool same(const named_relation& a, const named_relation& b) {
  const auto left = sorted(a.entries), right = sorted(b.entries);
  return left.rank == right.rank && left.valued == right.valued && a.extents == b.extents &&
         left.columns == right.columns && left.values == right.values;
}

}  // namespace

TEST_CASE("what is written by extension is read again") {
  const folder f;
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const auto made = wf_test::random_tensor(random, i % 2 == 0);
    wf::logic::database d;
    const named_relation& there = wf::tensors::add_to(d, "T", made);
    for (const char* name : {"T.npy", "T.npz"}) {
      REQUIRE(wf::tensors::write_tensor(f.box, name, there));
      const auto again = wf::tensors::read_tensor(f.box, name);
      REQUIRE(again);
      REQUIRE(again->relations.size() == 1);
      CHECK(again->relations[0].name.view() == "T");
      CHECK(same(again->relations[0], there));
    }
    for (const char* name : {"T.tsv", "T.csv"}) {
      REQUIRE(wf::tensors::write_tensor(f.box, name, there));
      wf::logic::database facts;
      REQUIRE(wf::tensors::read_tensor(
          f.box, {name, "T", static_cast<std::uint32_t>(made.extents.size())}, facts));
      // The positions of the values that are not 0.
      wf::tensors::dense_tensor truths = made;
      truths.boolean = true;
      wf::logic::database wanted;
      named_relation& positions = wf::tensors::add_to(wanted, "T", truths);
      positions.extents = {};
      CHECK(same(facts.relations[0], positions));
    }
  }
  CHECK(scratch_folder::names(f.scratch.path()).size() == 4);
}

TEST_CASE("files of facts, of JSON and of tokens are read") {
  const folder f;
  f.put("Edge.tsv", "0\t1\n2\t0\n0\t1");
  f.put("Edge.csv", "0,1\r\n2,0\r\n");
  f.put("W.json", "[[1,0],[-1,2]]");
  f.put("Text.md", "# the cat the");
  const auto edges = wf::tensors::read_tensor(f.box, "Edge.tsv");
  REQUIRE(edges);
  CHECK(!edges->relations[0].entries.valued);
  CHECK(edges->relations[0].entries.columns[1] == wf::table<wf::logic::position>{1, 0});
  CHECK(same(edges->relations[0], wf::tensors::read_tensor(f.box, "Edge.csv")->relations[0]));
  const auto weights = wf::tensors::read_tensor(f.box, "W.json");
  REQUIRE(weights);
  CHECK(weights->relations[0].entries.values == wf::table<double>{1, 0, -1, 2});

  // One database for all; a domain keeps its own number.
  wf::logic::database d;
  REQUIRE(wf::tensors::read_tensor(f.box, {"Text.md", "A"}, d));
  REQUIRE(wf::tensors::read_tensor(f.box, {"Text.md", "B", 2, source_kind::facts}, d));
  REQUIRE(wf::tensors::read_tensor(f.box, {"W.json", "P", 2, source_kind::facts}, d));
  REQUIRE(wf::tensors::read_tensor(f.box, {"Edge.tsv", "E", 2, source_kind::values}, d));
  CHECK(d.find("A")->entries.valued);
  CHECK(!d.find("B")->entries.valued);
  CHECK(d.find("A")->domains == wf::table<std::uint32_t>{UINT32_MAX, 0});
  CHECK(d.find("B")->domains == wf::table<std::uint32_t>{UINT32_MAX, 1});
  CHECK(d.domains[1].symbols == wf::table<wf::text>{"#", "the", "cat"});
  CHECK(d.find("P")->entries.columns[0] == wf::table<wf::logic::position>{0, 1});
  CHECK(d.find("P")->entries.columns[1] == wf::table<wf::logic::position>{0, 1});
  CHECK(d.find("E")->entries.values == wf::table<double>{1, 1});
  // The vocabulary is returned: nothing is written beside the text.
  CHECK(scratch_folder::names(f.scratch.path()).size() == 4);
}

TEST_CASE("archives are read whole or by array") {
  const folder f;
  const auto npy = [](double value) {
    const auto b = wf::tensors::to_npy({{}, {1}, {value}, false});
    return std::string(reinterpret_cast<const char*>(b.data()), b.size());
  };
  f.put("model.npz", wf_test::zipped({{"W.npy", npy(1), true}, {"layer.b.npy", npy(2)}}));
  f.put("model.safetensors", std::string("\x37\0\0\0\0\0\0\0", 8) +
                                 R"({"V":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}  )" +
                                 "\3\4");
  const auto all = wf::tensors::read_tensors(f.box, "model.npz");
  REQUIRE(all);
  REQUIRE(all->relations.size() == 2);
  CHECK(all->find("layer.b")->entries.values == wf::table<double>{2});
  CHECK(wf::tensors::read_tensors(f.box, "model.safetensors")->find("V")->entries.values ==
        wf::table<double>{3, 4});
  wf::logic::database d;
  REQUIRE(wf::tensors::read_tensor(f.box,
                                   {"model.npz", "Bias", 1, source_kind::as_stored, "layer.b"}, d));
  CHECK(d.find("Bias")->entries.values == wf::table<double>{2});
  CHECK(f.refused({"model.npz", "W"}) ==
        "WF406 in 'model.npz': the archive has several arrays, and none is 'arr_0'");
  CHECK(f.refused({"model.npz", "W", 1, source_kind::as_stored, "x"}) ==
        "WF406 in 'model.npz': 'x': the archive has no such array");
  CHECK(to_text(wf::tensors::read_tensors(f.box, "W.npy").error()).view() ==
        "WF406 in 'W.npy': an archive is a .npz or .safetensors file");
}

TEST_CASE("what cannot be read is an error that names the file, and adds nothing") {
  const folder f;
  f.put("a.npy", "text");
  f.put("a.tsv", "0\t1\n2\n");
  f.put("empty.tsv", "");
  f.put("a.json", "[1,2]");
  f.put("noextension", "");
  CHECK(f.refused({"a.npy", "T"}) ==
        "WF406 in 'a.npy': a .npy file begins with \\x93NUMPY (at byte 0)");
  CHECK(f.refused({"a.tsv", "T"}) ==
        "WF405 in 'a.tsv': a row has 2 columns, separated by tabulators (line 2, column 2)");
  CHECK(f.refused({"empty.tsv", "T"}) ==
        "WF405 in 'empty.tsv': a file without facts does not say their columns");
  wf::logic::database none;
  REQUIRE(wf::tensors::read_tensor(f.box, {"empty.tsv", "T", 3}, none));
  CHECK(none.relations[0].entries.rank == 3);
  CHECK(f.refused({"a.json", "T", 2}) == "WF406 in 'a.json': the tensor has 1 indices, not 2");
  CHECK(f.refused({"a.json", "there"}) ==
        "WF104 in 'there': the program has an input of this name");
  const std::string formats =
      "the formats are .npy, .npz, .safetensors, .json, .tsv, .csv, .txt and .md";
  for (const char* path : {"noextension", "a.jsonl", "a.NPY", "npy", ".", "a.npy/b"})
    CHECK(f.refused({path, "T"}) == "WF406 in '" + std::string(path) + "': " + formats);
  CHECK(f.refused({"missing.npy", "T"}) ==
        "WF813 in 'missing.npy': there is no such file, or it is no regular one");
  CHECK(f.refused({"../a.npy", "T"}).starts_with("WF407 in '../a.npy': the path escapes"));
}

TEST_CASE("lines of JSON are written, and what has no form leaves the old file") {
  const folder f;
  wf::logic::database d;
  const double values[] = {3, 1, 2};
  const std::int64_t extents[] = {3};
  REQUIRE(wf::tensors::write_tensor(f.box, "T.jsonl", d.add_dense("T", extents, values)));
  const std::string lines =
      "{\"schema\":\"fuse.tensor\",\"version\":1,\"shape\":[3]}\n{\"value\":[3,1,2]}\n";
  CHECK(f.got("T.jsonl") == lines);
  REQUIRE(wf::tensors::write_top(f.box, "top.jsonl", *d.find("T"), 1));
  CHECK(f.got("top.jsonl") ==
        "{\"schema\":\"fuse.topk\",\"version\":1}\n{\"topk\":[{\"index\":0,\"value\":3}]}\n");

  wf::logic::relation sparse(1, true);
  const wf::logic::position two = 2;
  sparse.append(&two, 4);
  const named_relation holes{wf::text("D"), sparse, {}, {}};
  const auto refused = wf::tensors::write_tensor(f.box, "T.jsonl", holes);
  REQUIRE(!refused);
  CHECK(to_text(refused.error()).view() ==
        "WF406 in 'T.jsonl': 'D': it has 1 entries at 3 positions: say what the others are worth");
  CHECK(!wf::tensors::write_tensor(f.box, "T.jsonl", holes, 1 / 0.0));
  CHECK(f.got("T.jsonl") == lines);
  REQUIRE(wf::tensors::write_tensor(f.box, "T.npy", holes, 1 / 0.0));
  const auto read = wf::tensors::read_tensor(f.box, "T.npy");
  CHECK(read->relations[0].entries.values == wf::table<double>{1 / 0.0, 1 / 0.0, 4});
  CHECK(to_text(wf::tensors::write_tensor(f.box, "T.json", holes).error()).view() ==
        "WF406 in 'T.json': the formats are .npy, .npz, .tsv, .csv and .jsonl");
  CHECK(to_text(wf::tensors::write_tensor(f.box, "../T.npy", holes, 0).error())
            .view()
            .starts_with("WF407 in '../T.npy'"));
  CHECK(!wf::tensors::write_top(f.box, "top.npy", *d.find("T")));
}

namespace {

// Runs a legacy program on the files of a folder; the message of an error, or "".
std::string run_files(const folder& f, const std::string& source, wf::logic::database given = {}) {
  const auto message = [](const wf::error& e) { return std::string(to_text(e).view()); };
  const auto tree = wf::parse_legacy_equations(source);
  if (!tree) return message(tree.error());
  const auto read = wf::logic::read_program(*tree, source);
  if (!read) return message(read.error());
  const auto program = wf::logic::stratify(*read, source);
  if (!program) return message(program.error());
  if (const auto r = wf::tensors::read_sources(f.box, program->program, given); !r)
    return message(r.error());
  auto solved = wf::logic::evaluate(*program, given);
  if (!solved) return message(solved.error());
  if (const auto r = wf::tensors::write_sinks(f.box, program->program, *solved); !r)
    return message(r.error());
  return "";
}

}  // namespace

TEST_CASE("a program reads its sources and writes its sinks") {
  const folder f;
  f.put("parent.tsv", "0\t1\n1\t2\n");
  f.put("w.json", "[[1, -2], [3, 4]]");
  f.put("x.json", "[1, 1]");
  CHECK(run_files(f,
                  "Parent(x,y) = \"parent.tsv\"\n"
                  "W[i,j] = \"w.json\"\n"
                  "X[i] = \"x.json\"\n"
                  "Grand(x,z) = Parent(x,y) Parent(y,z)\n"
                  "Y[i] = relu(W[i,j] X[j])\n"
                  "\"out/grand.tsv\" = Grand(x,z)\n"
                  "\"out/y.jsonl\" = Y[i]\n"
                  "\"out/twice.jsonl\" = Y[i] 2\n"
                  "\"out/top.jsonl\" = topk(W[i,j], k=1)\n"
                  "\"out/sum.jsonl\" = W[i,j] X[j]\n") == "");
  CHECK(f.got("out/grand.tsv") == "0\t2\n");
  CHECK(f.got("out/y.jsonl") ==
        "{\"schema\":\"fuse.tensor\",\"version\":1,\"shape\":[2]}\n{\"value\":[0,7]}\n");
  CHECK(f.got("out/twice.jsonl").ends_with("{\"value\":[0,14]}\n"));
  CHECK(f.got("out/sum.jsonl").ends_with("{\"value\":[-1,7]}\n"));
  CHECK(f.got("out/top.jsonl").find("[{\"index\":1,\"value\":4}]") != std::string::npos);
}

TEST_CASE("inputs of a run override sources, and what is wrong with a file is told") {
  const folder f;
  const std::string program = "X[i] = \"x.json\"\nY[i] = X[i] 2\n\"y.tsv\" = Y[i]\n";
  wf::logic::database given;
  const std::int64_t extents[] = {3};
  const double values[] = {0, 5, 0};
  given.add_dense("X", extents, values);
  CHECK(run_files(f, program, given) == "");
  CHECK(f.got("y.tsv") == "1\n");
  CHECK(run_files(f, program).find("x.json") != std::string::npos);
  f.put("x.json", "[[1]]");
  CHECK(run_files(f, program).find("2 indices, not 1") != std::string::npos);
  f.put("x.json", "[1]");
  CHECK(run_files(f, "X[i] = \"x.json\"\n\"../y.tsv\" = X[i]\n").find("escapes") !=
        std::string::npos);
  CHECK(run_files(f, "X[i] = \"x.json\"\nX[i] = \"y.json\"\n").find("read from two files") !=
        std::string::npos);
  CHECK(run_files(f, "X[i] = \"x.json\"\nX[i] = Z[i]\n").find("X is an input") !=
        std::string::npos);
  CHECK(run_files(f, "\"y.jsonl\" = topk(X[i], k=0)\n").find("from 1 on") != std::string::npos);
}
