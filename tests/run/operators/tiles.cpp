// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/tiles.hpp>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/run/operators/tile_kernel.hpp>

#include "../apply.hpp"
#include "../parallel/on_teams.hpp"

namespace {

using apply::for_each_index;
using apply::random_tensor;
using apply::tensor;
using wf::shape;
namespace compute = wf::compute;

constexpr auto minus = [](const auto& x, const auto& y) { return x - y; };
constexpr auto product_and_sum = [](double x, double y, double z) { return x * y + z; };

void apply_tile(tensor& out, const std::vector<compute::tensor_view<double>>& in,
                compute::tile_kernel<double> kernel) {
  compute::run_tile(out.ref(), {in.data(), in.size()}, kernel);
}

constexpr auto plus = [](const auto& x, const auto& y) { return x + y; };
constexpr auto negative = [](double x) { return -x; };

// A matrix in any storage order, in its own storage, in which no other element may be written.
struct lying {
  std::vector<double> memory;
  compute::tensor_ref<double> ref;

  lying(const tensor& t, bool by_columns, Eigen::Index apart) {
    const Eigen::Index rows = t.dims[0].size(), columns = t.dims[1].size();
    const Eigen::Index stride = (by_columns ? rows : columns) + apart;
    memory.assign(static_cast<std::size_t>(stride * (by_columns ? columns : rows) + 1), 777.0);
    ref = {t.dims, memory.data(), by_columns, stride};
    compute::tensor_copy(ref, t.view());
  }
  lying(const lying&) = delete;
  bool is_clean(std::size_t elements) const {
    std::size_t untouched = 0;
    for (double x : memory) untouched += x == 777.0 ? 1 : 0;
    return untouched == memory.size() - elements;
  }
};

}  // namespace

TEST_CASE("elementwise operations broadcast any number of operands") {
  std::mt19937_64 random(41);
  const shape result = shape::of(2, 3, 4);
  for (const shape& s : {shape::of(2, 3, 4), shape::of(3, 4), shape::of(4), shape::of(1, 3, 1),
                         shape::of(2, 1, 4), shape::of()}) {
    const tensor a = random_tensor(result, random), b = random_tensor(s, random);
    tensor out(result), flipped(result), all(result);
    apply_tile(out, {a.view(), b.view()}, &compute::tile_of<minus, 2>);
    apply_tile(flipped, {b.view(), a.view()}, &compute::tile_of<minus, 2>);
    apply_tile(all, {b.view(), a.view(), b.view()}, &compute::tile_of<product_and_sum, 3>);
    for_each_index(result, [&](const auto& i) {
      CHECK(out.at(i) == a.at(i) - b.at(i));
      CHECK(flipped.at(i) == b.at(i) - a.at(i));
      CHECK(all.at(i) == b.at(i) * a.at(i) + b.at(i));
    });
  }
}

TEST_CASE("matrices in every order, at any distance, broadcast") {
  std::mt19937_64 random(42);
  const auto size = [&] {
    constexpr int sizes[] = {1, 2, 5, 16, 31, 33, 70};
    return sizes[random() % 7];
  };
  for (int round = 0; round < 600; ++round) {
    const int rows = size(), columns = size();
    const shape result = shape::of(rows, columns);
    const auto part = [&](int extent) { return random() % 3 == 0 ? 1 : extent; };
    const tensor a = random_tensor(shape::of(part(rows), part(columns)), random);
    const tensor b = random_tensor(shape::of(part(rows), part(columns)), random);
    const tensor v = random_tensor(shape::of(columns), random),
                 s = random_tensor(shape::of(), random);
    const auto apart = [&] { return static_cast<Eigen::Index>(random() % 3); };
    lying la(a, random() % 2 == 0, apart()), lb(b, random() % 2 == 0, apart());
    lying out(tensor(result), random() % 2 == 0, apart());
    // -(a - b) + v + s·0 + b in one program with four slots.
    const compute::tensor_view<double> in[] = {la.ref.view(), lb.ref.view(), v.view(), s.view()};
    constexpr std::uint8_t first = compute::max_tile_inputs;
    const compute::tile_instruction<double> program[] = {
        {&compute::tile_of<minus, 2>, 2, {0, 1}, first},
        {&compute::tile_of<negative, 1>, 1, {first}, first},
        {&compute::tile_of<plus, 2>, 2, {first, 2}, first + 1},
        {&compute::tile_of<product_and_sum, 3>, 3, {first + 1, 3, 1}, 0},
    };
    std::vector<double> slots(2 * compute::tile_length);
    compute::run_tiles(out.ref, in, program, slots.data());
    tensor made(result);
    compute::tensor_copy(made.ref(), out.ref.view());
    for_each_index(result, [&](const auto& i) {
      const double sum = -(a.at(i) - b.at(i)) + v.at({i[1]});
      CHECK(made.at(i) == product_and_sum(sum, s.at({}), b.at(i)));
    });
    CHECK(out.is_clean(made.elements.size()));
  }
}

TEST_CASE(
    "sums of what lies the other way round, over many pieces, with what was computed before") {
  std::mt19937_64 random(44);
  const shape result = shape::of(70, 200);
  for (const bool by_columns : {false, true}) {
    std::vector<tensor> given;
    for (int k = 0; k < 4; ++k) given.push_back(random_tensor(result, random));
    const lying a(given[0], !by_columns, 3), b(given[1], by_columns, 1),
        c(given[2], !by_columns, 0), d(given[3], !by_columns, 0);
    lying out(tensor(result), by_columns, 2);
    const compute::tensor_view<double> in[] = {a.ref.view(), b.ref.view(), c.ref.view(),
                                               d.ref.view()};
    constexpr std::uint8_t first = compute::max_tile_inputs;
    const compute::tile_instruction<double> program[] = {
        {&compute::array_tile_of<plus, 2>, 2, {0, 1}, first},
        {&compute::array_tile_of<minus, 2>, 2, {2, 3}, first + 1},
        {&compute::array_tile_of<minus, 2>, 2, {first, first + 1}, first},
        {&compute::array_tile_of<plus, 2>, 2, {2, first}, 0},
    };
    std::vector<double> slots(2 * compute::tile_length);
    compute::run_tiles(out.ref, in, program, slots.data());
    tensor made(result);
    compute::tensor_copy(made.ref(), out.ref.view());
    for_each_index(result, [&](const auto& i) {
      const double rest = given[0].at(i) + given[1].at(i) - (given[2].at(i) - given[3].at(i));
      CHECK(made.at(i) == given[2].at(i) + rest);
    });
    CHECK(out.is_clean(made.elements.size()));
  }
}

TEST_CASE("programs that are sums give what they give operator by operator") {
  using compute::tile_role;
  std::mt19937_64 random(45);
  constexpr std::uint8_t first = compute::max_tile_inputs;
  constexpr auto times = [](const auto& x, const auto& y) { return x * y; };
  const std::vector<tensor> scalars{random_tensor(shape::of(), random),
                                    random_tensor(shape::of(), random)};
  for (int round = 0; round < 400; ++round) {
    const int rows = 1 + static_cast<int>(random() % 40),
              columns = 1 + static_cast<int>(random() % 40);
    const shape result = shape::of(rows, columns);
    std::vector<tensor> given;
    std::vector<std::unique_ptr<lying>> lies;
    std::vector<compute::tensor_view<double>> in;
    for (int k = 0; k < 4; ++k) {
      // Occasionally a broadcast row, which is not a sum of matrices.
      const shape s = random() % 40 == 0 ? shape::of(1, columns) : result;
      given.push_back(random_tensor(s, random));
      lies.push_back(std::make_unique<lying>(given.back(), random() % 2 == 0,
                                             static_cast<Eigen::Index>(random() % 3)));
      in.push_back(lies.back()->ref.view());
    }
    for (const tensor& s : scalars) in.push_back(s.view());
    // Each operator takes a recent result, and a matrix, a scalar or an earlier result.
    std::vector<compute::tile_instruction<double>> program;
    const int count = 1 + static_cast<int>(random() % 7);
    for (int k = 0; k < count; ++k) {
      const auto matrix = [&] { return static_cast<std::uint8_t>(random() % 4); };
      const auto slot = [&](int back) { return static_cast<std::uint8_t>(first + k - back); };
      compute::tile_instruction<double> n{
          &compute::array_tile_of<plus, 2>, 2, {matrix(), matrix()}};
      n.role = tile_role::sum;
      const auto kind = random() % 6;
      if (kind < 2) {
        n.kernel = &compute::array_tile_of<minus, 2>, n.role = tile_role::gap;
      } else if (kind == 2) {
        n.kernel = &compute::array_tile_of<times, 2>, n.role = tile_role::product;
        n.from[1] = static_cast<std::uint8_t>(4 + random() % 2);
      } else if (kind == 3) {
        n.kernel = &compute::tile_of<negative, 1>, n.operands = 1, n.role = tile_role::opposite;
      }
      if (k > 0) n.from[0] = slot(1);
      if (k > 1 && n.operands == 2 && kind != 2 && random() % 3 == 0) n.from[1] = slot(2);
      if (n.operands == 2 && random() % 2 == 0) std::swap(n.from[0], n.from[1]);
      n.to = k + 1 == count ? std::uint8_t{0} : slot(0);
      program.push_back(n);
    }
    const bool by_columns = random() % 2 == 0;
    lying out(tensor(result), by_columns, 1), plain(tensor(result), by_columns, 1);
    std::vector<double> slots(8 * compute::tile_length);
    const auto run = [&](const lying& to) {
      compute::run_tiles(to.ref, {in.data(), in.size()}, {program.data(), program.size()},
                         slots.data());
    };
    run(out);
    for (compute::tile_instruction<double>& n : program) n.role = tile_role::other;
    run(plain);
    tensor made(result), expected(result);
    compute::tensor_copy(made.ref(), out.ref.view());
    compute::tensor_copy(expected.ref(), plain.ref.view());
    double error = 0;
    for_each_index(result, [&](const auto& i) {
      error = std::max(error, std::abs(made.at(i) - expected.at(i)));
    });
    CHECK(error < 1e-13);
    CHECK(out.is_clean(made.elements.size()));
  }
}

TEST_CASE("a result may take the place of an operand that lies as it does") {
  std::mt19937_64 random(43);
  for (const bool by_columns : {false, true})
    for (const bool other : {false, true}) {
      const shape s = shape::of(37, 50);
      const tensor a = random_tensor(s, random), b = random_tensor(s, random);
      lying la(a, by_columns, 1), lb(b, other, 0);
      const compute::tensor_view<double> in[] = {la.ref.view(), lb.ref.view()};
      compute::run_tile(la.ref, in, &compute::tile_of<minus, 2>);
      tensor made(s);
      compute::tensor_copy(made.ref(), la.ref.view());
      for_each_index(s, [&](const auto& i) { CHECK(made.at(i) == a.at(i) - b.at(i)); });
    }
}

namespace {

// 0.3·(a - b) + c, with the roles of a sum or without.
std::vector<compute::tile_instruction<double>> weighted(bool has_roles) {
  using compute::tile_role;
  constexpr std::uint8_t first = compute::max_tile_inputs;
  constexpr auto times = [](const auto& x, const auto& y) { return x * y; };
  std::vector<compute::tile_instruction<double>> program = {
      {&compute::array_tile_of<minus, 2>, 2, {0, 1}, first},
      {&compute::array_tile_of<times, 2>, 2, {first, 3}, first + 1},
      {&compute::array_tile_of<plus, 2>, 2, {first + 1, 2}, 0}};
  if (!has_roles) return program;
  program[0].role = tile_role::gap;
  program[1].role = tile_role::product;
  program[2].role = tile_role::sum;
  return program;
}
// Runs a program with scratch storage of the stated size, and checks that it is not exceeded.
void run_in_scratch(const compute::tensor_ref<double>& out,
                    const std::vector<compute::tensor_view<double>>& in,
                    const std::vector<compute::tile_instruction<double>>& program) {
  const wf::view<compute::tile_instruction<double>> all(program.data(), program.size());
  const auto needed = static_cast<std::size_t>(compute::tile_scratch<double>(all, out.shape));
  std::vector<double> slots(needed + 4, -9);
  compute::run_tiles(out, {in.data(), in.size()}, all, slots.data());
  for (std::size_t i = needed; i < slots.size(); ++i) CHECK(slots[i] == -9);
}

}  // namespace

TEST_CASE("several threads compute the same bits as one, wherever matrices lie") {
  std::mt19937_64 random(46);
  const tensor scalar = random_tensor(shape::of(), random);
  for (const shape& result : {shape::of(300, 257), shape::of(2, 40'000), shape::of(40'003, 2)})
    for (int round = 0; round < 16; ++round) {
      CAPTURE(round);
      std::vector<std::unique_ptr<lying>> lies;
      std::vector<compute::tensor_view<double>> in;
      for (int k = 0; k < 3; ++k) {
        const bool is_row = k == 0 && round % 5 == 0;
        const tensor given = random_tensor(
            is_row ? shape::of(1, static_cast<int>(result[1].size())) : result, random);
        lies.push_back(std::make_unique<lying>(given, random() % 2 == 0,
                                               static_cast<Eigen::Index>(random() % 3)));
        in.push_back(lies.back()->ref.view());
      }
      in.push_back(scalar.view());
      const auto program = weighted(round % 2 == 0);
      const bool by_columns = random() % 2 == 0, overwrites = round % 4 < 2;
      const auto apart = static_cast<Eigen::Index>(random() % 2);
      const std::vector<double> before = lies[2]->memory;
      wf_test::same_on_teams([&] {
        lies[2]->memory = before;
        const lying out(tensor(result), by_columns, apart);
        run_in_scratch(overwrites ? lies[2]->ref : out.ref, in, program);
        return overwrites ? lies[2]->memory : out.memory;
      });
    }
}

TEST_CASE("several threads compute the same bits as one, of vectors and tensors") {
  std::mt19937_64 random(47);
  const tensor scalar = random_tensor(shape::of(), random);
  for (const shape& result : {shape::of(70'001), shape::of(20, 50, 71)})
    for (const bool has_roles : {false, true}) {
      const tensor a = random_tensor(result, random), b = random_tensor(result, random),
                   c = random_tensor(result, random);
      wf_test::same_on_teams([&] {
        tensor out(result);
        run_in_scratch(out.ref(), {a.view(), b.view(), c.view(), scalar.view()},
                       weighted(has_roles));
        return out.elements;
      });
    }
}

TEST_CASE("the failure is that of the first element that fails, on any number of threads") {
  // The second operator fails for elements from 50'000 on, the first one from 60'000 on.
  const auto first_fails = [](double* to, const double* const* from, const Eigen::Index*,
                              Eigen::Index count, const double*) {
    for (Eigen::Index i = 0; i < count; ++i) to[i] = from[0][i];
    return count == 0 || from[0][count - 1] < 60'000;
  };
  const auto second_fails = [](double* to, const double* const* from, const Eigen::Index*,
                               Eigen::Index count, const double*) {
    for (Eigen::Index i = 0; i < count; ++i) to[i] = from[0][i];
    return count == 0 || from[0][count - 1] < 50'000;
  };
  constexpr std::uint8_t first = compute::max_tile_inputs;
  const compute::tile_instruction<double> program[] = {{+first_fails, 1, {0}, first},
                                                       {+second_fails, 1, {first}, 0}};
  tensor numbers(shape::of(100'000)), out(shape::of(100'000));
  for (std::size_t i = 0; i < numbers.elements.size(); ++i)
    numbers.elements[i] = static_cast<double>(i);
  const compute::tensor_view<double> in[] = {numbers.view()};
  const std::size_t failed = wf_test::same_on_teams([&] {
    std::vector<double> slots(
        static_cast<std::size_t>(compute::tile_scratch<double>(program, shape::of(100'000))));
    return compute::run_tiles(out.ref(), in, program, slots.data());
  });
  CHECK(failed == 1);
}
