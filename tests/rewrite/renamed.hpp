// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <deque>
#include <regex>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/registry.hpp>

namespace wf_test {

/// The kernels of a registry under other names, as user-defined operators: code that depends on
/// facts treats their workflows like the original ones, code that depends on names does not.
class renamed_registry {
 public:
  /// Adopts every kernel of `from` under its name with the prefix "own_", also in its laws.
  explicit renamed_registry(const wf::registry& from) {
    for (const wf::kernel_spec* k : from.kernels()) {
      wf::kernel_spec copy = *k;
      copy.name = keep("own_" + std::string(k->name));
      if (!k->laws.inverse.empty()) copy.laws.inverse = keep("own_" + std::string(k->laws.inverse));
      if (!k->laws.distributes_over.empty()) copy.laws.distributes_over = renamed_list(k);
      REQUIRE(kernels_.add(copy));
    }
  }

  /// The kernels.
  const wf::registry& kernels() const { return kernels_; }
  /// The workflow with renamed operators, by its text form.
  wf::graph renamed(const wf::graph_view& g) const {
    const std::string before(wf::to_text(g).view());
    const std::string after = std::regex_replace(
        before, std::regex("(^|\\n)(node (?:[a-z0-9_]+\\.)?)(?=[a-z])(?!call\\b)"), "$1$2own_");
    return parsed(after);
  }
  /// The workflow with the original operators, where it contains renamed ones.
  static wf::graph original(const wf::graph_view& g) {
    return parsed(original(std::string(wf::to_text(g).view())));
  }
  /// A message with the original names.
  static std::string original(const std::string& message) {
    return std::regex_replace(message, std::regex("\\bown_"), "");
  }

 private:
  static wf::graph parsed(const std::string& text) {
    auto made = wf::parse_graph({text.data(), text.size()});
    REQUIRE(made);
    return *std::move(made);
  }
  wf::text_view keep(std::string name) {
    names_.push_back(std::move(name));
    return {names_.back().data(), names_.back().size()};
  }
  wf::text_view renamed_list(const wf::kernel_spec* k) {
    std::string list = "own_";
    for (const char c : k->laws.distributes_over)
      list += c == ' ' ? std::string(" own_") : std::string(1, c);
    return keep(std::move(list));
  }

  std::deque<std::string> names_;
  wf::registry kernels_;
};

}  // namespace wf_test
