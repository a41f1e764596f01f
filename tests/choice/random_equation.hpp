// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

// A random product of tensors with named indices, as a text for `wf::equations`.
struct random_equation {
  std::map<char, int> extents;
  std::vector<std::string> names;   // the factors, with indices
  std::vector<std::string> summed;  // likewise, with indices of a single factor summed first
  std::string inputs, head;
  std::string letters;  // the whole product as an einsum equation: "ab,bc->ac"

  random_equation(std::mt19937& random, std::size_t factors, const std::string& pool,
                  const char* type, int smallest = 2, std::size_t lowest_rank = 1) {
    for (char c : pool) extents[c] = smallest + static_cast<int>(random() % 4);
    std::map<char, int> uses, holders;
    std::vector<std::string> of(factors);
    for (std::string& indices : of) {
      const std::size_t rank = lowest_rank + random() % (4 - lowest_rank);
      while (indices.size() < rank) {
        const char c = pool[random() % pool.size()];
        const bool repeated = indices.find(c) != std::string::npos;
        if (repeated && random() % 8 != 0) continue;  // occasionally a diagonal
        if (!repeated) ++holders[c];
        ++uses[c];
        indices += c;
      }
    }
    for (const auto& [c, times] : uses)
      if (times == 1 || random() % 3 == 0) head += c;
    std::shuffle(head.begin(), head.end(), random);
    for (std::size_t k = 0; k < factors; ++k) {
      const std::string name(1, static_cast<char>('A' + k));
      inputs += "input " + name + " : " + type + list(of[k], true) + "\n";
      letters += (k == 0 ? "" : ",") + of[k];
      names.push_back(of[k].empty() ? name : name + list(of[k], false));
      std::string own;
      for (char c : of[k])
        if (holders[c] == 1 && head.find(c) == std::string::npos &&
            own.find(c) == std::string::npos)
          own += c;
      std::string reduced = names.back();
      for (char c : own) reduced = std::string("reduce(sum, ") + c + ") (" + reduced + ")";
      summed.push_back(own.empty() ? reduced : "(" + reduced + ")");
    }
    letters += "->" + head;
  }
  // As written, factor by factor.
  std::string text() const {
    std::string product;
    for (const std::string& n : names) product += (product.empty() ? "" : " * ") + n;
    return with(product);
  }
  // With `product` as the right side.
  std::string with(const std::string& product) const {
    return inputs + "Y" + list(head, false) + " = " + product + "\nexport Y";
  }
  // All orders of pairwise products, with indices of a single factor summed first.
  std::vector<std::string> orders() const { return orders_of(summed); }

 private:
  std::string list(const std::string& indices, bool sizes) const {
    std::string out = "[";
    for (char c : indices)
      out +=
          (out.size() > 1 ? "," : "") + (sizes ? std::to_string(extents.at(c)) : std::string(1, c));
    return out + "]";
  }
  static std::vector<std::string> orders_of(const std::vector<std::string>& factors) {
    if (factors.size() == 1) return factors;
    std::vector<std::string> out;
    for (std::size_t i = 0; i < factors.size(); ++i)
      for (std::size_t j = i + 1; j < factors.size(); ++j) {
        std::vector<std::string> rest;
        for (std::size_t k = 0; k < factors.size(); ++k)
          if (k != i && k != j) rest.push_back(factors[k]);
        rest.push_back("(" + factors[i] + " * " + factors[j] + ")");
        for (std::string& each : orders_of(rest)) out.push_back(std::move(each));
      }
    return out;
  }
};
