// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/facts.hpp>

#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  return {"1\ta\t0.5\n-7\tb\t2\n12\ta\t-1e3\n", "1\ta\n2\tb\n1\ta\n", "true\n", "2.5\n",
          "-2147483648\n2147483647\n",          "1\r\n2\r\n"};
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"\t",  "\n",         "\r\n",        "-",    "0",   "true", "1e999", "nan",
          "inf", "2147483648", "-2147483648", "0x1p", "0.1", "a b",  "\t\t",  "1\ta\t2\n"};
}

// Any bytes are facts that survive being written and read, or are refused with a position inside.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wf::logic;
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  constexpr std::uint32_t whole = UINT32_MAX;
  const wf::table<std::uint32_t> columns[] = {{}, {whole}, {whole, 0}, {whole, whole, 0}};
  bool accepted = false;
  for (const wf::table<std::uint32_t>& each : columns)
    for (const bool valued : {false, true}) {
      const fact_format format{each, valued};
      wf::table<symbol_domain> domains(1);
      const wf::result<relation> read = parse_facts(source, format, domains);
      if (!read) {
        wf_test::fuzz_require_error(source, read.error());
        continue;
      }
      accepted = true;
      const wf::text written = facts_text(*read, format.columns, domains);
      const wf::result<relation> again = parse_facts(written.view(), format, domains);
      wf_test::fuzz_require(again && again->rows == read->rows, "facts are read back");
      wf_test::fuzz_require(facts_text(*again, format.columns, domains).view() == written.view(),
                            "facts have one text");
    }
  wf_test::fuzz_accepted += accepted;
  return 0;
}
