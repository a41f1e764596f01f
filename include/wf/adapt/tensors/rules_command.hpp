// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <wf/adapt/tensors.hpp>
#include <wf/adapt/tensors/facts_folder.hpp>
#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/v2.hpp>
#include <wf/logic/demand/session.hpp>
#include <wf/report/logic/equations_text.hpp>
#include <wf/report/logic/proof_svg.hpp>
#include <wf/report/logic/run_page.hpp>

// The command line of `wf-logic`.
namespace wf::tensors {

/// What `wf-logic` is asked to do.
struct rules_command {
  bool shows = false;                 ///< only tell what the program reads, computes and writes
  bool json = false;                  ///< tell it as JSON
  std::string file;                   ///< the program
  std::string dialect = "wf";         ///< its notation: wf, legacy or v2
  std::string root;                   ///< folder of its files and facts; empty: that of the program
  std::vector<std::string> queries;   ///< `Path('a', y)`
  std::vector<std::string> facts;     ///< facts to explain: `Path('a', 'b')`
  std::string page;                   ///< file of an HTML page about the run; empty: none
  logic::evaluation_options options;  ///< of the evaluation
  bool progress = false;              ///< report progress
  bool help = false;                  ///< only say how to use the command
};

/// What `wf-logic --help` prints.
inline constexpr const char* rules_command_usage =
    "usage: wf-logic run FILE [options]\n"
    "       wf-logic show FILE [--dialect NAME] [--json]\n"
    "run evaluates a program of rules and prints its results; with --query or --explain only "
    "answers;\n"
    "show checks it and prints what its equations read, compute and write.\n"
    "Inputs are the files that the program names, and NAME.tsv, NAME.facts or NAME.csv.\n"
    "  --dialect wf|legacy|v2   notation of the program (wf)\n"
    "  --root DIR               folder of its files and facts (that of FILE)\n"
    "  --query 'Path(\"a\", y)'   entries of one tensor, computed by demand; may be repeated\n"
    "  --explain 'Path(0, 5)'   why a fact holds, or why not; may be repeated\n"
    "  --steps N                steps along the program's axis of steps (1)\n"
    "  --samples N, --seed N    sums over N random positions instead of all\n"
    "  --temperature HEAD=T     of the operators that state none; HEAD may be *\n"
    "  --max-rounds N           bound on the rounds of a recursion\n"
    "  --page FILE              an HTML page about the run\n"
    "  --progress               report progress; without it on terminals only\n";

namespace detail {

/// Puts a whole number where an option wants it.
template <class Integer>
error take_number(const std::string& text, Integer& to) {
  char* end = nullptr;
  const unsigned long long n = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || text[0] == '-' || n > 4'000'000'000)
    return make_error(errc::bad_attribute, text, "is no whole number below 4,000,000,000");
  to = static_cast<Integer>(n);
  return {};
}
/// HEAD=T
inline error take_temperature(const std::string& value, rules_command& out) {
  const std::size_t equals = value.find('=');
  char* end = nullptr;
  const double t = equals == std::string::npos ? -1 : std::strtod(&value[equals + 1], &end);
  if (equals == std::string::npos || end == &value[equals + 1] || *end != '\0' || !(t >= 0))
    return make_error(errc::bad_attribute, value, "is no HEAD=T with a number T from 0 on");
  out.options.temperatures.push_back(
      {text(text_view(value.data(), equals)), logic::temperature_schedule(t)});
  return {};
}
/// Takes an option with its value.
inline error take_option(const std::string& option, const std::string& value, rules_command& out) {
  if (option == "--steps") return take_number(value, out.options.steps);
  if (option == "--samples") return take_number(value, out.options.samples);
  if (option == "--seed") return take_number(value, out.options.seed);
  if (option == "--max-rounds") return take_number(value, out.options.max_rounds);
  if (option == "--temperature") return take_temperature(value, out);
  if (option == "--query") return out.queries.push_back(value), error();
  if (option == "--explain") return out.facts.push_back(value), error();
  if (option == "--root") return out.root = value, error();
  if (option == "--page") return out.page = value, error();
  if (option != "--dialect")
    return make_error(errc::unknown_argument, option, "there is no such option");
  out.dialect = value;
  if (value != "wf" && value != "legacy" && value != "v2")
    return make_error(errc::bad_attribute, value, "is no dialect: wf, legacy or v2");
  return {};
}

}  // namespace detail

/// Reads the arguments behind the program's name. Errors: `unknown_argument` for an unknown option
/// or command, `missing_argument` for a missing file or value, `bad_attribute` for a value that is
/// none of the option's.
inline result<rules_command> read_rules_command(const std::vector<std::string>& arguments) {
  rules_command out;
  std::size_t positional = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    if (a == "--help" || a == "-h") {
      out.help = true;
      return out;
    }
    if (a == "--progress" || a == "--json") {
      (a == "--json" ? out.json : out.progress) = true;
    } else if (a.starts_with("--")) {
      if (i + 1 == arguments.size())
        return make_error(errc::missing_argument, a, "the option needs a value");
      if (error e = detail::take_option(a, arguments[++i], out); e.code != errc::none) return e;
    } else {
      if (positional == 0 && a != "run" && a != "show")
        return make_error(errc::unknown_argument, a,
                          "there is no such command; 'run' and 'show' are");
      if (positional == 0) out.shows = a == "show";
      if (positional == 1) out.file = a;
      if (positional++ == 2) return make_error(errc::unknown_argument, a, "one program is run");
    }
  }
  if (out.json && !out.shows)
    return make_error(errc::unknown_argument, "--json", "only 'show' has this option");
  if (out.file.empty())
    return make_error(errc::missing_argument, out.shows ? "show" : "run",
                      "a file with a program is missing");
  return out;
}

namespace detail {

// Set by Ctrl-C.
inline volatile std::sig_atomic_t interrupted = 0;

/// A run of the command.
class rules_command_run {
 public:
  rules_command_run(const rules_command& command, std::ostream& out, std::ostream& log)
      : command_(command), out_(out), log_(log) {}

  /// The exit status: 0, or 1 after an error, which is printed.
  int run() {
    auto contents = read_text_file(command_.file);
    if (!contents) return fail(contents.error());
    source_ = static_cast<text&&>(*contents);
    auto tree = command_.dialect == "legacy" ? parse_legacy_equations(source_.view())
                : command_.dialect == "v2"   ? parse_v2_equations(source_.view())
                                             : parse_equations(source_.view());
    if (!tree) return fail(tree.error());
    auto read = logic::read_program(*tree, source_.view());
    if (!read) return fail(read.error());
    auto ordered = logic::stratify(static_cast<logic::tensor_program&&>(*read), source_.view());
    if (!ordered) return fail(ordered.error());
    if (command_.shows) {
      out_ << (command_.json ? equations_json(*tree, source_.view()) : equations_text(*tree));
      return 0;
    }
    program_ = static_cast<logic::stratified_program&&>(*ordered);
    return evaluate_with_files();
  }

 private:
  int evaluate_with_files() {
    const std::filesystem::path file(command_.file);
    const std::filesystem::path folder =
        command_.root.empty() ? file.parent_path() : std::filesystem::path(command_.root);
    const auto box = sandbox::at(folder.empty() ? std::filesystem::path(".") : folder);
    if (!box) return fail(box.error());
    if (const auto r = read_facts(*box, program_.program, inputs_); !r) return fail(r.error());
    if (const auto r = read_sources(*box, program_.program, inputs_); !r) return fail(r.error());
    const auto told = [this](const logic::evaluation_progress& p) { return progress(p); };
    const callable_to<const decltype(told), bool, const logic::evaluation_progress&> callback(told);
    options_ = command_.options;
    options_.progress = &callback;
    const bool asks = !command_.queries.empty() || !command_.facts.empty();
    if (!asks || !command_.page.empty())
      if (const int status = evaluate(*box, !asks); status != 0) return status;
    if (const int status = answer(); status != 0) return status;
    if (const int status = explain(); status != 0) return status;
    return write_page();
  }
  int fail(const error& e) {
    end_progress();
    if (e.where.line != 0 && e.where.offset <= source_.size() && e.subject.empty())
      log_ << command_.file << ':' << e.where.line << ':' << e.where.column << ": ";
    log_ << to_text(e) << '\n';
    if (e.where.line != 0 && e.code != errc::facts_syntax && e.where.offset <= source_.size())
      log_ << caret(source_.view(), e.where) << '\n';
    return 1;
  }
  bool progress(const logic::evaluation_progress& p) {
    const auto now = std::chrono::steady_clock::now();
    if (p.round == 0 && timed_) note_time(p.stratum);
    if (command_.progress && (p.round == 0 || now - told_ > std::chrono::milliseconds(100))) {
      told_ = now;
      log_ << '\r' << "\x1b[K" << '[' << p.stratum + 1 << '/' << p.strata << "] " << p.tensor;
      if (p.round != 0) log_ << ", round " << p.round << ", " << p.entries << " entries";
      log_ << std::flush;
      shown_ = true;
    }
    return interrupted == 0;
  }
  // A stratum begins, or, with `none`, the evaluation ends.
  void note_time(std::uint32_t stratum) {
    const auto now = std::chrono::steady_clock::now();
    times_.resize(program_.strata.size());
    if (running_ != logic::none)
      times_[running_] += std::chrono::duration<double>(now - start_).count();
    running_ = stratum;
    start_ = now;
  }
  void end_progress() {
    if (shown_) log_ << "\r\x1b[K" << std::flush;
    shown_ = false;
  }

  int evaluate(const sandbox& box, bool prints) {
    timed_ = true;
    start_ = std::chrono::steady_clock::now();
    auto solved = logic::evaluate(program_, inputs_, options_);
    timed_ = false;
    if (!solved) return fail(solved.error());
    end_progress();
    note_time(logic::none);
    if (const auto r = write_sinks(box, program_.program, *solved); !r) return fail(r.error());
    for (logic::solved_tensor& t : solved->tensors)
      if (prints && t.name[0] != '#')
        out_ << t.name << ":\n" << logic::facts_text(t.entries(), t.domains, solved->domains);
    solution_ = static_cast<logic::solution&&>(*solved);
    return 0;
  }
  int answer() {
    if (command_.queries.empty()) return 0;
    logic::query_session session(program_, inputs_, options_);
    for (const std::string& q : command_.queries) {
      const auto found = session.ask(text_view(q.data(), q.size()));
      if (!found) return fail(found.error());
      end_progress();
      out_ << q << ":\n"
           << logic::facts_text((*found)->entries, (*found)->domains, (*found)->symbols);
    }
    return 0;
  }
  int explain() {
    if (command_.facts.empty()) return 0;
    logic::proof_session session(program_, inputs_, options_);
    for (const std::string& f : command_.facts) {
      const text_view fact(f.data(), f.size());
      const auto proof = session.prove(fact);
      const auto missing =
          proof ? result<table<logic::missing_premise>>(table<logic::missing_premise>())
                : session.why_not(fact);
      if (!proof && !missing) return fail(proof.error());
      end_progress();
      if (proof) {
        out_ << proof_text(*proof, session, source_.view());
        proofs_.push_back(proof_svg(*proof, session, source_.view()));
      } else {
        out_ << f << " does not hold:\n" << why_not_text(*missing, session, source_.view());
        proofs_.push_back({});
      }
    }
    return 0;
  }
  int write_page() {
    if (command_.page.empty()) return 0;
    table<double> seconds;
    for (const bool stepped : {false, true})  // the order of the reports
      for (std::size_t s = 0; s < times_.size(); ++s)
        if (program_.strata[s].stepped == stepped) seconds.push_back(times_[s]);
    html_page page = rules_page(text_view(command_.file.data(), command_.file.size()),
                                source_.view(), program_, solution_, seconds);
    for (std::size_t i = 0; i < proofs_.size(); ++i) {
      if (proofs_[i].empty()) continue;
      page.add_heading(
          (text() << "Why " << text_view(command_.facts[i].data(), command_.facts[i].size()))
              .view());
      page.add_picture(proofs_[i].view(), "The least high proof");
    }
    if (const auto r = write_text_file(command_.page, page.page().view()); !r)
      return fail(r.error());
    return 0;
  }

  const rules_command& command_;
  std::ostream& out_;
  std::ostream& log_;
  text source_;
  logic::stratified_program program_;
  logic::database inputs_;
  logic::evaluation_options options_;
  logic::solution solution_;
  table<text> proofs_;  // pictures, by explained fact
  std::chrono::steady_clock::time_point start_, told_;
  bool timed_ = false;                   // the whole program is being evaluated, not a query
  std::uint32_t running_ = logic::none;  // the stratum that is being evaluated
  std::vector<double> times_;            // by stratum: seconds, in all steps together
  bool shown_ = false;
};

}  // namespace detail

/// Runs the command: results go to `out`, errors and progress to `log`. Returns the exit status: 0,
/// 1 after an error, 2 for wrong arguments.
inline int run_rules_command(const std::vector<std::string>& arguments, std::ostream& out,
                             std::ostream& log) {
  const auto command = read_rules_command(arguments);
  if (!command) {
    log << "wf-logic: " << to_text(command.error()) << "; wf-logic --help says what there is\n";
    return 2;
  }
  if (command->help) {
    out << rules_command_usage;
    return 0;
  }
  return detail::rules_command_run(*command, out, log).run();
}

/// The program `wf-logic`: Ctrl-C stops an evaluation, which is then an error.
inline int rules_program(int argc, char** argv, bool on_terminal) {
  std::signal(SIGINT, [](int) { detail::interrupted = 1; });
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (on_terminal) arguments.push_back("--progress");
  return run_rules_command(arguments, std::cout, std::cerr);
}

}  // namespace wf::tensors
