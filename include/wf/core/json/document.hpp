// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/character.hpp>
#include <wf/core/text/hexadecimal.hpp>

namespace wf {

/// Maximum nesting depth of arrays and objects in a JSON text.
inline constexpr std::size_t max_json_depth = 64;

/// Maximum size of a JSON text, in bytes.
inline constexpr std::size_t max_json_text = std::size_t{1} << 28;

/// The kind of a JSON value.
enum class json_kind : std::uint8_t {
  null,     ///< the word null
  boolean,  ///< true or false
  number,   ///< a number, kept as its text: nothing is rounded
  string,   ///< characters between quotes
  array,    ///< elements between square brackets
  object,   ///< members, each with a key, between braces
};

/// The name of a kind with its article, for messages: "a string".
constexpr text_view name_of(json_kind k) {
  constexpr text_view names[] = {"null",     "true or false", "a number",
                                 "a string", "an array",      "an object"};
  return names[static_cast<int>(k)];
}

/// One value of a JSON text, an entry of `json_document::items`.
struct json_item {
  /// Kind of the value.
  json_kind kind = json_kind::null;
  /// Offset in bytes of its first character from the start of the text.
  std::uint32_t offset = 0;
  /// Number of elements of an array, or of members of an object.
  std::uint32_t size = 0;
  /// Index of the item after this one and its contents.
  std::uint32_t next = 0;
  /// A string without escapes; a number, `true` or `false` as written; a range of
  /// `json_document::characters`.
  range characters;
};

/// A parsed JSON text: its values in preorder; item 0 is the root. The elements of an array follow
/// it, each at `next` of its predecessor; likewise the members of an object, each of which is two
/// items: the key, a string, and the value.
struct json_document {
  /// All values, in preorder.
  table<json_item> items;
  /// The characters of all strings and numbers, concatenated.
  text characters;

  /// The value at an index of `items`.
  constexpr const json_item& operator[](std::uint32_t item) const { return items[item]; }
  /// The characters of a string, number or truth value; valid as long as this document.
  constexpr text_view text_of(std::uint32_t item) const {
    const range r = items[item].characters;
    return characters.view().part(r.first, r.count);
  }
  /// Index of the first element of an array, or of the first key of an object, which must not be
  /// empty.
  static constexpr std::uint32_t first_of(std::uint32_t item) { return item + 1; }
  /// Index of the value of the key at index `key`.
  static constexpr std::uint32_t value_of(std::uint32_t key) { return key + 1; }
  /// Index of the value of an object's member, or 0 if it has none of that name. O(members).
  constexpr std::uint32_t find(std::uint32_t object, text_view name) const {
    std::uint32_t key = first_of(object);
    for (std::uint32_t i = 0; i < items[object].size; ++i, key = items[key + 1].next)
      if (text_of(key) == name) return value_of(key);
    return 0;
  }
};

namespace detail {

/// True for ASCII that needs no escape in a JSON string, whether `char` is signed or not.
constexpr bool is_plain(char c) {
  return static_cast<signed char>(c) >= ' ' && c != '"' && c != '\\';
}

/// Size in bytes of the UTF-8 character at `at`; 0 for invalid UTF-8: overlong forms, surrogates
/// and code points beyond U+10FFFF (Unicode 15, table 3-7).
constexpr std::size_t utf8_size(text_view t, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < t.size() ? static_cast<unsigned char>(t[at + i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) < 0xc0; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4 || !follows(1)) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) {
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;
    return follows(2) ? 3 : 0;
  }
  if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
  return follows(2) && follows(3) ? 4 : 0;
}

constexpr void append_utf8(text& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t b) {
    out << static_cast<char>(static_cast<unsigned char>(b));
  };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 63));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 63));
    byte(0x80 | (code >> 6 & 63));
  }
  if (code >= 0x80) byte(0x80 | (code & 63));
}

/// Parses a JSON text in one pass, without recursion. Its functions return false after an error,
/// which the members hold.
class json_reader {
 public:
  constexpr explicit json_reader(text_view source) : source_(source) {}

  constexpr result<json_document> read() {
    if (source_.size() > max_json_text) {
      fail("the JSON text is longer than 256 MiB");
    } else if (source_.starts_with("\xef\xbb\xbf")) {
      fail("a JSON text does not begin with a byte order mark");
    } else if (value()) {
      while (!open_.empty() && next_element()) {
      }
      skip_spaces();
      if (message_.empty() && at_ != source_.size()) fail("expected the end of the JSON text");
    }
    if (message_.empty()) return static_cast<json_document&&>(out_);
    return make_error(errc::graph_syntax, "", message_.view(), position_at(source_, failed_at_));
  }

 private:
  constexpr bool fail_at(std::size_t where, text_view message) {
    message_ = text(message);
    failed_at_ = where;
    return false;
  }
  constexpr bool fail(text_view message) { return fail_at(at_, message); }
  constexpr char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  constexpr bool at_digit() const { return is_digit(peek()); }
  constexpr void skip_spaces() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r') ++at_;
  }
  constexpr void add(json_kind kind) {
    out_.items.push_back({kind,
                          static_cast<std::uint32_t>(at_),
                          0,
                          static_cast<std::uint32_t>(out_.items.size() + 1),
                          {static_cast<std::uint32_t>(out_.characters.size()), 0}});
  }
  // The characters of the last item end here.
  constexpr bool end_characters() {
    range& r = out_.items.back().characters;
    r.count = static_cast<std::uint32_t>(out_.characters.size()) - r.first;
    return true;
  }

  // --- values -----------------------------------------------------------------------------------

  constexpr bool value() {
    skip_spaces();
    const char c = peek();
    if (c == '"') return string();
    if (c == '{' || c == '[') {
      if (open_.size() == max_json_depth)
        return fail("arrays and objects nest too deeply (at most 64 levels)");
      open_.push_back(static_cast<std::uint32_t>(out_.items.size()));
      add(c == '{' ? json_kind::object : json_kind::array);
      ++at_;
      return true;
    }
    if (c == '-' || at_digit()) return number();
    if (c == 'n') return word("null", json_kind::null);
    if (c == 't') return word("true", json_kind::boolean);
    if (c == 'f') return word("false", json_kind::boolean);
    return fail(at_ == source_.size() ? "expected a JSON value, found the end"
                                      : "expected a JSON value");
  }
  constexpr bool word(text_view wanted, json_kind kind) {
    if (!source_.part(at_).starts_with(wanted)) return fail("expected a JSON value");
    add(kind);
    at_ += wanted.size();
    out_.characters << wanted;
    return end_characters();
  }
  // Reads the end of the innermost open array or object, or its next element.
  constexpr bool next_element() {
    const std::uint32_t parent = open_.back();
    const bool object = out_.items[parent].kind == json_kind::object;
    const char end = object ? '}' : ']';
    skip_spaces();
    if (at_ == source_.size())
      return fail_at(out_.items[parent].offset,
                     object ? "the object is not closed" : "the array is not closed");
    if (peek() == end) return close(parent);
    if (out_.items[parent].size != 0) {
      if (peek() != ',') return fail(object ? "expected ',' or '}'" : "expected ',' or ']'");
      ++at_;
      skip_spaces();
      if (peek() == end) return fail("expected another element after ','");
    }
    ++out_.items[parent].size;
    return object ? member() : value();
  }
  constexpr bool member() {
    if (peek() != '"') return fail("expected a key in quotes");
    if (!string()) return false;
    skip_spaces();
    if (peek() != ':') return fail("expected ':' after the key");
    ++at_;
    return value();
  }
  constexpr bool close(std::uint32_t parent) {
    ++at_;
    open_.pop_back();
    out_.items[parent].next = static_cast<std::uint32_t>(out_.items.size());
    return out_.items[parent].kind == json_kind::array || out_.items[parent].size < 2 ||
           keys_differ(parent);
  }
  // Compares sorted keys, so that a hostile text does not take quadratic time.
  constexpr bool keys_differ(std::uint32_t object) {
    table<std::uint32_t> keys;
    for (std::uint32_t key = object + 1; key < out_.items[object].next;
         key = out_.items[key + 1].next)
      keys.push_back(key);
    stable_sort(keys, [&](std::uint32_t a, std::uint32_t b) {
      return (out_.text_of(a) <=> out_.text_of(b)) < 0;
    });
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (out_.text_of(keys[i - 1]) == out_.text_of(keys[i]))
        return fail_at(
            out_.items[keys[i]].offset,
            (text("the object has the key '") << out_.text_of(keys[i]) << "' twice").view());
    return true;
  }

  // --- numbers and strings ----------------------------------------------------------------------

  constexpr bool digits() {
    if (!at_digit()) return fail("expected a digit");
    while (at_digit()) ++at_;
    return true;
  }
  constexpr bool number() {
    const std::size_t first = at_;
    add(json_kind::number);
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
      if (at_digit()) return fail("a number has no needless zero in front");
    } else if (!digits()) {
      return false;
    }
    if (peek() == '.' && (++at_, !digits())) return false;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return false;
    }
    out_.characters << source_.part(first, at_ - first);
    return end_characters();
  }
  constexpr bool string() {
    const std::size_t first = at_;
    add(json_kind::string);
    ++at_;
    std::size_t plain = at_;  // characters from here on are not copied yet
    const char* const data = source_.data();
    const std::size_t size = source_.size();
    for (;;) {
      while (at_ < size && is_plain(data[at_])) ++at_;
      if (at_ == size || data[at_] == '"') break;
      const auto c = static_cast<unsigned char>(data[at_]);
      if (c == '\\') {
        out_.characters << source_.part(plain, at_ - plain);
        if (!escape()) return false;
        plain = at_;
      } else if (c < 0x20) {
        return fail(c == '\n' ? "the string is not closed on its line"
                              : "a control character in a string is written as an escape");
      } else if (const std::size_t bytes = utf8_size(source_, at_); bytes != 0) {
        at_ += bytes;
      } else {
        return fail("these bytes are not UTF-8");
      }
    }
    if (at_ == source_.size()) return fail_at(first, "the string is not closed");
    out_.characters << source_.part(plain, at_ - plain);
    ++at_;
    return end_characters();
  }
  constexpr bool escape() {
    constexpr text_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const std::size_t first = at_++, letter = letters.find(peek());
    if (at_ < source_.size() && letter < letters.size()) {
      out_.characters << meanings[letter];
      ++at_;
      return true;
    }
    at_ = first;
    std::uint32_t code = 0, low = 0;
    if (!unit(code))
      return fail_at(first,
                     "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t, or \\u and four "
                     "hexadecimal digits");
    if (code >= 0xdc80 && code <= 0xdcff) {
      out_.characters << static_cast<char>(static_cast<unsigned char>(code - 0xdc00));
      return true;
    }
    if (code >= 0xdc00 && code <= 0xdfff)
      return fail_at(first, "the second half of a character without its first half");
    if (code >= 0xd800 && code <= 0xdbff) {
      if (!unit(low) || low < 0xdc00 || low > 0xdfff)
        return fail_at(first, "the first half of a character without its second half");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(out_.characters, code);
    return true;
  }
  // Reads a \u escape; on false nothing is consumed.
  constexpr bool unit(std::uint32_t& out) {
    if (!source_.part(at_, 2).starts_with("\\u") || source_.size() - at_ < 6) return false;
    out = 0;
    for (std::size_t i = at_ + 2; i < at_ + 6; ++i) {
      const char c = source_[i];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      out = 16 * out + static_cast<std::uint32_t>(digit);
    }
    at_ += 6;
    return true;
  }

  text_view source_;
  std::size_t at_ = 0;
  json_document out_;
  table<std::uint32_t> open_;
  text message_;
  std::size_t failed_at_ = 0;
};

}  // namespace detail

/// Appends a quoted JSON string. Characters outside ASCII stay as they are; a byte that is not part
/// of valid UTF-8 becomes the escape \udc80 to \udcff (as in Python's "surrogateescape", PEP 383),
/// which `parse_json` converts back to that byte. O(size).
constexpr void append_json_string(text& out, text_view characters) {
  constexpr text_view letters = "\"\\bfnrt", meanings = "\"\\\b\f\n\r\t";
  out << '"';
  std::size_t plain = 0;  // characters up to here are written
  const char* const data = characters.data();
  for (std::size_t i = 0;;) {
    while (i < characters.size() && detail::is_plain(data[i])) ++i;
    if (i == characters.size()) break;
    const auto c = static_cast<unsigned char>(data[i]);
    const std::size_t size = c < 0x80 ? 1 : detail::utf8_size(characters, i);
    if (size > 1) {
      i += size;
      continue;
    }
    out << characters.part(plain, i - plain) << '\\';
    plain = ++i;
    const std::size_t letter = meanings.find(static_cast<char>(c));
    if (letter < meanings.size()) {
      out << letters[letter];
    } else {
      out << (size == 0 ? "udc" : "u00");
      detail::append_hexadecimal(out, c, 2);
    }
  }
  out << characters.part(plain) << '"';
}

/// Parses a JSON text in strict conformance with RFC 8259: no comments, no trailing commas, no byte
/// order mark, UTF-8 without overlong forms; duplicate keys of an object are an error. Numbers are
/// kept as text. An escaped lone surrogate \udc80 to \udcff stands for a byte
/// (`append_json_string`); any other lone surrogate is an error.
///
/// wf has its own parser because a graph in JSON must be readable at compile time, and every JSON
/// library needs standard headers that the compile-time tier avoids. Errors: `graph_syntax` with
/// line, column and offset, which `caret` shows. Limits: `max_json_text`, `max_json_depth`.
/// O(size), and O(n log n) in the number of keys of an object.
constexpr result<json_document> parse_json(text_view source) {
  return detail::json_reader(source).read();
}

}  // namespace wf
