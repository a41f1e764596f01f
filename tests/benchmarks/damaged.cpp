// SPDX-License-Identifier: BSL-1.0
//
// Readers of instances on every prefix of a text and on random damage: they return problems that
// can be validated, or an error with a message.

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <linalg/read_linnea.hpp>
#include <mapping/read_dot.hpp>
#include <mapping/read_network.hpp>
#include <mapping/read_project.hpp>
#include <mapping/read_stg.hpp>
#include <selection/read_extraction.hpp>
#include <selection/read_mmkp.hpp>
#include <selection/read_pbqp.hpp>

#include "samples.hpp"

namespace {

using selection_benchmark::instance;

struct tally {
  int read = 0, refused = 0;
};

void check(const instance& read) {
  const wf::error e = wf::validate(read.problem);
  CHECK((e.code == wf::errc::none || e.code == wf::errc::invalid_problem));
}
void check(const std::vector<linalg_benchmark::problem>& read) {
  for (const linalg_benchmark::problem& p : read)
    for (const linalg_benchmark::operand& o : p.inputs) CHECK((o.rows >= 1 && o.columns >= 1));
}

void check(const mapping_benchmark::published_graph& read) {
  const auto valid = validate(read.graph);
  CHECK((valid || valid.error().code == wf::errc::invalid_problem));
  if (read.has_schedule) CHECK(read.schedule.tasks.size() == read.graph.tasks.size());
}

void check(const wf::task_graph& read) {
  const auto valid = validate(read);
  CHECK((valid || valid.error().code != wf::errc::none));
  for (const wf::task_edge& e : read.edges) CHECK(e.from < read.tasks.size());
}

void check(const wf::workload& read) { CHECK(wf::validate(read)); }

template <class Reader>
void meet(const std::string& text, Reader reader, tally& counts) {
  // Copied to exactly this size, so that a sanitizer detects reads behind the end.
  const std::string exact(text.data(), text.size());
  const auto read = reader(exact);
  if (read) {
    ++counts.read;
    check(*read);
  } else {
    ++counts.refused;
    CHECK(read.error().code == wf::errc::graph_syntax);
    CHECK(!read.error().message.empty());
    CHECK(read.error().where.offset <= exact.size());
  }
}

template <class Reader>
void damage(const std::string& sample, const std::string& characters, Reader reader) {
  tally counts;
  for (std::size_t size = 0; size < sample.size(); ++size)
    meet(sample.substr(0, size), reader, counts);
  std::mt19937 random(20261121);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int run = 0; run < 3000; ++run) {
    std::string text = sample;
    for (std::size_t edits = 1 + below(3); edits != 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size()), from = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(text[at] ^ static_cast<char>(1 << below(7)));
          break;
        case 1:
          text[at] = characters[below(characters.size())];
          break;
        case 2:
          text.erase(at, 1 + below(8));
          break;
        case 3:
          text.insert(at, text.substr(from, 1 + below(30)));
          break;
        default:
          text.insert(at, 1, characters[below(characters.size())]);
      }
    }
    meet(text, reader, counts);
  }
  CHECK(counts.read > 50);
  CHECK(counts.refused > 500);
}

}  // namespace

TEST_CASE("damaged e-graphs are read or refused") {
  damage(wf_test::small_extraction, "0123456789-.,:[]{}\"abn \n",
         [](wf::text_view text) { return selection_benchmark::read_extraction(text); });
  damage(wf_test::numbered_extraction, "0123456789-.,:[]{}\"abn \n",
         [](wf::text_view text) { return selection_benchmark::read_extraction(text); });
}

TEST_CASE("damaged problems of linear algebra are read or refused") {
  damage(wf_test::small_linnea, "0123456789-.,:[]{}\"abn \n",
         [](wf::text_view text) { return linalg_benchmark::read_linnea(text); });
}

TEST_CASE("damaged task graphs are read or refused") {
  damage(wf_test::small_dot, "0123456789-.,=>[]{}\"ab; \n",
         [](wf::text_view text) { return mapping_benchmark::read_dot(text); });
}

TEST_CASE("damaged projects are read or refused") {
  damage(wf_test::small_sm, "0123456789-:R \n",
         [](wf::text_view text) { return mapping_benchmark::read_sm(text); });
  damage(wf_test::small_rcp, "0123456789- \n",
         [](wf::text_view text) { return mapping_benchmark::read_rcp(text); });
  damage(wf_test::small_stg, "0123456789-# \n",
         [](wf::text_view text) { return mapping_benchmark::read_stg(text); });
}

TEST_CASE("damaged networks are read or refused") {
  damage(wf_test::small_network, "0123456789-,. \nconv",
         [](wf::text_view text) { return mapping_benchmark::read_network(text, "n", 2); });
}

TEST_CASE("damaged knapsacks are read or refused") {
  damage(wf_test::small_mmkp, "0123456789-. \n",
         [](wf::text_view text) { return selection_benchmark::read_mmkp(text); });
}

TEST_CASE("damaged graphs with pairwise costs are read or refused") {
  damage(wf_test::small_pbqp, "0123456789-x \n",
         [](wf::text_view text) { return selection_benchmark::read_pbqp(text); });
}
