// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/times/sample_operands.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/times/host_times.hpp>

TEST_CASE("samples are of kernels with times, one each, and views have readers") {
  const wf::registry timed = wf::timed_registry();
  for (const wf::sample_operands& s : wf::kernels::samples) {
    const std::string op(s.op);
    CAPTURE(op);
    int count = 0;
    for (const wf::sample_operands& other : wf::kernels::samples) count += other.op == s.op ? 1 : 0;
    CHECK(count == 1);
    bool has_time = false;
    for (const wf::kernel_spec& k : wf::kernels::host_times) has_time = has_time || k.name == s.op;
    CHECK(has_time);
    CHECK(s.reader.empty() == s.reader_operand.empty());
    if (!s.reader.empty()) CHECK(timed.find(s.reader) != nullptr);
  }
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    if (!timed.find(k.name)->is_view) continue;
    const std::string op(k.name);
    CAPTURE(op);
    bool has_reader = false;
    for (const wf::sample_operands& s : wf::kernels::samples)
      has_reader = has_reader || (s.op == k.name && !s.reader.empty());
    CHECK(has_reader);
  }
}
