// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/tensor/network.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

namespace {

using wf::transforms::detail::contraction_reader;

// The tensor network of the first output, as an equation with the extents before the letters.
std::string network(const char* text, std::size_t most = 16, bool through_shared = true) {
  const auto g = wf::equations("w", text);
  REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
  const wf::choice_graph c(g->view());
  contraction_reader r(c, most, through_shared);
  if (!r.read(c.representative(c.view().outputs[0].source))) return "too many";
  std::string out;
  const auto letter = [&](std::uint32_t i) {
    out += std::to_string(static_cast<int>(r.network().extents[i]));
    out += static_cast<char>('a' + i);
  };
  for (std::size_t k = 0; k < r.tensors().size(); ++k) {
    out += k == 0 ? "" : " ";
    const auto name = c.view().text_of(c.view()[r.tensors()[k]].name);
    out += name.empty() ? "?" : std::string(name);
    for (std::uint32_t i : r.network().indices_of(k)) letter(i);
  }
  out += " ->";
  for (std::uint32_t i : r.network().output) letter(i);
  return out + (r.first() == wf::node_id::none ? " matrices" : "") +
         (r.met_shared() ? " shared" : "");
}

}  // namespace

TEST_CASE("nested operators are read as one product") {
  CHECK(network("input A : f64[2,3,4]; input B : f64[4,3,5]; input C : f64[5,6]\n"
                "Y[i,m] = A[i,j,k] B[k,j,l] C[l,m]; export Y") == "A2a3d4e B4e3d5c C5c6b ->2a6b");
  CHECK(network("input A : f64[2,3]; input B : f64[3,4]; input x : f64[4]\n"
                "Y = A * (B * x); export Y") == "A2a3b B3b4c x4c ->2a matrices");
  CHECK(network("input A : f64[7,2,3]; input B : f64[3,4]\n"
                "Y = trans(A * B); export Y") == "A7a2c3d B3d4b ->7a4b2c");
  CHECK(network("input x : f64[3]; input y : f64[3]; Y = sum(hadamard(x, y)); export Y") ==
        "x3a y3a ->");
  CHECK(
      network("input x : f64[3]; input y : f64[3]; Y = dot(x, y) * trace(outer(x, y)); export Y") ==
      "x3a y3a x3b y3b -> matrices");
}

TEST_CASE("a diagonal has one index twice, a dimension of one element none") {
  CHECK(network("input A : f64[3,3]; input x : f64[3]; Y[i] = A[i,i] x[i]; export Y") ==
        "A3a3a x3a ->3a");
  CHECK(network("input A : f64[3,1]; input B : f64[1,4]; Y = A * B; export Y") ==
        "A3a B4b ->3a4b matrices");
  CHECK(network("input A : f64[5,1,4]; input b : f64[3,1]; Y = hadamard(A, b); export Y") ==
        "A5a4c b3b ->5a3b4c");
}

TEST_CASE("a value with other uses is passed or not") {
  const char* const text =
      "input A : f64[2,3,4]; input B : f64[4,3,5]; input C : f64[5,6]\n"
      "T[i,l] = A[i,j,k] B[k,j,l]; Y[i,m] = T[i,l] C[l,m]; export Y, T";
  CHECK(network(text) == "A2a3d4e B4e3d5c C5c6b ->2a6b shared");
  CHECK(network(text, 16, false) == "?2a5c C5c6b ->2a6b matrices shared");
  CHECK(network(text, 2) == "too many");
}

TEST_CASE("an operator that shares only the hash of a contraction is none") {
  using wf::transforms::detail::contraction_part;
  const std::uint64_t hash = wf::hash_text("matmul");
  CHECK(wf::transforms::detail::contraction_part_of(hash, "matmul") == contraction_part::matmul);
  CHECK(wf::transforms::detail::contraction_part_of(hash, "another name") ==
        contraction_part::none);
}
