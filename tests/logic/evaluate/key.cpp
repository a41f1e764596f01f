// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/key.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

namespace {

using wf::logic::database;
using wf::logic::evaluation_options;
using wf::logic::temperature_schedule;

std::string key(const char* source, const database& inputs, const evaluation_options& options = {},
                const char* dialect = "wf") {
  return std::string(wf::logic::evaluation_key(source, dialect, inputs, options));
}

constexpr database made() {
  database d;
  d.domains.push_back(wf::logic::symbol_domain("Node"));
  d.domains.back().add("a");
  d.domains.back().add("bc");
  const wf::logic::position at[] = {0, 1};
  wf::logic::relation r(2, false);
  r.append(at);
  d.add("Edge", static_cast<wf::logic::relation&&>(r), {0, 0});
  const double values[] = {0.5, -2};
  const std::int64_t extents[] = {2};
  d.add_dense("W", extents, values);
  return d;
}

}  // namespace

static_assert(wf::logic::evaluation_key("Y = X", "wf", {}).size() == 64);

TEST_CASE("every option changes the key") {
  const database d = made();
  std::set<std::string> keys = {key("Y[i] = W[i]", d)};
  std::size_t changes = 1;
  const auto with = [&](auto&& change) {
    evaluation_options o;
    change(o);
    keys.insert(key("Y[i] = W[i]", d, o));
    CHECK(keys.size() == ++changes);
  };
  using options = evaluation_options;
  with([](options& o) { o.steps = 2; });
  with([](options& o) { o.max_rounds = 2; });
  with([](options& o) { o.tolerance = 0; });
  with([](options& o) { o.cells_per_entry = 1; });
  with([](options& o) { o.least_cells = 1; });
  with([](options& o) { o.recursions = wf::logic::recursion_method::rows; });
  with([](options& o) { o.joins = wf::logic::join_method::nested; });
  with([](options& o) { o.joins = wf::logic::join_method::by_variables; });
  with([](options& o) { o.max_bindings = 7; });
  with([](options& o) { o.samples = 7; });
  with([](options& o) { o.seed = 7; });
  with([](options& o) { o.semirings = {wf::logic::rows_over<wf::logic::min_plus>}; });
  with([](options& o) { o.semirings = {wf::logic::rows_over<wf::logic::max_plus>}; });
  with([](options& o) { o.temperatures.push_back({wf::text("Y"), 0.5}); });
  with([](options& o) { o.temperatures.push_back({wf::text("*"), 0.5}); });
  with([](options& o) {
    o.temperatures.push_back({wf::text("Y"), temperature_schedule::linear(0, 1, 4)});
  });
  with([](options& o) {
    const temperature_schedule::piece pieces[] = {{0, 1}, {4, 2}};
    o.temperatures.push_back({wf::text("Y"), temperature_schedule::piecewise(pieces)});
  });
}

TEST_CASE("the source, the dialect and every part of the inputs change the key") {
  const database d = made();
  std::set<std::string> keys = {key("Y[i] = W[i]", d), key("Y[i] = W[i] ", d),
                                key("Y[i] = W[i]", d, {}, "v2")};
  std::size_t changes = keys.size();
  CHECK(changes == 3);
  const auto with = [&](auto&& change) {
    database other = made();
    change(other);
    keys.insert(key("Y[i] = W[i]", other));
    CHECK(keys.size() == ++changes);
  };
  with([](database& o) { o.domains[0].name = wf::text("node"); });
  with([](database& o) { o.domains[0].add("c"); });
  with([](database& o) { o.relations[0].name = wf::text("edge"); });
  with([](database& o) { o.relations[0].entries.columns[1][0] = 0; });
  with([](database& o) { o.relations[0].domains = {}; });
  with([](database& o) { o.relations[1].entries.values[1] = 2; });
  with([](database& o) { o.relations[1].extents = {}; });
  CHECK(key("Y[i] = W[i]", made()) == *keys.find(key("Y[i] = W[i]", d)));
}

TEST_CASE("progress does not change the key, which other programs can compute") {
  evaluation_options o;
  const auto goes_on = [](const wf::logic::evaluation_progress&) { return true; };
  const wf::callable_to<const decltype(goes_on), bool, const wf::logic::evaluation_progress&>
      progress(goes_on);
  o.progress = &progress;
  CHECK(key("Y = X", {}, o) == key("Y = X", {}));
  const std::string identity(wf::logic::evaluation_identity("Y = X", "wf", {}, {}));
  CHECK(identity.find("\"samples\": 0") != std::string::npos);
  CHECK(key("Y = X", {}) ==
        std::string(wf::sha256(wf::text_view(identity.data(), identity.size()))));
}
