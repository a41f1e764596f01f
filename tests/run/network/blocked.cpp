// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/blocked.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Cholesky>

#include <wf/run/network/run_program.hpp>

#include "../transport/on_ranks.hpp"

namespace {

using matrix = wf::dynamic_matrix;

// The block that a name such as "A[1,20]" means.
auto block_of(const matrix& m, std::int64_t size, const std::string& name) {
  const Eigen::Index i = std::stol(name.substr(2)) * size,
                     j = std::stol(name.substr(name.find(',') + 1)) * size;
  return m.block(i, j, std::min<Eigen::Index>(size, m.rows() - i),
                 std::min<Eigen::Index>(size, m.cols() - j));
}

struct distributed_matrix {
  matrix all;
  std::vector<std::int64_t> most_held;  // by process
};
// Runs a program whose arguments are blocks of some matrices; every block is asked for by the
// process that has it, and comes from it.
distributed_matrix run_blocks(const wf::task_program& p, const wf::block_grid& grid,
                              const std::map<char, matrix>& given, Eigen::Index rows,
                              Eigen::Index columns) {
  distributed_matrix out{matrix::Zero(rows, columns), std::vector<std::int64_t>(grid.ranks())};
  std::vector<wf::result<wf::program_report>> found(grid.ranks());
  const auto owner = [&](const std::string& name) {
    return grid.owner(std::uint32_t(std::stoul(name.substr(2))),
                      std::uint32_t(std::stoul(name.substr(name.find(',') + 1))));
  };
  std::vector<int> foreign(grid.ranks());
  wf_test::on_ranks(grid.ranks(), [&](std::uint32_t r, wf::loopback& carrier) {
    found[r] = wf::run_program(carrier, p, [&](wf::text_view name) {
      if (owner(std::string(name)) != r) ++foreign[r];
      return wf::result<matrix>(block_of(given.at(name[0]), grid.block, std::string(name)));
    });
  });
  for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
    REQUIRE_MESSAGE(found[r], wf::to_text(found[r].error()).view());
    REQUIRE_MESSAGE(found[r]->failure.code == wf::errc::none,
                    wf::to_text(found[r]->failure).view());
    CHECK(foreign[r] == 0);
    out.most_held[r] = found[r]->most_held;
    for (const auto& [name, m] : found[r]->outputs) {
      CHECK(owner(name) == r);
      const auto where = block_of(out.all, grid.block, name);
      out.all.block(where.startRow(), where.startCol(), m.rows(), m.cols()) = m;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a blocked product is the product, to the bit on any processes, in bounded memory") {
  std::mt19937 random(2);
  for (int round = 0; round < 25; ++round) {
    CAPTURE(round);
    wf::block_grid grid;
    grid.block = 3 + random() % 4;
    const auto extent = [&] { return Eigen::Index(1 + random() % 40); };
    const matrix a = matrix::Random(extent(), extent()), b = matrix::Random(a.cols(), extent());
    const auto product = [&] {
      const auto p = wf::blocked_product(a.rows(), a.cols(), b.cols(), grid);
      REQUIRE_MESSAGE(p, wf::to_text(p.error()).view());
      return run_blocks(*p, grid, {{'A', a}, {'B', b}}, a.rows(), b.cols());
    };
    const matrix alone = product().all;
    CHECK(alone.isApprox(a * b, 1e-12));
    const auto few = [&] { return 1 + std::uint32_t(random() % 3); };
    grid.rows = few(), grid.columns = few(), grid.ahead = few();
    const distributed_matrix found = product();
    CHECK(found.all == alone);
    const auto blocks = [](std::int64_t count, std::uint32_t over) {
      return (count + over - 1) / over;
    };
    const std::int64_t i = blocks(grid.count(a.rows()), grid.rows),
                       j = blocks(grid.count(b.cols()), grid.columns);
    for (const std::int64_t held : found.most_held)
      CHECK(held <= 8 * grid.block * grid.block * (i * j + 1 + (grid.ahead + 1) * (i + j)));
  }
}

TEST_CASE("a blocked Cholesky factor is the factor, to the bit on any processes") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    wf::block_grid grid;
    grid.block = 3 + random() % 4;
    const Eigen::Index n = 1 + Eigen::Index(random() % 45);
    const matrix x = matrix::Random(n, n),
                 a = x * x.transpose() + double(n) * matrix::Identity(n, n);
    const auto factor = [&] {
      const auto p = wf::blocked_cholesky(n, grid);
      REQUIRE_MESSAGE(p, wf::to_text(p.error()).view());
      return run_blocks(*p, grid, {{'A', a}}, n, n);
    };
    const matrix alone = factor().all;
    CHECK(alone.isApprox(matrix(a.llt().matrixL()), 1e-12));
    const auto few = [&] { return 1 + std::uint32_t(random() % 3); };
    grid.rows = few(), grid.columns = few(), grid.ahead = few();
    const distributed_matrix found = factor();
    CHECK(found.all == alone);
    // Its own blocks, one that is being made, and what it reads of some columns.
    const std::uint32_t count = grid.count(n);
    for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
      std::int64_t own = 0;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = 0; j <= i; ++j) own += grid.owner(i, j) == r ? 1 : 0;
      CHECK(found.most_held[r] <=
            8 * grid.block * grid.block * (own + 1 + (grid.ahead + 1) * std::int64_t(count)));
    }
  }
}

TEST_CASE("matrices and grids without elements are refused, and a matrix that is not positive") {
  wf::block_grid grid;
  CHECK(wf::to_text(wf::blocked_product(0, 1, 1, grid).error()) ==
        "WF503 in 'blocks': a matrix has no elements");
  CHECK(wf::blocked_cholesky(0, grid).error().code == wf::errc::invalid_problem);
  grid.block = 0;
  CHECK(wf::to_text(wf::blocked_cholesky(5, grid).error()) ==
        "WF503 in 'blocks': blocks, processes and steps ahead must be positive");
  grid = {4, 2, 1, 0};
  CHECK(wf::blocked_product(5, 5, 5, grid).error().code == wf::errc::invalid_problem);
  grid.ahead = 1;
  const auto p = wf::blocked_cholesky(10, grid);
  REQUIRE(p);
  std::vector<wf::text> said(2);
  wf_test::on_ranks(2, [&](std::uint32_t r, wf::loopback& carrier) {
    const auto ran = wf::run_program(carrier, *p, [&](wf::text_view name) {
      return wf::result<matrix>(block_of(-matrix::Identity(10, 10), grid.block, std::string(name)));
    });
    said[r] = wf::to_text(ran->failure);
  });
  CHECK(said[0] == said[1]);
  CHECK(std::string(said[0].view()).starts_with("WF705 in 'block_factor 0,0': "));
}
