// SPDX-License-Identifier: BSL-1.0
#pragma once

// A small compiler for the tests of tracers and of pictures of toolchains: characters become words,
// words a tree, and back-end steps make code of it. Its types have the same names with every
// compiler.

#include <wf/report/toolchain/run_clock.hpp>
#include <wf/toolchain/toolchain.hpp>

namespace steps {

struct source {
  wf::text characters;
};
struct words {
  wf::table<wf::text> list;
};
struct tree {
  int leaves = 0;
};
struct code {
  wf::text lines;
};
struct artefact {
  int bytes = 0;
};

constexpr wf::text to_text(const words& w) {
  wf::text out;
  for (const wf::text& word : w.list) out << word.view() << '\n';
  return out;
}
constexpr wf::text to_text(const tree& t) { return wf::text() << t.leaves << " leaves"; }
constexpr wf::text to_text(const code& c) { return c.lines; }

constexpr words split(const source& s) {
  words out;
  wf::text word;
  for (const char c : s.characters.view()) {
    if (c != ' ') {
      word << c;
      continue;
    }
    out.list.push_back(word);
    word.clear();
  }
  out.list.push_back(word);
  return out;
}
constexpr wf::result<tree> parse(const words& w) {
  for (const wf::text& word : w.list)
    if (word.view() == "?")
      return wf::make_error(wf::errc::formula_syntax, "words", "a question mark is no word");
  return tree{static_cast<int>(w.list.size())};
}
constexpr tree fold(const tree& t) { return {t.leaves > 2 ? t.leaves - 1 : t.leaves}; }
constexpr code generate(const tree& t) {
  code out;
  for (int i = 0; i < t.leaves; ++i) out.lines << "load " << i << '\n';
  return out;
}
constexpr wf::result<artefact> assemble(const code& c) {
  if (c.lines.size() > 40)
    return wf::make_error(wf::errc::overflow, "code", "more than 40 \"bytes\"");
  return artefact{static_cast<int>(c.lines.size())};
}

inline constexpr auto front =
    wf::chain<"front">(wf::step<"split">(&split), wf::step<"parse">(&parse));
inline constexpr auto optimise = wf::chain<"optimise">(wf::step<"fold">(&fold));
inline constexpr auto back =
    wf::chain<"back">(wf::step<"generate">(&generate), wf::step<"assemble <&>">(&assemble));
inline constexpr auto compiler = wf::chain<"compiler">(front, optimise, back);

constexpr source text_of(const char* characters) { return {wf::text(characters)}; }

// A clock that advances by a millisecond, half of it computing, each time it is read.
struct fake_clock {
  std::int64_t asked = 0;
  constexpr wf::run_time operator()() {
    ++asked;
    return {asked * 1'000'000, asked * 500'000};
  }
};

}  // namespace steps
