// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <wf/calibrate/fit.hpp>
#include <wf/calibrate/one_kernel.hpp>
#include <wf/calibrate/options.hpp>
#include <wf/calibrate/time_form.hpp>
#include <wf/cost/price.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/run/plan/executable.hpp>

namespace wf::calibration {

/// The measured time of a kernel.
struct measured_time {
  /// Name of the operator.
  std::string op;
  /// Time in nanoseconds: the formula of the kernel with the coefficients of this machine.
  std::string formula;
  /// Errors of the formula relative to the measured times, over all shapes.
  double median_error = 0, worst_error = 0;
  /// The time of a library's implementation, in nanoseconds; empty if there is none.
  std::string library_formula = {};
};

namespace detail {

// A prepared workflow of one kernel with sets of operands and results of its own, used in turn.
class prepared_kernel {
 public:
  prepared_kernel(const executable_graph& program, const one_kernel& one, int sets)
      : program_(&program) {
    constexpr double most_bytes = 512e6;
    double bytes = 8;
    const graph_view g = one.workflow.view();
    for (const value& v : g.values) bytes += 8 * static_cast<double>(v.type.shape.elements());
    sets = std::clamp(sets, 1, std::max(1, static_cast<int>(most_bytes / bytes)));
    sets_.resize(static_cast<std::size_t>(sets));
    for (set& s : sets_) {
      if (sets > 1) s.operands = one.inputs;
      const auto& from = sets > 1 ? s.operands : one.inputs;
      s.inputs.assign(from.begin(), from.end());
      for (const output& o : g.outputs) {
        const shape& shape = g[o.source].type.shape;
        s.results.emplace_back(rows_of(shape), columns_of(shape));
      }
      s.outputs.assign(s.results.begin(), s.results.end());
    }
  }
  error run() {
    const set& s = sets_[next_];
    next_ = next_ + 1 < sets_.size() ? next_ + 1 : 0;
    return program_->run({s.inputs.data(), s.inputs.size()}, {s.outputs.data(), s.outputs.size()})
        .error();
  }
  std::size_t sets() const { return sets_.size(); }

 private:
  struct set {
    std::vector<Eigen::MatrixXd> operands, results;
    std::vector<input_matrix> inputs;
    std::vector<output_matrix> outputs;
  };
  const executable_graph* program_;
  std::vector<set> sets_;
  std::size_t next_ = 0;
};

// Threads that run a kernel again and again, each on results of its own, from the end of the
// constructor to the begin of the destructor.
class busy_cores {
 public:
  busy_cores(const executable_graph& program, const one_kernel& one, std::uint32_t threads,
             int sets) {
    for (std::uint32_t t = 0; t < threads; ++t)
      threads_.emplace_back([&, sets](const std::stop_token& stop) {
        prepared_kernel own(program, one, sets);
        bool goes_on = own.run().code == errc::none;
        ++running_;
        while (goes_on && !stop.stop_requested()) goes_on = own.run().code == errc::none;
      });
    while (running_ != threads) std::this_thread::yield();
  }

 private:
  std::atomic<std::uint32_t> running_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace detail

/// Processor time of one run of a workflow in nanoseconds: the median of at least five
/// measurements; short runs are repeated within a measurement. With several cores all others run
/// the same workflow meanwhile, all with so many sets of operands in turn. `kernels` has the
/// implementations: null for the built-in ones. Errors: those of `executable_graph`.
inline result<double> run_nanoseconds(const one_kernel& one, std::uint32_t cores = 1, int sets = 1,
                                      const registry* kernels = nullptr) {
  execution_options how;
  how.kernels = kernels;
  const auto program = executable_graph::prepare(one.workflow.view(), how);
  if (!program) return program.error();
  detail::prepared_kernel own(*program, one, sets);
  const detail::busy_cores others(*program, one, cores - 1, sets);
  error fault;
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
  };
  const auto run = [&](int times) {
    const double begin = now();
    for (int i = 0; i < times && fault.code == errc::none; ++i) fault = own.run();
    return (now() - begin) / times;
  };
  // Each set once: no page is touched for the first time in a measurement.
  double first = 0;
  for (std::size_t s = 0; s < own.sets(); ++s) first = run(1);
  const int times = std::max(1, static_cast<int>(2e4 / std::max(first, 10.0)));
  std::vector<double> taken;
  for (double total = 0; taken.size() < 5 || (total < 1e7 && taken.size() < 100);) {
    taken.push_back(run(times));
    total += taken.back() * times;
    if (fault.code != errc::none) return fault;
  }
  return median_of(taken);
}

namespace detail {

// Extents of all orders of magnitude, in all ratios; half of them from 40 on, where most time goes.
// Half of the operands lack their `optional` dimension.
inline extents some_extents(std::int64_t largest, bool optional, std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(0, std::log(static_cast<double>(largest)));
  const auto one = [&] {
    return std::max<std::int64_t>(1, std::llround(std::exp(exponent(random))));
  };
  extents e{one(), one(), one()};
  if (random() % 2 == 0) e.m = std::max(e.m, std::min<std::int64_t>(40, largest));
  e.lacks_optional = optional && random() % 2 == 0;
  return e;
}

// The values of the terms of a kernel's time at the first node of a workflow.
inline result<Eigen::VectorXd> term_values(const kernel_spec& kernel, const time_form& form,
                                           const graph& workflow, const host_caches& caches) {
  const auto declared = parse_signature(kernel.signature);
  if (!declared) return declared.error();
  const graph_view g = workflow.view();
  const node_symbols symbols(g, g.nodes[0], *declared, caches.second);
  Eigen::VectorXd out(static_cast<Eigen::Index>(form.size()));
  for (std::size_t t = 0; t < form.size(); ++t) {
    const auto parsed = parse_formula(form.term(t));
    if (!parsed) return parsed.error();
    const auto value = evaluate(*parsed, symbols);
    if (!value) return value.error();
    out(static_cast<Eigen::Index>(t)) = to_double(*value);
  }
  return out;
}

inline bool is_small_enough(const graph& workflow, const measuring_options& options) {
  const graph_view g = workflow.view();
  std::int64_t elements = 0;
  for (const value& v : g.values) elements += v.type.shape.elements();
  if (elements > options.largest_elements) return false;
  const auto flops_taken = total_cost<rational>(g, flops, builtin_registry());
  return !flops_taken || to_double(*flops_taken) <= static_cast<double>(options.largest_flops);
}

// Random extents with small enough operands for which `suits` accepts the workflow without
// elements; `found` is false if there are none.
template <class Suits>
result<extents> suitable_extents(const kernel_spec& kernel, const measuring_options& options,
                                 std::mt19937_64& random, const Suits& suits, bool& found) {
  constexpr int most_tries = 10000;
  const auto optional = has_optional_dimension(kernel);
  if (!optional) return optional.error();
  for (int i = 0; i < most_tries; ++i) {
    const extents e = some_extents(options.largest_extent, *optional, random);
    const auto one = make_one(kernel, e, nullptr);
    if (!one) return one.error();
    if (!is_small_enough(one->workflow, options)) continue;
    const result<bool> fits = suits(one->workflow);
    if (!fits) return fits.error();
    if (found = *fits; found) return e;
  }
  found = false;
  return extents{};
}

inline text_view time_of(const kernel_spec& kernel) {
  for (const kernel_cost& c : kernel.costs)
    if (c.metric != nullptr && c.text().metric == execution_time_::spec.name)
      return c.text().formula;
  return {};
}

}  // namespace detail

namespace detail {

// Measurements of one kernel: one row per shape.
template <class Clock>
class measurements {
 public:
  measurements(const kernel_spec& kernel, const time_form& form, const measuring_options& options,
               const Clock& nanoseconds)
      : kernel_(kernel), form_(form), options_(options), nanoseconds_(nanoseconds) {}

  // Measures at any suitable extents.
  error measure_any() {
    return measure_where([](const graph&) -> result<bool> { return true; });
  }
  // Measures at extents where this term is not zero, unless a row has it already or none exist.
  error measure_term(Eigen::Index term) {
    for (const Eigen::VectorXd& row : rows_)
      if (row(term) != 0) return {};
    return measure_where([&](const graph& g) -> result<bool> {
      const auto values = term_values(kernel_, form_, g, options_.caches);
      if (!values) return values.error();
      return (*values)(term) != 0;
    });
  }
  std::size_t size() const { return rows_.size(); }
  measured_time fit() const {
    const auto count = static_cast<Eigen::Index>(rows_.size());
    Eigen::MatrixXd terms(count, static_cast<Eigen::Index>(form_.size()));
    for (Eigen::Index s = 0; s < count; ++s) terms.row(s) = rows_[static_cast<std::size_t>(s)];
    const Eigen::Map<const Eigen::VectorXd> times(times_.data(), count),
        scales(scales_.data(), count);
    const Eigen::VectorXd fitted = fit_relative(terms, times, scales);
    measured_time out;
    out.op = std::string(kernel_.name);
    out.formula = form_.with(std::vector<double>(fitted.begin(), fitted.end()));
    const fit_errors errors = errors_of(terms, fitted, times, scales);
    out.median_error = errors.median;
    out.worst_error = errors.worst;
    return out;
  }

 private:
  template <class Suits>
  error measure_where(const Suits& suits) {
    bool found = false;
    const auto e = suitable_extents(kernel_, options_, random_, suits, found);
    if (!e || !found) return e.error();
    const auto one = make_one(kernel_, *e, &random_);
    if (!one) return one.error();
    const auto values = term_values(kernel_, form_, one->workflow, options_.caches);
    if (!values) return values.error();
    const result<double> taken = nanoseconds_(*one);
    if (!taken) return taken.error();
    double without = 0;
    if (has_reader(kernel_.name)) {
      const auto reader = make_reader(*one, *e, random_);
      if (!reader) return reader.error();
      const result<double> alone = nanoseconds_(*reader);
      if (!alone) return alone.error();
      without = *alone;
    }
    rows_.push_back(*values);
    times_.push_back(*taken - without);
    scales_.push_back(*taken);
    return {};
  }

  const kernel_spec& kernel_;
  const time_form& form_;
  const measuring_options& options_;
  const Clock& nanoseconds_;
  std::mt19937_64 random_{20261122};
  std::vector<Eigen::VectorXd> rows_;
  std::vector<double> times_, scales_;
};

}  // namespace detail

/// Measures a kernel and fits the coefficients of its `execution_time` formula: all nonnegative,
/// and zero for a term that vanishes for all operands of allowed size. `nanoseconds(one)` returns
/// the time of a `one_kernel` as a `result<double>`; `goes_on()` is called before each shape.
/// Errors: those of `time_form::of`, of `make_one` and of `nanoseconds`, naming the kernel;
/// `unknown_cost` for a kernel without a time; `overflow` if all operands are too large;
/// `search_limit` if `goes_on()` is false.
template <class Clock, class GoesOn>
result<measured_time> measure(const kernel_spec& kernel, const measuring_options& options,
                              const Clock& nanoseconds, const GoesOn& goes_on) {
  const text_view formula = detail::time_of(kernel);
  if (formula.empty()) return make_error(errc::unknown_cost, kernel.name, "states no time");
  const auto form = time_form::of(formula);
  if (!form) return make_error(form.error().code, kernel.name, form.error().message.view());
  const auto optional = has_optional_dimension(kernel);
  if (!optional) return optional.error();
  const int shapes = *optional ? 2 * options.shapes : options.shapes;
  detail::measurements<Clock> made(kernel, *form, options, nanoseconds);
  const int terms = static_cast<int>(form->size());
  for (int s = 0; s < shapes + terms; ++s) {
    if (!goes_on()) return make_error(errc::search_limit, kernel.name, "was told to stop");
    const error e = s < shapes ? made.measure_any() : made.measure_term(s - shapes);
    if (e.code == errc::none) continue;
    return make_error(e.code, kernel.name,
                      (text() << e.subject.view() << ": " << e.message.view()).view());
  }
  if (made.size() == 0)
    return make_error(errc::overflow, kernel.name, "all of its operands are too large");
  return made.fit();
}

}  // namespace wf::calibration
