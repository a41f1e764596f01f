// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/message_form.hpp>
#include <wf/run/network/run_program.hpp>
#include <wf/run/network/tensor_form.hpp>
#include <wf/run/transport/batch.hpp>
#include <wf/run/transport/task_messages.hpp>
#include <wf/run/transport/task_recovery.hpp>

#include <memory>

#include "fuzz.hpp"

namespace {

constexpr std::uint32_t machines = 5;
constexpr std::uint64_t run = 0x3141592653589793;

std::string as_text(const wf::table<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
wf::machine_value<wf::machine_tensor> tensor(const wf::shape& s) {
  auto elements =
      std::make_shared<wf::dynamic_matrix>(wf::detail::given_rows(s), wf::detail::given_columns(s));
  elements->setConstant(1.5);
  return {{{wf::dtype::f64, {}, s}, std::move(elements), nullptr}, {1, 4}};
}
// Whatever is read is written as the same bytes.
template <class Datum>
void check(wf::view<std::uint8_t> bytes) {
  const auto read = wf::read_message<Datum>(bytes, machines);
  if (!read) {
    wf_test::fuzz_require(
        read.error().code == wf::errc::malformed_message && !read.error().message.empty(),
        "a malformed message is a typed error");
    return;
  }
  ++wf_test::fuzz_accepted;
  const auto again = wf::to_bytes<Datum>(read->path, read->value);
  wf_test::fuzz_require(again == wf::table<std::uint8_t>(bytes), "a message has one form");
}
// Writes what it reads.
struct rewriter {
  wf::batch_writer out{run};
  std::size_t items = 0;

  bool message(const wf::fault::envelope& m, bool whole, wf::view<std::uint8_t> carried) {
    ++items;
    check<wf::machine_tensor>(carried);
    // One that is damaged, or has bits that no envelope has, is not written as it was.
    out.add(m, whole, carried);
    return true;
  }
  bool termination(const wf::termination_message& m) {
    ++items;
    out.add(m);
    return true;
  }
  bool event(std::uint32_t n) {
    ++items;
    out.add(n);
    return n < 100;
  }
};

// Writes the tasks that it reads.
struct task_rewriter {
  wf::task_batch<wf::task_tensors> out{run};

  bool ended(std::uint32_t task) {
    out.add(task);
    return true;
  }
  bool ended(std::uint32_t task, const wf::task_tensors& value) {
    out.add(task, value);
    return true;
  }
  bool failed(std::uint32_t task) {
    out.add_failed(task);
    return true;
  }
  bool reported(const wf::task_failure& first) {
    out.add_report(first);
    return true;
  }
  bool over(const wf::task_failure& first) {
    out.add_over(first);
    return true;
  }
};
void check_tasks(wf::view<std::uint8_t> bytes) {
  task_rewriter in;
  const auto read = wf::read_task_batch<wf::task_tensors>(bytes, run, in);
  if (!read) {
    wf_test::fuzz_require(read.error().code == wf::errc::malformed_message ||
                              read.error().code == wf::errc::transport_failed,
                          "a malformed batch of tasks is a typed error");
    return;
  }
  ++wf_test::fuzz_accepted;
  if (!in.out.empty())
    wf_test::fuzz_require(in.out.take() == wf::table<std::uint8_t>(bytes),
                          "a batch of tasks has one form");
}

constexpr std::size_t ranks = 3, known_tasks = 11;

void check_progress(wf::view<std::uint8_t> bytes) {
  const auto read = wf::read_progress(bytes, run, ranks, known_tasks);
  if (!read) {
    wf_test::fuzz_require(read.error().code == wf::errc::malformed_message ||
                              read.error().code == wf::errc::transport_failed,
                          "a malformed progress is a typed error");
    return;
  }
  ++wf_test::fuzz_accepted;
  wf_test::fuzz_require(wf::write_progress(run, *read) == wf::table<std::uint8_t>(bytes),
                        "a progress has one form");
}

}  // namespace

std::vector<std::string> wf_test::fuzz_seeds() {
  const std::uint64_t path[] = {3, wf::execution_tags::step_to(4)};
  std::vector<std::string> out;
  wf::batch_writer batch(run);
  for (const wf::shape& s :
       {wf::shape{}, wf::shape::of(3), wf::shape::of(2, 2), wf::shape::of(2, 1, 2)}) {
    const auto bytes = wf::to_bytes<wf::machine_tensor>(path, tensor(s));
    out.push_back(as_text(bytes));
    batch.add({wf::fault::message_kind::data, 1, 0, 2, 3, 0, 4, 5, 6, 7}, true, bytes);
  }
  out.push_back(as_text(wf::to_bytes<std::uint64_t>(path, {17, {0}})));
  out.push_back(as_text(wf::to_bytes<wf::machine_tensor>({}, {})));
  batch.add(wf::termination_message{wf::termination_message::kind::answer, 1, 2, 3});
  batch.add(9U);
  out.push_back(as_text(batch.take()));
  wf::task_batch<wf::task_tensors> tasks(run);
  tasks.add(5);
  tasks.add(6, {{wf::dynamic_matrix::Ones(2, 3), wf::dynamic_matrix(0, 4)}});
  tasks.add_failed(7);
  tasks.add_report({8, wf::make_error(wf::errc::numerical_failure, "it", "no")});
  tasks.add_over({8, wf::make_error(wf::errc::numerical_failure, "it", "no")});
  out.push_back(as_text(tasks.take()));
  out.push_back(
      as_text(wf::write_progress(run, {wf::table<char>(ranks, 1), wf::table<char>(known_tasks),
                                       wf::table<char>(known_tasks, 1)})));
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  using namespace std::string_literals;
  return {"\0"s,
          "\1\0\0\0"s,
          "\2\0\0\0"s,
          "\377\377\377\377"s,
          "\0\0\0\0\0\0\0\100"s,
          "\2\0\0\0\0\0\0\200"s,
          "\3\0\0\0\0\0\0\0"s,
          "\1\11\0\0\0\0\2"s,
          "\377\377\377\377\377\377\377\177"s};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::view<std::uint8_t> bytes(data, size);
  check<wf::machine_tensor>(bytes);
  check<std::uint64_t>(bytes);
  check<double>(bytes);
  check_tasks(bytes);
  check_progress(bytes);
  rewriter in;
  const auto read = wf::read_batch(bytes, run, in);
  if (!read)
    wf_test::fuzz_require(read.error().code == wf::errc::malformed_message ||
                              read.error().code == wf::errc::transport_failed,
                          "a malformed batch is a typed error");
  else if (in.items != 0)
    wf_test::fuzz_require(in.out.size() == size, "a batch has one form");
  return 0;
}
