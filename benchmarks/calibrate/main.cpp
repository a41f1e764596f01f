// SPDX-License-Identifier: BSL-1.0
//
// tools/bench calibrate [--out FILE] [--match TEXT] [--shapes N]: measures the kernels of the
// executor on this machine, fits the formulas of their times, and writes them as a header: see
// wf/registry/host_times.hpp.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <calibrate/fit.hpp>
#include <calibrate/one_kernel.hpp>
#include <calibrate/rows.hpp>
#include <wf/registry/host_times.hpp>

namespace {

using calibration::extents, calibration::row;

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Exits with a message if there is no value.
template <class T>
T value_or_exit(wf::result<T> made, const std::string& what) {
  if (made) return *static_cast<wf::result<T>&&>(made);
  std::fprintf(stderr, "calibrate: %s: %s\n", what.c_str(),
               std::string(made.error().message.view()).c_str());
  std::exit(1);
}

// The median seconds of a run, of which the short ones are repeated within a measurement.
double seconds_of(const calibration::one_kernel& one, const std::string& what) {
  const auto program = value_or_exit(wf::executable_graph::prepare(one.graph.view()), what);
  const wf::graph_view g = one.graph.view();
  std::vector<wf::input_matrix> inputs(one.inputs.begin(), one.inputs.end());
  std::vector<Eigen::MatrixXd> results;
  for (const wf::output& o : g.outputs) {
    const wf::shape& s = g[o.source].type.shape;
    results.emplace_back(s.rank > 0 ? s[0].size() : 1, s.rank > 1 ? s[1].size() : 1);
  }
  std::vector<wf::output_matrix> outputs(results.begin(), results.end());
  const auto run = [&](int times) {
    const double begin = thread_seconds();
    for (int i = 0; i < times; ++i)
      if (auto done = program.run({inputs.data(), inputs.size()}, {outputs.data(), outputs.size()});
          !done)
        value_or_exit(done, what);
    return (thread_seconds() - begin) / times;
  };
  const double first = run(1);
  const int times = std::max(1, static_cast<int>(2e-5 / std::max(first, 1e-8)));
  std::vector<double> taken;
  for (double total = 0; taken.size() < 5 || (total < 0.01 && taken.size() < 100);) {
    taken.push_back(run(times));
    total += taken.back() * times;
  }
  std::nth_element(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2),
                   taken.end());
  return taken[taken.size() / 2];
}

// Extents of all orders of magnitude, in all ratios, but no run of more than some tenths of a
// second.
extents some_extents(const row& r, std::mt19937_64& random) {
  const bool cubic = r.terms.size() > 1 &&
                     (r.terms[1].find("**3") != std::string::npos || r.terms[1] == "points" ||
                      r.terms[1].find("K") != std::string::npos || r.terms[1].find("M*") == 0);
  std::uniform_real_distribution<double> exponent(0, std::log(cubic ? 1200 : 2500));
  const auto one = [&] {
    return std::max<std::int64_t>(1, std::llround(std::exp(exponent(random))));
  };
  // Half of them from 40 on: where time is spent.
  extents e{one(), one(), one()};
  if (random() % 2 == 0) e.m = std::max<std::int64_t>(e.m, 40);
  return e;
}

struct measured {
  std::string formula;
  double median_error = 0, worst_error = 0;
};

measured measure(const row& r, int shapes) {
  std::mt19937_64 random(20261122);
  Eigen::MatrixXd terms(shapes, static_cast<Eigen::Index>(r.terms.size()));
  Eigen::VectorXd times(shapes);
  for (Eigen::Index s = 0; s < shapes; ++s) {
    const extents e = some_extents(r, random);
    const auto one = value_or_exit(calibration::make_one(r, e, random), r.op);
    for (std::size_t t = 0; t < r.terms.size(); ++t)
      terms(s, static_cast<Eigen::Index>(t)) =
          value_or_exit(calibration::value_of(r, r.terms[t], one.graph), r.op);
    times(s) = 1e9 * seconds_of(one, r.op);
  }
  const Eigen::VectorXd coefficients = calibration::fit_relative(terms, times);
  measured out;
  Eigen::VectorXd predicted = Eigen::VectorXd::Zero(shapes);
  for (std::size_t t = 0; t < r.terms.size(); ++t) {
    const auto at = static_cast<Eigen::Index>(t);
    const std::string c = calibration::decimal(coefficients(at));
    if (c == "0") continue;
    predicted += std::stod(c) * terms.col(at);
    if (!out.formula.empty()) out.formula += " + ";
    out.formula += c + (r.terms[t] == "1" ? "" : "*" + r.terms[t]);
  }
  if (r.is_step) out.formula = "steps*(" + out.formula + ")";
  Eigen::VectorXd errors = (predicted.array() / times.array() - 1).abs();
  out.worst_error = errors.maxCoeff();
  std::sort(errors.begin(), errors.end());
  out.median_error = errors(shapes / 2);
  return out;
}

int usage() {
  std::fprintf(stderr, "usage: tools/bench calibrate [--out FILE] [--match TEXT] [--shapes N]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::string file, match;
  int shapes = 60;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (i + 1 == argc) return usage();
    if (option == "--out")
      file = argv[++i];
    else if (option == "--match")
      match = argv[++i];
    else if (option == "--shapes")
      shapes = std::atoi(argv[++i]);
    else
      return usage();
  }
  if (shapes < 8) return usage();
  std::string header;
  const std::vector<row> rows = calibration::rows();
  // Every kernel of the default table, in its order: a table that lacked one would price it by its
  // bytes, far from what it takes.
  for (const wf::kernel_spec& known : wf::kernels::host_times) {
    const std::string op(known.name);
    std::string formula(known.costs[0].text().formula);
    const auto same = [&op](const row& r) { return r.op == op; };
    const auto r = std::find_if(rows.begin(), rows.end(), same);
    if (op.find(match) == std::string::npos || calibration::is_kept(op)) {
      std::printf("%-24s kept: %s ns\n", op.c_str(), formula.c_str());
    } else if (r == rows.end()) {
      std::fprintf(stderr, "calibrate: there is no row for '%s'\n", op.c_str());
      return 1;
    } else {
      const measured m = measure(*r, shapes);
      std::printf("%-24s median error %4.0f %%, worst %4.0f %%: %s ns\n", op.c_str(),
                  100 * m.median_error, 100 * m.worst_error, m.formula.c_str());
      formula = m.formula;
    }
    std::fflush(stdout);
    header += "    detail::timed(\"" + op + "\", \"" + formula + "\"),\n";
  }
  if (file.empty()) return 0;
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr || std::fputs(header.c_str(), out) < 0 || std::fclose(out) != 0) {
    std::fprintf(stderr, "calibrate: cannot write %s\n", file.c_str());
    return 1;
  }
  std::printf("written to %s\n", file.c_str());
  return 0;
}
