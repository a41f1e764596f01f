// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <wf/run/network/task_program.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/transport/run_tasks.hpp>

namespace wf {

/// The results of a task, in the layout of the executor.
struct task_tensors {
  std::vector<dynamic_matrix> results;  ///< one for each output of its code
};

/// Tensors between processes: their number, and rows, columns and elements of each.
template <>
struct datum_form<task_tensors> {
  /// O(elements).
  static void write(byte_writer& out, const task_tensors& x) {
    out.half(static_cast<std::uint32_t>(x.results.size()));
    for (const dynamic_matrix& m : x.results) {
      out.word(static_cast<std::uint64_t>(m.rows())).word(static_cast<std::uint64_t>(m.cols()));
      const auto size = static_cast<std::size_t>(m.size());
      if (size == 0) continue;
      if (std::endian::native == std::endian::little)
        std::memcpy(out.space(8 * size), m.data(), 8 * size);
      else
        for (std::size_t i = 0; i < size; ++i) out.word(std::bit_cast<std::uint64_t>(m.data()[i]));
    }
  }
  /// O(elements). False unless as many elements follow as are stated.
  static bool read(byte_reader& in, task_tensors& x) {
    const std::uint32_t count = in.count(16);
    for (std::uint32_t k = 0; k < count && in.good(); ++k) {
      const std::uint64_t rows = in.word(), columns = in.word(), most = in.left() / 8;
      if (!in.good() || (rows | columns) > UINT32_MAX || rows * columns > most) return false;
      dynamic_matrix& m = x.results.emplace_back(static_cast<Eigen::Index>(rows),
                                                 static_cast<Eigen::Index>(columns));
      const auto size = static_cast<std::size_t>(m.size());
      const view<std::uint8_t> bytes = in.block(8 * size);
      if (size == 0) continue;
      if (std::endian::native == std::endian::little) {
        std::memcpy(m.data(), bytes.data(), 8 * size);
      } else {
        byte_reader words(bytes);
        for (std::size_t i = 0; i < size; ++i) m.data()[i] = std::bit_cast<double>(words.word());
      }
    }
    return in.good();
  }
};

/// How a program runs on several processes.
struct program_run_options {
  execution_options operators = {};  ///< of the executor
  task_run_options tasks = {};       ///< of the tasks; its `sizes` are not used
};

/// What one process reports of a run of a program.
struct program_report {
  named_matrices outputs;      ///< of its own tasks, by name
  error failure;               ///< of the first task that failed, in any process
  std::uint64_t computed = 0;  ///< its tasks that ran
  std::uint64_t messages = 0;  ///< values and signals that it sent to other processes
  std::uint64_t bytes = 0;     ///< that it sent
  std::int64_t most_held = 0;  ///< largest size of values that it held at a time, in bytes
};

namespace detail {

// The codes of a program in one process, and storage that is used again.
class program_codes {
 public:
  program_codes(const task_program& p, const execution_options& options)
      : program_(&p), options_(options), ready_(p.codes()) {}

  // Null, with the error, if it cannot be prepared.
  const executable_graph* find(std::uint32_t code, error& why) {
    if (ready_[code] == nullptr) {
      auto made = executable_graph::prepare(program_->code_workflow(code), options_);
      if (!made) return why = made.error(), nullptr;
      ready_[code] = std::make_unique<executable_graph>(*std::move(made));
    }
    return ready_[code].get();
  }
  // Keeps storage that a value no longer needs.
  void keep(task_tensors& x) {
    for (dynamic_matrix& m : x.results)
      if (spare_.size() < most_spare) spare_.push_back(std::move(m));
  }
  // Storage that was kept, or new one.
  dynamic_matrix storage(Eigen::Index rows, Eigen::Index columns) {
    for (dynamic_matrix& m : spare_)
      if (m.rows() == rows && m.cols() == columns) {
        std::swap(m, spare_.back());
        dynamic_matrix out = std::move(spare_.back());
        spare_.pop_back();
        return out;
      }
    if (spare_.size() == most_spare) spare_.erase(spare_.begin());
    return dynamic_matrix(rows, columns);
  }

 private:
  static constexpr std::size_t most_spare = 4;

  const task_program* program_;
  execution_options options_;
  std::vector<std::unique_ptr<executable_graph>> ready_;
  std::vector<dynamic_matrix> spare_;
};

// Computes the tasks of a program in one process.
template <class Arguments>
class program_tasks {
 public:
  program_tasks(const task_program& p, Arguments& arguments, program_codes& codes)
      : program_(p), arguments_(arguments), codes_(codes) {}

  error operator()(std::uint32_t task, view<task_operand<task_tensors>> operands,
                   task_tensors& out) {
    const std::uint32_t code = program_.code_of(task);
    error e;
    if (code == task_program::no_code)
      e = program_.is_argument(task) ? take_argument(task, out) : error();
    else
      e = compute(task, code, operands, out);
    if (e.code != errc::none && !program_.label(task).empty()) e.subject = program_.label(task);
    return e;
  }

 private:
  error take_argument(std::uint32_t task, task_tensors& out) {
    result<dynamic_matrix> given = arguments_(program_.label(task));
    if (!given) return given.error();
    const shape& s = program_.results(task)[0].shape;
    if (given->rows() != given_rows(s) || given->cols() != given_columns(s))
      return make_error(errc::argument_shape, program_.label(task),
                        (text() << "it is " << to_text(s).view() << ", not " << given->rows() << 'x'
                                << given->cols())
                            .view());
    out.results.push_back(*std::move(given));
    return {};
  }
  error compute(std::uint32_t task, std::uint32_t code, view<task_operand<task_tensors>> operands,
                task_tensors& out) {
    error why;
    const executable_graph* const ready = codes_.find(code, why);
    if (ready == nullptr) return why;
    in_.clear(), out_.clear();
    for (std::size_t k = 0; k < operands.size(); ++k)
      in_.emplace_back(operands[k].value->results[program_.result_read(task, k)]);
    for (const value_type& t : program_.results(task))
      out.results.push_back(codes_.storage(given_rows(t.shape), given_columns(t.shape)));
    for (dynamic_matrix& m : out.results) out_.emplace_back(m);
    const auto done = ready->run({in_.data(), in_.size()}, {out_.data(), out_.size()});
    for (const task_operand<task_tensors>& o : operands)
      if (o.is_last) codes_.keep(*o.value);
    return done.error();
  }

  const task_program& program_;
  Arguments& arguments_;
  program_codes& codes_;
  std::vector<input_matrix> in_;
  std::vector<output_matrix> out_;
};

}  // namespace detail

/// A program that one process runs again and again: what was prepared for a run serves the next
/// one. The program must outlive it.
class program_runner {
 public:
  /// Of a program, with options.
  explicit program_runner(const task_program& program, const program_run_options& options = {})
      : program_(&program), options_(options), codes_(program, options.operators) {
    for (std::uint32_t t = 0; t < program.tasks().size(); ++t) sizes_.push_back(program.bytes(t));
  }

  /// Prepares the codes of a process's tasks, so that no run has to. A code that cannot be prepared
  /// is a failure of the run. O(tasks + what it takes to prepare each code).
  void prepare(std::uint32_t rank) {
    error unused;
    for (std::uint32_t t = 0; t < program_->tasks().size(); ++t)
      if (program_->tasks().owner(t) == rank && program_->code_of(t) != task_program::no_code)
        codes_.find(program_->code_of(t), unused);
  }
  /// Runs the program, with arguments as `run_program` has them. Errors: those of `run_program`.
  template <transport Transport, class Arguments>
  result<program_report> run(Transport& carrier, Arguments&& arguments) {
    if (program_->fault().code != errc::none) return program_->fault();
    task_run_options of_tasks = options_.tasks;
    of_tasks.sizes = sizes_;
    detail::program_tasks<std::remove_reference_t<Arguments>> computing(*program_, arguments,
                                                                        codes_);
    auto ran = run_tasks<task_tensors>(carrier, program_->tasks(), computing, of_tasks);
    if (!ran) return ran.error();
    program_report out;
    out.failure = std::move(ran->failure.why);
    out.computed = ran->computed;
    out.messages = ran->messages;
    out.bytes = ran->bytes;
    out.most_held = ran->most_held;
    std::vector<std::size_t> place(program_->tasks().size(), SIZE_MAX);
    for (std::size_t i = 0; i < ran->outputs.size(); ++i) place[ran->outputs[i].task] = i;
    for (const task_program::named_value& o : program_->outputs())
      if (place[o.value.task] != SIZE_MAX)
        out.outputs[std::string(o.name.view())] =
            ran->outputs[place[o.value.task]].value.results[o.value.result];
    return out;
  }

 private:
  const task_program* program_;
  program_run_options options_;
  detail::program_codes codes_;
  table<std::int64_t> sizes_;
};

/// Runs a program together with the other processes of a transport, each of which calls this with
/// an equal program, as `run_tasks` does. `arguments(name)` returns a `result<dynamic_matrix>` in
/// the process that has the argument, when it is first needed; so no process needs all of them.
/// Each code is prepared when it first runs; `program_runner` keeps it for further runs. Up to four
/// matrices are kept to be used again, beside what `most_held` counts.
///
/// Results are the same to the bit on any number of processes. Errors: the fault of the program;
/// those of `run_tasks`. What happens to a task is `program_report::failure`, the same in each
/// process: an error of `arguments`, `argument_shape`, those of `executable_graph::prepare` and
/// `run`; the subject is the task's label.
template <transport Transport, class Arguments>
result<program_report> run_program(Transport& carrier, const task_program& program,
                                   Arguments&& arguments, const program_run_options& options = {}) {
  return program_runner(program, options).run(carrier, arguments);
}

}  // namespace wf
