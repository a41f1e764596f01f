// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/index_usage.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>

namespace {

// "i1 j2(A,B) k1-": counts, the tensors of those that several have, and '-' for reduced ones.
std::string usage(const char* right) {
  const std::string source = std::string("Y = ") + right;
  const auto tree = wf::parse_equations(source);
  if (!tree) return "syntax";
  const wf::detail::index_usage found(*tree, tree->statements[0].root);
  std::string out;
  for (const auto& u : found.axes) {
    out += (out.empty() ? "" : " ") + std::string(u.name) + std::to_string(u.count);
    for (std::size_t i = 0; u.sources.size() > 1 && i < u.sources.size(); ++i)
      out += (i == 0 ? "(" : ",") + std::string(u.sources[i]);
    out += u.sources.size() > 1 ? ")" : "";
    out += u.reduced ? "-" : "";
  }
  return out;
}

}  // namespace

TEST_CASE("axes are counted by name, with the tensors that have them") {
  CHECK(usage("A[i,k] B[k,j]") == "i1 k2(A,B) j1");
  CHECK(usage("A[i,i] 2 - c") == "i2");
  CHECK(usage("R(x,y+1) !S(y)") == "x1 y2(R,S)");
  CHECK(usage("relu(A[i] B[i])") == "i2(A,B)");
  CHECK(usage("reduce(max, k) A[i,k]") == "i1 k1-");
  CHECK(usage("max(A[i,k], axis = \"k\")") == "i1 k1-");
  CHECK(usage("A[*t,i]") == "i1");
  CHECK(usage("A[0,'a',i]") == "i1");
}

TEST_CASE("names are sorted by code points") {
  wf::detail::label_list names;
  for (const wf::text_view n : {"b", "a'", "a", "B", "0:2"}) names.push_back(n);
  wf::detail::sort_labels(names);
  std::string out;
  for (const wf::text_view n : names) out += std::string(n) + " ";
  CHECK(out == "0:2 B a a' b ");
}
