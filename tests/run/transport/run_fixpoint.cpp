// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/run_fixpoint.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "closures.hpp"
#include "on_ranks.hpp"

using closures::pair, closures::relation;

TEST_CASE("the closure of a relation is the same on any number of processes") {
  std::uint64_t messages = 0;
  std::size_t largest = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const relation edges = closures::random_relation(seed);
    const relation wanted = closures::of(edges);
    largest = std::max(largest, wanted.size());
    std::uint64_t derived = 0;
    for (const std::uint32_t ranks : {1U, 2U, 3U, 5U}) {
      CAPTURE(ranks);
      std::vector<relation> parts(ranks);
      std::vector<std::uint64_t> counts(ranks), sent(ranks);
      wf_test::on_ranks(ranks, [&](std::uint32_t r, wf::loopback& carrier) {
        wf::fixpoint_options options;
        options.most_batch = seed % 2 == 0 ? 1 : 1 << 16;
        options.most_delay_ns = seed % 3 == 0 ? 0 : 20'000;
        const auto found = closures::linear(carrier, edges, options);
        const auto again = closures::doubling(carrier, edges, options);
        REQUIRE(found);
        REQUIRE(again);
        counts[r] = found->derived;
        sent[r] = found->messages;
        parts[r] = found->facts;
        CHECK(std::is_sorted(found->facts.begin(), found->facts.end()));
        CHECK(closures::pairs_of(again->facts) == found->facts);
      });
      relation all;
      std::uint64_t here = 0;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        all.insert(all.end(), parts[r].begin(), parts[r].end());
        here += counts[r];
        messages += sent[r];
      }
      std::sort(all.begin(), all.end());
      CHECK(all == wanted);
      // Each fact is derived from each combination once, wherever that is.
      if (ranks == 1) derived = here;
      CHECK(here == derived);
    }
  }
  CHECK(messages > 10'000);
  CHECK(largest > 1'000);
}

TEST_CASE("lost processes, strangers, a stop and bytes that are no facts end a run") {
  const auto failure_of = [](auto&& spoil) {
    wf::loopback_hub hub(2);
    wf::loopback here(hub, 0), there(hub, 1);
    there.begin();
    wf::fixpoint_options options;
    options.most_silence_ns = 1'000'000;
    spoil(hub, there, options);
    const pair given[] = {{1, 1}};
    return wf::run_fixpoint<pair>(
               here, given, [](const pair& p) { return p[0]; },
               [](const pair& p, auto&& derive) {
                 if (p[0] < 100) derive(pair{p[0] + 1, p[1]});
               },
               7, options)
        .error();
  };
  using wf::text_view;
  CHECK(wf::to_text(failure_of([](wf::loopback_hub& hub, auto&, auto&) { hub.lose(1); })) ==
        "WF710 in 'process 1': it is lost, and its facts with it");
  CHECK(wf::to_text(failure_of([](auto&, auto&, auto&) {})) ==
        "WF710 in 'facts': nothing has come for too long");
  std::stop_source source;
  source.request_stop();
  CHECK(failure_of([&](auto&, auto&, wf::fixpoint_options& options) {
          options.stop = source.get_token();
        }).code == wf::errc::execution_stopped);
  const auto after = [&](auto&& fill, std::uint64_t run) {
    return failure_of([&](auto&, wf::loopback& there, auto&) {
      wf::batch_writer b(run);
      fill(b);
      REQUIRE(there.send(0, b.take()));
    });
  };
  CHECK(after([](wf::batch_writer& b) { b.add(3U); }, 7).code == wf::errc::malformed_message);
  CHECK(after([](wf::batch_writer& b) { b.add(3U); }, 8).code == wf::errc::transport_failed);
  const std::uint8_t few[] = {1, 2, 3};
  CHECK(after([&](wf::batch_writer& b) { b.add(wf::fault::envelope{}, true, few); }, 7).code ==
        wf::errc::malformed_message);
}
