// SPDX-License-Identifier: BSL-1.0
#pragma once

// Networks of layers with their gradients.

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/rewrite/gradient.hpp>

namespace wf_test {

// The gradient of a network by its weights.
inline wf::graph with_gradient(const std::string& source) {
  const auto g = wf::equations("network", {source.data(), source.size()});
  REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error())));
  const wf::text_view by[] = {"W"};
  wf::gradient_request wanted;
  wanted.output = "loss";
  wanted.inputs = by;
  auto made = wf::gradient(g->view(), wanted);
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
  return *static_cast<wf::result<wf::graph>&&>(made);
}

// So many layers of equal size, one after the other.
inline wf::graph chain_of_layers(int layers) {
  std::string source = "input X : f64[32, 16]\ninput W : f64[16, 16]\n";
  for (int i = 0; i < layers; ++i)
    source += "H" + std::to_string(i + 1) + " = tanh(" + (i == 0 ? "X" : "H" + std::to_string(i)) +
              " W)\n";
  return with_gradient(source + "loss = mean(square(H" + std::to_string(layers) +
                       "))\nexport loss\n");
}

// Random operators on earlier results of different prices, with views and with two outputs.
inline wf::graph random_network(std::mt19937_64& random, int layers) {
  std::string source = "input H0 : f64[8, 8]\ninput W : f64[8, 8]\n";
  for (int i = 1; i <= layers; ++i) {
    const auto earlier = [&] {
      const int back =
          random() % 3 == 0 ? static_cast<int>(random() % static_cast<unsigned>(i)) : i - 1;
      return "H" + std::to_string(back);
    };
    const std::string a = earlier(), b = earlier();
    const std::vector<std::string> forms = {
        "tanh(" + a + " W)",         "exp(-square(" + a + "))", "multiply(" + a + ", " + b + ")",
        a + " trans(" + b + ")",     "trans(" + a + ") W",      "softmax(" + a + ")",
        "sigmoid(" + a + ") + " + b, "gelu(" + a + ")",         a + " W + trans(" + b + ")"};
    source += "H" + std::to_string(i) + " = " + forms[random() % forms.size()] + "\n";
  }
  const std::string last = "H" + std::to_string(layers);
  source += "loss = mean(square(" + last + "))\nexport loss\n";
  if (random() % 3 == 0)
    source += "middle = H" + std::to_string(layers / 2) + " W\nexport middle\n";
  return with_gradient(source);
}

}  // namespace wf_test
