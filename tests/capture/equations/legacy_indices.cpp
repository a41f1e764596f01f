// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/legacy_indices.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>

namespace {

// The message of a legacy program with its position, or "".
std::string refusal(const std::string& source) {
  const wf::text_view text(source.data(), source.size());
  const auto tree = wf::parse_legacy_equations(text);
  return tree ? std::string() : std::string(wf::legacy_error_text(tree.error(), text));
}

}  // namespace

static_assert(!wf::parse_legacy_equations("Out[i] = In[i] Extra[k]"));

TEST_CASE("conformance 4: what joins, what is projected, and what the left side expects") {
  CHECK(refusal("Out[i] = In[i] Extra[k]") ==
        "Out: RHS joins on {i, k}, projects {k}, but LHS expects {i}. unmatched RHS indices k from "
        "Extra (line 1). (line 1, col 1)\n"
        "  Out[i] = In[i] Extra[k]\n  ^");
  CHECK(refusal("Out[i,j] = In[i]")
            .starts_with("Out: RHS joins on {i}, projects {∅}, but LHS expects {i, j}. missing "
                         "indices j expected on "
                         "Out (line 1). (line 1, col 1)"));
  CHECK(
      refusal("Soft[i.] = In[j]")
          .starts_with("Soft: RHS joins on {j}, projects {j}, but LHS expects {i′}. missing "
                       "indices i′ expected on "
                       "Soft (line 1). unmatched RHS indices j from In (line 1). (line 1, col 1)"));
  CHECK(
      refusal("\nY[b,a] = X[k] Z[m]")
          .starts_with("Y: RHS joins on {k, m}, projects {k, m}, but LHS expects {a, b}. missing "
                       "indices a expected on Y (line 2); b expected on Y (line 2). unmatched RHS "
                       "indices k from X (line 2); m from Z (line 2). (line 2, col 1)"));
}

TEST_CASE("an index that is projected stands twice in its term") {
  CHECK(refusal("Y[i] = A[i,k] B[k]").empty());
  CHECK(refusal("Y[i] = M[i,k]") != "");
  CHECK(refusal("Y[i] = M[i,k] 2") != "");
  CHECK(refusal("Y = A[i,i]") != "");  // of a tensor alone nothing is projected
  CHECK(refusal("Y = A[i,i] 2").empty());
  CHECK(refusal("A(x,z) = P(x,y) A(y,z)").empty());
  CHECK(refusal("A(x) = P(x,y)") != "");
  CHECK(refusal("A(x) = P(x,y+1) Q(y)").empty());
  CHECK(refusal("Y[i] = X[i] even(k)") != "");
  CHECK(refusal("Y[0:2] = X[0:2]").empty());
  CHECK(refusal("Y[i] = X[i+1] - X[i-1]").empty());
}

TEST_CASE("max=, avg= and reductions project an index that stands once") {
  CHECK(refusal("Y[i] max= M[i,k]").empty());
  CHECK(refusal("Y[i] avg= M[i,k]").empty());
  CHECK(refusal("Y[i] = max(M[i,k], axis=\"k\")").empty());
  CHECK(refusal("Y[i] = max(M[i,k])").empty());
  CHECK(refusal("Y[i] = sum(M[i,k], axis=\"i\")") != "");
  CHECK(refusal("Y[i,j] max= M[i,k]") != "");
}

TEST_CASE("what is stepped through, and what has no indices, is not looked at") {
  CHECK(refusal("H[i,*t+1] = H[i,*t] W[i]").empty());
  CHECK(refusal("Pre[i] = W[i,j] H[j,*t]").empty());
  CHECK(refusal("Y[i] = const([1, 2])").empty());
  CHECK(refusal("M[i,j] = causal_mask(3)").empty());
  CHECK(refusal("Y[i,j] = A[i] + B[j]").empty());  // several equations
  CHECK(refusal("Y[p,h] = attention(Q[p,d], K[q,d], V[q,h])").empty());
  CHECK(refusal("Y[p,h] = attention(Q[p,d], K[q,d], V[q,h], M[p,q])").empty());
}
