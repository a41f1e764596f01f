// SPDX-License-Identifier: BSL-1.0
#pragma once

// A back end that begins with a definition of its own and uses no graphs; its programs report from
// what they were compiled.

#include <string>

#include <wf/compile/backend.hpp>

#include "toy_backend.hpp"

namespace scripts {

struct script {
  std::string words;
  friend bool operator==(const script&, const script&) = default;
};
inline wf::text_view definition_name(const script& s) { return s.words; }

// A script whose code does not depend on shapes: only the number of arguments is known.
struct shapeless {
  std::string words;
};
inline wf::result<wf::type_args> resolve_arguments(const shapeless&, const wf::type_args& args) {
  if (args.types.size() > 2)
    return wf::make_error(wf::errc::unknown_argument, "script", "there are two");
  wf::type_args out;
  out.fixed.push_back(wf::static_arg("count", args.types.size()));
  return out;
}

struct artifact {
  std::string code;
  friend bool operator==(const artifact&, const artifact&) = default;

  struct executable {
    std::string code;
    template <class Definition>
      requires(!std::same_as<Definition, wf::graph_view>)
    static wf::result<wf::type_args> types_of(const Definition&, const toy::arguments& a,
                                              const wf::table<wf::text>& static_inputs) {
      return toy::artifact::executable::types_of({}, a, static_inputs);
    }
    static toy::arguments without(toy::arguments a, const wf::table<wf::text>& static_inputs) {
      return toy::artifact::executable::without(a, static_inputs);
    }
    wf::result<std::string> operator()(const toy::arguments& a) const {
      return code + " with " + std::to_string(a.shapes.size() + a.numbers.size());
    }
  };
  executable load() const { return {code}; }
};

template <class Definition>
artifact specialise(const wf::concrete<Definition, wf::type_args>& d) {
  return {d.data.words + " for " + static_cast<std::string>(wf::to_text(d.args).view())};
}

inline const auto lint = wf::on_data<wf::type_args>(wf::verify<"lint">([](const script& s) {
  return s.words != "bad" ? wf::error{}
                          : wf::make_error(wf::errc::lint_failed, s.words, "these are bad words");
}));
inline const auto backend =
    wf::make_backend<"script">(lint, wf::step<"specialise">(&specialise<script>),
                               [](const artifact& a) -> wf::result<std::int64_t> {
                                 return static_cast<std::int64_t>(a.code.size());
                               });

}  // namespace scripts
