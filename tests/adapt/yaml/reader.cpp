// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/reader.hpp>

#include <string>
#include <utility>

#include <doctest/doctest.h>

namespace {

// A document of the form {text: ..., flag: ..., list: [...]}.
struct document {
  explicit document(std::string text) : yaml(std::move(text)), in(yaml, "doc") {
    REQUIRE(in.parse(yaml.size(), root));
  }
  std::string told() const { return std::string(wf::to_text(in.failure()).view()); }

  std::string yaml;
  wf::detail::yaml_reader in;
  YAML::Node root;
  wf::detail::yaml_fields fields;
};

std::string parsed(const std::string& yaml, std::size_t most = 1000) {
  wf::detail::yaml_reader in(yaml, "doc");
  YAML::Node root;
  if (in.parse(most, root)) return "ok";
  return std::string(wf::to_text(in.failure()).view());
}

constexpr wf::text_view keys[] = {"text", "flag", "list"};

}  // namespace

TEST_CASE("a text is one document of legal characters, and not too long") {
  CHECK(parsed("a: 1") == "ok");
  CHECK(parsed("a: 1", 3) == "WF304 in 'doc': the file is too long (line 1, column 1)");
  CHECK(parsed("a\x02") ==
        "WF304 in 'doc': a character that is no text in UTF-8 (line 1, column 2)");
  CHECK(parsed("") == "WF304 in 'doc': there is no YAML document (line 1, column 1)");
  CHECK(parsed("a: 1\n---\nb: 1\n") ==
        "WF304 in 'doc': a file of kernels is one YAML document (line 2, column 1)");
}

TEST_CASE("what yaml-cpp throws is a fault at its mark") {
  const std::string yaml = "a: [";
  wf::detail::yaml_reader in(yaml, "doc");
  YAML::Node root;
  try {
    (void)in.parse(yaml.size(), root);
    FAIL("nothing was thrown");
  } catch (const YAML::Exception& e) {
    CHECK_FALSE(in.fail(e));
  }
  CHECK(in.failure().code == wf::errc::bad_registry_file);
  CHECK(in.failure().message.view().starts_with("no YAML: "));
}

TEST_CASE("a mapping has known keys, each once and with a value") {
  document good("{text: t, flag: true}");
  REQUIRE(good.in.read_fields(good.root, "a thing", keys, good.fields));
  CHECK(good.fields.find("flag") != nullptr);
  CHECK(good.fields.find("list") == nullptr);
  CHECK(good.in.require(good.root, good.fields, "a thing", "text"));
  CHECK_FALSE(good.in.require(good.root, good.fields, "a thing", "list"));
  CHECK(good.told() == "WF304 in 'doc': a thing needs the key 'list' (line 1, column 1)");

  const auto told = [](const char* yaml) {
    document d(yaml);
    CHECK_FALSE(d.in.read_fields(d.root, "a thing", keys, d.fields));
    return d.told();
  };
  CHECK(told("[]") == "WF304 in 'doc': a thing is a mapping (line 1, column 1)");
  CHECK(told("{[a]: 1}") == "WF304 in 'doc': a key is a text (line 1, column 2)");
  CHECK(told("{txt: a}") ==
        "WF304 in 'doc': unknown key 'txt': did you mean 'text'? (line 1, column 2)");
  CHECK(told("{text: a, text: b}") ==
        "WF304 in 'doc': the key 'text' is given twice (line 1, column 11)");
  CHECK(told("{text: }") == "WF304 in 'doc': the key 'text' has no value (line 1, column 2)");
  document any("{other: 1}");
  CHECK(any.in.read_fields(any.root, "a thing", {}, any.fields));
}

TEST_CASE("texts and flags of a mapping; those that are absent stay as they are") {
  document d("{text: words, flag: true, list: [yes]}");
  REQUIRE(d.in.read_fields(d.root, "a thing", keys, d.fields));
  wf::text_view words, absent = "as it was";
  bool flag = false;
  CHECK(d.in.read_text(d.fields, "text", words));
  CHECK(words == "words");
  CHECK(d.in.read_text(d.fields, "other", absent));
  CHECK(absent == "as it was");
  CHECK(d.in.read_flag(d.fields, "flag", flag));
  CHECK(flag);
  CHECK(d.in.read_flag(d.fields, "other", flag));
  CHECK(flag);
  CHECK_FALSE(d.in.read_flag(d.fields, "text", flag));
  CHECK(d.told() == "WF304 in 'doc': text is true or false (line 1, column 8)");
  CHECK_FALSE(d.in.read_text(d.fields, "list", words));
  CHECK(d.told() == "WF304 in 'doc': list is a text (line 1, column 33)");
}

TEST_CASE("the elements of a list are read until a fault") {
  document d("[a, b, c]");
  std::string seen;
  const auto until = [&](const char* last) {
    return [&seen, last](const YAML::Node& node) {
      seen += node.Scalar();
      return node.Scalar() != last;
    };
  };
  CHECK(d.in.read_each(&d.root, "a list", until("z")));
  CHECK_FALSE(d.in.read_each(&d.root, "a list", until("b")));
  CHECK(d.in.read_each(nullptr, "a list", until("a")));
  CHECK(seen == "abcab");
  document other("{a: 1}");
  CHECK_FALSE(other.in.read_each(&other.root, "a list", until("z")));
  CHECK(other.told() == "WF304 in 'doc': a list is a list (line 1, column 1)");
}

TEST_CASE("one of the values that have names") {
  constexpr wf::effect all[] = {wf::effect::pure, wf::effect::stateful};
  const auto read = [&](document& d, wf::effect& out) {
    return d.in.read_one_of<wf::effect>(&d.root, all, "effect", "it is a word", out);
  };
  wf::effect out = wf::effect::pure;
  document good("stateful"), wrong("statefull"), list("[pure]");
  CHECK(read(good, out));
  CHECK(out == wf::effect::stateful);
  CHECK_FALSE(read(wrong, out));
  CHECK(wrong.in.failure().message.view() ==
        "unknown effect 'statefull': did you mean 'stateful'?");
  CHECK_FALSE(read(list, out));
  CHECK(list.in.failure().message.view() == "it is a word");
}

TEST_CASE("a text that was read has a place, and outlives the reader with the others") {
  wf::text_view first, made;
  wf::table<wf::text> texts;
  {
    document d("[x, 'a long text that is not kept inside of anything else']");
    REQUIRE(d.in.read_text(d.root[1], "a text", first));
    made = d.in.keep("made");
    CHECK(d.in.position_of(first).column == 5);
    CHECK(d.in.position_of(made).column == 1);
    // An error position inside the text.
    CHECK_FALSE(d.in.fail(
        "thing",
        {wf::make_error(wf::errc::unknown_symbol, "x", "no", wf::position_at(first, 2)), first},
        d.root));
    CHECK(d.told() == "WF202 in 'doc': thing 'x': no (line 1, column 8)");
    texts = d.in.take_texts();
  }
  CHECK(first == "a long text that is not kept inside of anything else");
  CHECK(made == "made");
}
