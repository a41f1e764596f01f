// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>

namespace wf_test {

inline std::int64_t pick(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

/// A small random workload of every kind of operator: views, outputs, shared operands, batches.
inline wf::workload random_workload(std::mt19937_64& random, int operators) {
  wf::workload w;
  w.name = wf::text("random");
  w.batch = pick(random, 1, 5) == 1 ? 2 : 1;
  for (int i = 0; i < operators; ++i) {
    wf::workload_operator o;
    o.label = wf::text("op") << i;
    o.is_view = i > 0 && pick(random, 1, 8) == 1;
    if (!o.is_view) {
      o.macs = pick(random, 0, 3) == 0 ? 0 : pick(random, 1, 60);
      o.elementwise = pick(random, 0, 2) == 0 ? pick(random, 1, 20) : 0;
      o.weight_bytes = pick(random, 0, 1) == 0 ? 0 : pick(random, 1, 24);
      o.output_bytes = pick(random, 0, 16);
      o.scratch_bytes = o.macs % 4 == 1 ? o.macs % 13 : 0;
      o.first_axis = pick(random, 1, 5);
      o.second_axis = pick(random, 1, 4);
      o.input_split = static_cast<wf::operand_split>(pick(random, 0, 2));
    }
    o.input_bytes = pick(random, 0, 2) == 0 ? pick(random, 1, 16) : 0;
    o.is_output = pick(random, 0, 3) == 0;
    w.add(o);
    for (int from = 0; from < i; ++from) {
      if (pick(random, 0, 2) != 0) continue;
      const wf::workload_operator& producer = w.operators[static_cast<std::size_t>(from)];
      w.connect(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(i),
                producer.is_view ? pick(random, 0, 16) : producer.output_bytes,
                static_cast<wf::operand_split>(pick(random, 0, 2)));
    }
  }
  // At least one operator must compute.
  w.operators[0].macs += 1;
  return w;
}

/// Lets some operators overwrite an operand: their results get the size of the operand.
inline void let_overwrite(std::mt19937_64& random, wf::workload& w) {
  for (std::uint32_t i = 0; i < w.operators.size(); ++i) {
    wf::workload_operator& o = w.operators[i];
    for (wf::workload_edge& e : w.edges)
      if (e.from < i && e.to == i && !w.operators[e.from].is_view)
        e.bytes = w.operators[e.from].output_bytes;
    for (wf::workload_edge& e : w.edges) {
      if (e.to != i || o.is_view || pick(random, 0, 2) == 0) continue;
      e.may_overwrite = true;
      e.split = wf::operand_split::by_both;
      o.output_bytes = e.bytes;
    }
    if (pick(random, 0, 1) == 0) o.is_output = false;
    // The same result as a second operand.
    if (!o.is_view && i > 0 && pick(random, 0, 5) == 0)
      for (std::size_t k = 0; k < w.edges.size(); ++k)
        if (w.edges[k].to == i && w.edges[k].may_overwrite) {
          const wf::workload_edge again = w.edges[k];
          w.edges.push_back(again);
          break;
        }
  }
}

inline wf::pe_array random_array(std::mt19937_64& random, std::int32_t rows, std::int32_t columns) {
  wf::pe_array a;
  a.rows = rows;
  a.columns = columns;
  a.macs_per_cycle = pick(random, 1, 3);
  a.vector_ops_per_cycle = pick(random, 1, 2);
  a.memory_bytes = pick(random, 0, 2) == 0 ? 4096 : pick(random, 10, 70);
  a.link_bytes_per_cycle = pick(random, 1, 6);
  a.hop_latency = pick(random, 0, 3);
  a.dram_bytes_per_cycle = pick(random, 1, 12);
  if (pick(random, 0, 9) == 0)
    a.dead.push_back(static_cast<std::uint32_t>(pick(random, 0, a.elements() - 1)));
  return a;
}

/// A workload and an array from a seed, whose generator also serves further random choices.
struct random_problem {
  std::mt19937_64 random;
  wf::workload work;
  wf::pe_array array;
};

/// A problem with `least` to `most` operators on an array of that many rows and columns.
inline random_problem make_random_problem(std::uint64_t seed, int least, int most,
                                          std::int32_t rows, std::int32_t columns) {
  random_problem out{std::mt19937_64(seed), {}, {}};
  out.work = random_workload(out.random, static_cast<int>(pick(out.random, least, most)));
  out.array = random_array(out.random, rows, columns);
  return out;
}

}  // namespace wf_test
