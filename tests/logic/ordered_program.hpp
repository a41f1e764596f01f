// SPDX-License-Identifier: BSL-1.0
#pragma once

// Programs from texts, ordered into strata, and inputs from lists of rows.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>
#include <wf/logic/program/strata.hpp>
#include <wf/logic/relation/database.hpp>
#include <wf/logic/relation/store.hpp>

namespace wf_test {

// A program that must be right; it may refer into the source. `inputs` are names of inputs.
inline wf::logic::stratified_program ordered_program(const std::string& source,
                                                     const wf::logic::database* inputs = nullptr) {
  CAPTURE(source);
  wf::table<wf::text_view> names;
  for (std::size_t i = 0; inputs != nullptr && i < inputs->relations.size(); ++i)
    names.push_back(inputs->relations[i].name.view());
  const wf::text_view text(source.data(), source.size());
  auto program = wf::logic::read_program(text, names);
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  auto strata = wf::logic::stratify(*std::move(program), text);
  REQUIRE_MESSAGE(strata, std::string(wf::to_text(strata.error())));
  return *std::move(strata);
}

// A relation of some rank with the listed rows.
inline wf::logic::relation relation_of(std::uint32_t rank,
                                       const std::vector<std::vector<std::int32_t>>& rows) {
  wf::logic::relation out(rank, false);
  for (const auto& row : rows) out.append(row.data());
  return out;
}
// A sparse tensor: each row has its positions, then its value.
inline wf::logic::relation tensor_of(std::uint32_t rank,
                                     const std::vector<std::vector<std::int32_t>>& rows) {
  wf::logic::relation out(rank, true);
  for (const auto& row : rows) out.append(row.data(), row[rank]);
  return out;
}
// Adds a row to a store.
inline void add_row(wf::logic::detail::tensor_store& to, const std::vector<std::int32_t>& at) {
  std::uint32_t row = 0;
  to.add(at.data(), 1, wf::projection::plain, row);
}

}  // namespace wf_test
