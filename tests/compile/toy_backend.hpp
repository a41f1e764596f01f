// SPDX-License-Identifier: BSL-1.0
#pragma once

// A back end whose programs report from what they were compiled instead of computing.

#include <map>
#include <string>

#include <wf/capture/workflow.hpp>
#include <wf/compile/backend.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/toolchain/wrapper.hpp>

namespace toy {

// Arguments: shapes of matrices, and numbers.
struct arguments {
  std::map<std::string, wf::shape> shapes;
  std::map<std::string, double> numbers;
};

struct artifact {
  wf::text code;
  friend constexpr bool operator==(const artifact&, const artifact&) = default;

  struct executable {
    std::string prefix, code;
    static wf::result<wf::type_args> types_of(const wf::graph_view&, const arguments& a,
                                              const wf::table<wf::text>& static_inputs) {
      wf::type_args out;
      for (const auto& [name, shape] : a.shapes)
        out.types.push_back({wf::text(name), {wf::dtype::f64, {}, shape}});
      for (const auto& [name, number] : a.numbers) {
        bool fixed = false;
        for (const wf::text& s : static_inputs) fixed = fixed || s.view() == name;
        if (fixed)
          out.fixed.push_back(wf::static_arg(name, number));
        else
          out.types.push_back({wf::text(name), {wf::dtype::f64, {}, {}}});
      }
      return out;
    }
    static arguments without(arguments a, const wf::table<wf::text>& static_inputs) {
      for (const wf::text& s : static_inputs) a.numbers.erase(static_cast<std::string>(s.view()));
      return a;
    }

    wf::result<std::string> operator()(const arguments& a) const {
      return prefix + code + " with " + std::to_string(a.shapes.size() + a.numbers.size());
    }
  };
  executable load() const { return {"", static_cast<std::string>(code.view())}; }
  executable load(const std::string& prefix) const {
    return {prefix, static_cast<std::string>(code.view())};
  }
};

// y = alpha * A for any sizes.
inline constexpr auto scaled = wf::workflow<"scaled">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  auto alpha = s.input<"alpha", double>();
  s.output<"y">(alpha * a);
});

// The code as text: "scaled 3x4 constant multiply".
inline artifact translate(const wf::graph& g) {
  const wf::graph_view v = g.view();
  wf::text code;
  code << v.text_of(v.name) << ' ' << wf::to_text(v[v.outputs[0].source].type.shape).view();
  for (const wf::node& n : v.nodes) code << ' ' << v.op_name(n);
  return {code};
}

inline constexpr auto plan = wf::chain<"plan">(
    wf::verify<"validate">([](const wf::graph& g) { return wf::validate(g.view()).error(); }),
    wf::verify<"lint">([](const wf::graph& g) -> wf::error {
      if (g.view().outputs.size() == 1) return {};
      return wf::make_error(wf::errc::lint_failed, g.view().text_of(g.view().name),
                            "exactly one output");
    }));
inline constexpr auto translate_step = wf::step<"translate">(&translate);
inline constexpr auto backend = wf::make_backend<"toy">(
    plan, translate_step, [](const artifact& a) -> wf::result<std::int64_t> {
      return static_cast<std::int64_t>(a.code.size());
    });

}  // namespace toy
