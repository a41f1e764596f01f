// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/core/text/type_name.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

namespace detail {

template <class T>
concept has_stage_codec = requires(const T& x, text_view characters) {
  { encode_stage(x) } -> std::same_as<text>;
  { decode_stage(characters, std::type_identity<T>{}) } -> std::same_as<result<T>>;
};
template <class T>
concept integer_stage = std::integral<T> || std::same_as<T, int128> || std::same_as<T, uint128>;
template <class T>
concept real_stage = std::same_as<T, double> || std::same_as<T, float>;
// Text that owns its characters.
template <class T>
concept text_stage = std::same_as<T, text> ||
                     (character_range<T> && std::constructible_from<T, const char*, std::size_t> &&
                      !std::is_trivially_destructible_v<T>);

template <class T>
constexpr text encode_integer(T x) {
  if constexpr (std::same_as<T, uint128>)
    return text() << x;
  else
    return text() << static_cast<int128>(x);
}
// Accepts exactly the output of encode_integer.
template <class T>
constexpr result<T> decode_integer(text_view characters) {
  const bool negative = characters.starts_with("-");
  uint128 size = 0;
  bool fits = true;
  for (char c : negative ? characters.part(1) : characters)
    fits = fits && checked_multiply(size, uint128{10}, size) &&
           checked_add(size, static_cast<uint128>(static_cast<unsigned char>(c) - '0'), size);
  const T out = static_cast<T>(negative ? uint128{0} - size : size);
  if (fits && encode_integer(out).view() == characters) return out;
  return make_error(errc::cache_failed, type_name<T>(), "the characters are no integer of it");
}

}  // namespace detail

/// True if stages of a type can be written to files and read back: integers, `double` and `float`,
/// text that owns its characters, `wf::graph`, and types with functions
///
///     wf::text encode_stage(const T&);
///     wf::result<T> decode_stage(wf::text_view, std::type_identity<T>);
///
/// in their namespace. Decoding an encoded stage gives an equal stage; decoding other text gives an
/// error, or some stage. If the encoding changes, so must the version with which the step is
/// cached.
template <class T>
concept encodable = detail::has_stage_codec<T> || detail::integer_stage<T> ||
                    detail::real_stage<T> || detail::text_stage<T> || std::same_as<T, graph>;

/// Encodes a stage as text: by its own function, else integers in decimal digits, floating-point
/// numbers by their bits, text unchanged, graphs in their text form. O(size).
template <encodable T>
constexpr text encode(const T& x) {
  if constexpr (detail::has_stage_codec<T>)
    return encode_stage(x);
  else if constexpr (detail::integer_stage<T>)
    return detail::encode_integer(x);
  else if constexpr (std::same_as<T, double>)
    return detail::encode_integer(std::bit_cast<std::uint64_t>(x));
  else if constexpr (std::same_as<T, float>)
    return detail::encode_integer(std::bit_cast<std::uint32_t>(x));
  else if constexpr (std::same_as<T, graph>)
    return to_text(x);
  else
    return text(text_view(x));
}

/// Decodes a stage. Errors: those of its own function; for graphs those of `parse_graph` and
/// `validate`; `cache_failed` for numbers. O(size).
template <encodable T>
constexpr result<T> decode(text_view characters) {
  if constexpr (detail::has_stage_codec<T>) {
    return decode_stage(characters, std::type_identity<T>{});
  } else if constexpr (detail::integer_stage<T>) {
    return detail::decode_integer<T>(characters);
  } else if constexpr (detail::real_stage<T>) {
    using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    const result<bits> number = detail::decode_integer<bits>(characters);
    if (!number) return number.error();
    return std::bit_cast<T>(*number);
  } else if constexpr (std::same_as<T, graph>) {
    result<graph> read = parse_graph(characters);
    if (!read) return read;
    if (const auto valid = validated(read->view()); !valid) return valid.error();
    return read;
  } else if constexpr (std::same_as<T, text>) {
    return text(characters);
  } else {
    return T(characters.data(), characters.size());
  }
}

}  // namespace wf
