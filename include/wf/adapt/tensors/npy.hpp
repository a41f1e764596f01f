// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/tensors/dense_tensor.hpp>
#include <wf/core/container/bytes.hpp>
#include <wf/core/text/character.hpp>

namespace wf::tensors {

namespace detail {

/// Views bytes as the characters of a text.
inline text_view characters_of(view<std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
/// Views characters as bytes.
inline view<std::uint8_t> bytes_of(text_view characters) {
  return {reinterpret_cast<const std::uint8_t*>(characters.data()), characters.size()};
}

/// What the header of a .npy file says.
struct npy_header {
  element_form form;
  bool fortran_order = false;  ///< the first index runs fastest
  table<std::int64_t> extents;
};

/// Reads the header of a .npy file, a dictionary in Python's notation with three entries.
class npy_header_reader {
 public:
  /// The header begins at `offset` in its file.
  constexpr npy_header_reader(text_view header, std::size_t offset)
      : source_(header), offset_(offset) {}

  constexpr result<npy_header> read() {
    if (!take('{')) return wrong("expected '{'");
    while (!take('}'))
      if (!entry()) return failure_;
    skip_spaces();
    if (at_ != source_.size()) return wrong("expected the end of the header");
    for (const bool seen : seen_)
      if (!seen) return wrong("the header needs 'descr', 'fortran_order' and 'shape'");
    return static_cast<npy_header&&>(out_);
  }

 private:
  constexpr error wrong(text_view message) const { return bad_bytes(offset_ + at_, message); }
  constexpr bool fail(text_view message) {
    failure_ = wrong(message);
    return false;
  }
  constexpr void skip_spaces() {
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\n')) ++at_;
  }
  constexpr bool take(char c) {
    skip_spaces();
    if (at_ == source_.size() || source_[at_] != c) return false;
    ++at_;
    return true;
  }
  constexpr bool string(text_view& out) {
    skip_spaces();
    const char quote = at_ < source_.size() ? source_[at_] : '\0';
    if (quote != '\'' && quote != '"') return fail("expected a string in quotes");
    const std::size_t end = source_.find(quote, at_ + 1);
    if (end == source_.size()) return fail("the string is not closed");
    out = source_.part(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  constexpr bool entry() {
    constexpr text_view names[] = {"descr", "fortran_order", "shape"};
    text_view key;
    if (!string(key)) return false;
    std::size_t which = 0;
    while (which < 3 && names[which] != key) ++which;
    if (which == 3) return fail("the header has only 'descr', 'fortran_order' and 'shape'");
    if (seen_[which]) return fail("this entry of the header occurs twice");
    seen_[which] = true;
    if (!take(':')) return fail("expected ':'");
    if (!(which == 0 ? descr() : which == 1 ? order() : shape())) return false;
    skip_spaces();
    if (!take(',') && (at_ == source_.size() || source_[at_] != '}'))
      return fail("expected ',' or '}'");
    return true;
  }
  constexpr bool descr() {
    constexpr text_view codes[] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2",
                                   "u4", "u8", "f2", "",   "f4", "f8"};
    skip_spaces();
    if (at_ < source_.size() && source_[at_] == '[')
      return fail("a tensor has one number at each position, not a record");
    const std::size_t first = at_;
    text_view all;
    if (!string(all)) return false;
    const char order = all.empty() ? '\0' : all[0];
    for (std::size_t t = 0; t < sizeof codes / sizeof codes[0]; ++t) {
      if (all.size() < 3 || codes[t] != all.part(1)) continue;
      out_.form = {static_cast<element_type>(t), order == '>'};
      const bool one_byte = size_of(out_.form.type) == 1;
      if (order == '<' || order == '>' || (order == '|' && one_byte)) return true;
    }
    at_ = first;
    return fail((text("elements of the type '") << all << "' are not read").view());
  }
  constexpr bool order() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const text_view word = value ? "True" : "False";
      if (!source_.part(at_).starts_with(word)) continue;
      at_ += word.size();
      out_.fortran_order = value;
      return true;
    }
    return fail("expected True or False");
  }
  constexpr bool shape() {
    if (!take('(')) return fail("expected '('");
    bool ended = true;  // a tuple of one has a comma behind it
    while (!take(')')) {
      if (!ended || out_.extents.size() == max_rank)
        return fail(ended ? "a tensor has at most 8 axes" : "expected ',' or ')'");
      std::int64_t extent = 0;
      if (!integer(extent)) return false;
      out_.extents.push_back(extent);
      ended = take(',');
    }
    return (ended || out_.extents.size() != 1) || fail("a shape of one axis has a comma");
  }
  constexpr bool integer(std::int64_t& out) {
    skip_spaces();
    const std::size_t first = at_;
    for (; at_ < source_.size() && wf::detail::is_digit(source_[at_]); ++at_)
      if (out <= max_elements) out = 10 * out + (source_[at_] - '0');
    if (at_ == first) return fail("expected the extent of an axis");
    take('L');  // as Python 2 wrote it
    return true;
  }

  text_view source_;
  std::size_t offset_;
  std::size_t at_ = 0;
  bool seen_[3] = {};
  npy_header out_;
  error failure_;
};

/// Values whose first index runs fastest, in row-major order. O(rank · elements).
constexpr table<double> transposed(view<double> values, view<std::int64_t> extents) {
  std::int64_t strides[max_rank] = {}, at[max_rank] = {}, stride = 1, from = 0;
  for (std::size_t c = 0; c < extents.size(); ++c) {
    strides[c] = stride;
    stride *= extents[c];
  }
  table<double> out(values.size());
  for (double& value : out) {
    value = values[static_cast<std::size_t>(from)];
    for (std::size_t c = extents.size(); c-- > 0;) {
      from += strides[c];
      if (++at[c] < extents[c]) break;
      from -= strides[c] * extents[c];
      at[c] = 0;
    }
  }
  return out;
}

/// Bytes of the part of a .npy file before its dictionary, without the length: magic and version.
inline constexpr std::size_t npy_magic_bytes = 8;

}  // namespace detail

/// Reads a file as `numpy.save` writes it, of format 1.0, 2.0 or 3.0: truth values, integers and
/// IEEE 754 numbers, in either order of bytes and of axes. Errors: `bad_tensor_file` with the
/// offset, for a malformed header, for elements of another type, for more or fewer bytes than the
/// header states, and those of `element_count` and `read_elements`; all of them before storage for
/// elements is allocated that are not there. O(size).
inline result<dense_tensor> parse_npy(view<std::uint8_t> bytes) {
  byte_reader in(bytes);
  if (detail::characters_of(in.block(6)) != "\x93NUMPY")
    return detail::bad_bytes(0, "a .npy file begins with \\x93NUMPY");
  const auto version = static_cast<std::uint32_t>(in.integer(1));
  if (in.integer(1) != 0 || version < 1 || version > 3)
    return detail::bad_bytes(6, "only the formats 1.0, 2.0 and 3.0 are read");
  const std::uint64_t length = in.integer(version == 1 ? 2 : 4);
  const std::size_t first = bytes.size() - in.left();
  const view<std::uint8_t> text_of_header = in.block(length);
  if (!in.good()) return detail::bad_bytes(first, "the file ends within its header");
  auto header = detail::npy_header_reader(detail::characters_of(text_of_header), first).read();
  if (!header) return header.error();
  const std::size_t start = bytes.size() - in.left(), size = size_of(header->form.type);
  const auto count = element_count(header->extents);
  if (!count) return detail::bad_bytes(first, count.error().message.view());
  if (in.left() != *count * size)
    return detail::bad_bytes(start, (text() << "the header states " << *count * size
                                            << " bytes of elements, the file has " << in.left())
                                        .view());
  auto values = read_elements(in.block(in.left()), header->form, start);
  if (!values) return values.error();
  dense_tensor out;
  out.values = header->fortran_order && header->extents.size() > 1
                   ? detail::transposed(*values, header->extents)
                   : static_cast<table<double>&&>(*values);
  out.extents = static_cast<table<std::int64_t>&&>(header->extents);
  out.boolean = header->form.type == element_type::boolean;
  return out;
}

/// A tensor in the form of `numpy.save`, format 1.0: doubles, or truth values of one byte, in
/// row-major order. O(elements).
inline table<std::uint8_t> to_npy(const dense_tensor& t) {
  text header("{'descr': '");
  header << (t.boolean ? "|b1" : "<f8") << "', 'fortran_order': False, 'shape': (";
  for (std::size_t c = 0; c < t.extents.size(); ++c)
    header << (c == 0 ? "" : " ") << t.extents[c] << (c + 1 < t.extents.size() ? "," : "");
  header << (t.extents.size() == 1 ? ",), }" : "), }");
  while ((detail::npy_magic_bytes + 2 + header.size() + 1) % 64 != 0) header << ' ';
  header << '\n';
  byte_writer out;
  out.block(detail::bytes_of("\x93NUMPY\x01"));
  out.integer(0, 1).integer(header.size(), 2).block(detail::bytes_of(header.view()));
  std::uint8_t* at = out.space(t.values.size() * (t.boolean ? 1 : 8));
  for (const double value : t.values) {
    const std::uint64_t bits = t.boolean ? value != 0 : std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < (t.boolean ? 8 : 64); shift += 8)
      *at++ = static_cast<std::uint8_t>(bits >> shift);
  }
  return out.take();
}

}  // namespace wf::tensors
