// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <regex>
#include <string>

#include <wf/map/batch/map.hpp>
#include <wf/map/batch/parts.hpp>

#include <cpu_time.hpp>
#include <files.hpp>
#include <mapping/check_batch.hpp>
#include <mapping/child.hpp>
#include <mapping/options.hpp>
#include <mapping/read_network.hpp>

namespace mapping_benchmark {

/// A network of the set, and the best cycles in three published runs of the mapper; 0: none.
struct network {
  const char* name;
  std::int64_t published;
};

inline constexpr network networks[] = {
    {"bert_large_cell", 14'814'848},
    {"gpt2xl_prefill_cell", 35'043'584},
    {"gpt2xl_decode_cell", 1'967'312},
    {"transformer_cell", 12'863'808},
    {"resnet50", 15'178'952},
    {"resnet101", 0},
    {"densenet", 0},
    {"inception_resnet_v1", 0},
    {"googlenet", 0},
    {"pnasnet", 0},
    {"transformer", 0},
    {"gnmt", 0},
    {"lstm", 0},
    {"darknet19", 0},
    {"vgg19", 0},
    {"zfnet", 0},
};

/// The result for a network.
struct network_record {
  bool solved = false, proven = false;
  std::int64_t value = 0, bound = 0, singles = 0, apart = 0, overlapped = 0;
  std::uint64_t states = 0, peak_bytes = 0;
  double cpu_s = 0, first_s = 0, stop_s = 0;
  std::string note;  ///< the reason of a failure, else empty
};

/// Cycles of a mapping by the published time model, in which all DRAM traffic overlaps all work:
/// the larger of the DRAM time and the sum of the segments' beats, each as long as its slowest
/// stage or link.
inline std::int64_t overlapped_cycles(const wf::batch_mapping& m, const wf::pe_array& a) {
  std::int64_t work = 0;
  for (const wf::pipeline_segment& g : m.segments) {
    std::int64_t beat = g.link_cycles, deepest = 0;
    for (std::uint32_t s = g.stages.first; s < g.stages.first + g.stages.count; ++s) {
      const wf::pipeline_stage& stage = m.stages[s];
      std::int64_t cycles = 0;
      for (std::uint32_t k = 0; k < stage.operators.count; ++k)
        cycles += m.operators[stage.operators.first + k].cycles;
      beat = std::max(beat, cycles);
      deepest = std::max<std::int64_t>(deepest, stage.depth);
    }
    work += (g.rounds + deepest) * beat;
  }
  return std::max(work, (m.dram_bytes() + a.dram_bytes_per_cycle - 1) / a.dram_bytes_per_cycle);
}

/// Maps a network in this process and verifies the mapping.
inline network_record map_network(const options& o, const network& n) {
  network_record out;
  const auto fail = [&](const wf::error& e) {
    const wf::text message = wf::to_text(e);
    out.note = std::string(message.view().data(), message.view().size());
    return out;
  };
  const std::string text = wf_benchmark::read_whole(o.data + "/set_networks/" + n.name + ".csv");
  const auto whole = read_network(wf::text_view(text.data(), text.size()), n.name, 64);
  if (!whole) return fail(whole.error());
  const auto w = wf::parts_that_fit(*whole, published_mesh());
  if (!w) return fail(w.error());
  const double begun = wf_benchmark::process_seconds();
  // The delay of a stop request: the longest time between two calls, or from the last call to the
  // mapping.
  double last = begun;
  const auto in_time = [&](const wf::search_progress& p) {
    const double now = wf_benchmark::process_seconds(), passed = now - begun;
    out.stop_s = std::max(out.stop_s, now - last);
    last = now;
    if (out.first_s == 0 && p.incumbent != wf::unbounded) {
      out.first_s = passed;
      out.singles = p.incumbent;
    }
    return passed < o.seconds;
  };
  const auto found = wf::map(*w, published_mesh(), wf::batch_options{}, in_time);
  out.cpu_s = wf_benchmark::process_seconds() - begun;
  out.stop_s = std::max(out.stop_s, begun + out.cpu_s - last);
  if (!found) return fail(found.error());
  out.note = fault_of(*w, published_mesh(), *found);
  out.solved = out.note.empty();
  out.proven = out.solved && found->proven();
  out.value = found->makespan;
  out.bound = found->bound;
  out.states = found->counters.nodes;
  if (n.published == 0 || !out.solved) return out;
  wf::batch_options published_rules;
  published_rules.stages_keep_results = false;
  const auto apart = wf::map(*w, published_mesh(), published_rules, in_time);
  if (!apart) return fail(apart.error());
  out.note = fault_of(*w, published_mesh(), *apart);
  out.apart = apart->makespan;
  out.overlapped = overlapped_cycles(*apart, published_mesh());
  return out;
}

/// Maps a network in a child process.
inline network_record map_network_apart(const options& o, const network& n) {
  using r = network_record;
  return record_of_child<r>([&] { return map_network(o, n); }, &r::solved, &r::proven, &r::value,
                            &r::bound, &r::singles, &r::apart, &r::overlapped, &r::states,
                            &r::cpu_s, &r::first_s, &r::stop_s);
}

/// Maps the networks of `set_networks` with a batch of 64 on the array of the published runs.
/// Columns: cycles of the mapping ("*": proven) and their bound; cycles layer by layer; then, where
/// published runs exist, figures for comparison: cycles of a mapping that passes results on chip
/// only between concurrent stages ("apart"), the same in the published time model ("overlapped"),
/// and the cycles of the best published run. `match` and `worse` in the RESULT line compare the
/// last two; docs/explanation/mapping.md describes how the models differ.
inline int run_networks(const options& o) {
  if (!std::ifstream(o.data + "/set_networks/resnet50.csv")) {
    std::printf("skipped: %s/set_networks is not there (--data, WF_DATA_DIR)\n", o.data.c_str());
    return 0;
  }
  const std::regex wanted(o.match);
  std::ofstream csv;
  if (!o.csv.empty()) csv.open(o.csv);
  csv << "instance,solved,proven,value,bound,singles,apart,overlapped,published,states,cpu_s,"
         "first_s,stop_s,peak_bytes,note\n";
  std::printf("%-20s %10s %10s %6s %10s %10s %10s %10s %8s %8s %7s %4s\n", "instance", "cycles",
              "bound", "gap %", "by layer", "apart", "overlapped", "published", "states", "cpu_s",
              "first_s", "MiB");
  std::uint64_t count = 0, proven = 0, match = 0, worse = 0, states = 0, wrong = 0;
  double cpu = 0, gap_max = 0, gap_all = 0, first_max = 0, stop_max = 0;
  for (const network& n : networks) {
    if (!std::regex_search(n.name, wanted)) continue;
    const network_record r = map_network_apart(o, n);
    ++count;
    proven += r.proven;
    match += r.solved && n.published != 0 && r.overlapped <= n.published;
    worse += !r.solved || (n.published != 0 && r.overlapped > n.published);
    wrong += !r.note.empty();
    states += r.states;
    cpu += r.cpu_s;
    first_max = std::max(first_max, r.first_s);
    stop_max = std::max(stop_max, r.stop_s);
    const double gap =
        r.solved ? static_cast<double>(r.value - r.bound) / static_cast<double>(r.value) : 1.0;
    gap_all = std::max(gap_all, gap);
    if (n.published != 0) gap_max = std::max(gap_max, gap);
    const auto figure = [&](std::int64_t x) {
      return n.published != 0 ? std::to_string(x) : std::string("-");
    };
    std::printf("%-20s %10" PRId64 "%s%10" PRId64 " %6.2f %10" PRId64 " %10s %10s %10s %8" PRIu64
                " %8.3f %7.4f %4" PRIu64 "\n",
                n.name, r.value, r.proven ? "*" : " ", r.bound, 100 * gap, r.singles,
                figure(r.apart).c_str(), figure(r.overlapped).c_str(), figure(n.published).c_str(),
                r.states, r.cpu_s, r.first_s, r.peak_bytes >> 20);
    if (!r.note.empty()) std::printf("    wrong: %s\n", r.note.c_str());
    std::fflush(stdout);
    csv << n.name << ',' << r.solved << ',' << r.proven << ',' << r.value << ',' << r.bound << ','
        << r.singles << ',' << r.apart << ',' << r.overlapped << ',' << n.published << ','
        << r.states << ',' << r.cpu_s << ',' << r.first_s << ',' << r.stop_s << ',' << r.peak_bytes
        << ",\"" << r.note << "\"\n";
  }
  std::printf("gap_max_all=%.4f first_mapping_max_s=%.4f stop_max_s=%.4f wrong=%" PRIu64 "\n",
              gap_all, first_max, stop_max, wrong);
  std::printf("RESULT suite=mapping set=networks instances=%" PRIu64 " proven=%" PRIu64
              " match=%" PRIu64 " worse=%" PRIu64 " cpu_s=%.3f states=%" PRIu64 " gap_max=%.4f\n",
              count, proven, match, worse, cpu, states, gap_max);
  return wrong == 0 ? 0 : 1;
}

}  // namespace mapping_benchmark
