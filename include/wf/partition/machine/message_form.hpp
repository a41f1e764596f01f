// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <concepts>

#include <wf/core/container/bytes.hpp>
#include <wf/partition/machine/tags.hpp>
#include <wf/partition/machine/values.hpp>

namespace wf {

/// How a datum travels between processes: `static void write(byte_writer&, const Datum&)`, and
/// `static bool read(byte_reader&, Datum&)`, which is false for bytes that are no datum, and never
/// takes more storage than the bytes explain. Specialise it for a type of your own.
template <class Datum>
struct datum_form;

/// Integers and floating-point numbers, by their bits.
template <class Datum>
  requires std::integral<Datum> || std::floating_point<Datum>
struct datum_form<Datum> {
  static_assert(sizeof(Datum) <= 8, "a number of more than 64 bits has no form");

  /// Writes as many bytes as the type has.
  static constexpr void write(byte_writer& out, const Datum& d) {
    if constexpr (std::same_as<Datum, double>)
      out.word(std::bit_cast<std::uint64_t>(d));
    else if constexpr (std::same_as<Datum, float>)
      out.half(std::bit_cast<std::uint32_t>(d));
    else
      out.integer(static_cast<std::uint64_t>(d), sizeof(Datum));
  }
  /// Reads as many bytes as the type has.
  static constexpr bool read(byte_reader& in, Datum& d) {
    const std::uint64_t n = in.integer(sizeof(Datum));
    if constexpr (std::same_as<Datum, double>)
      d = std::bit_cast<double>(n);
    else if constexpr (std::same_as<Datum, float>)
      d = std::bit_cast<float>(static_cast<std::uint32_t>(n));
    else
      d = static_cast<Datum>(n);
    return in.good();
  }
};

/// Of messages that only signal: they carry no byte.
template <>
struct datum_form<nothing> {
  /// Writes no byte.
  static constexpr void write(byte_writer&, nothing) {}
  /// Reads no byte.
  static constexpr bool read(byte_reader& in, nothing&) { return in.good(); }
};

/// What a message between machines of several processes carries.
template <class Datum>
struct machine_content {
  table<std::uint64_t> path;   ///< steps of the execution: the numbers of paths differ by process
  machine_value<Datum> value;  ///< what is sent
};

/// The bytes of a message: its form's version, the path, the machines, and the datum if there is
/// one. O(size).
template <class Datum>
constexpr table<std::uint8_t> to_bytes(view<std::uint64_t> path, const machine_value<Datum>& v) {
  byte_writer out;
  out.half(1);
  out.half(static_cast<std::uint32_t>(path.size()));
  out.words(path);
  out.half(static_cast<std::uint32_t>(v.machines.size()));
  for (const std::uint32_t m : v.machines) out.half(m);
  datum_form<Datum>::write(out, v.datum);
  return out.take();
}

/// Reads the bytes of a message between a number of machines. Errors: `malformed_message` for bytes
/// that `to_bytes` does not make, for a step to a machine, or a machine, that does not exist.
/// O(size).
template <class Datum>
constexpr result<machine_content<Datum>> read_message(view<std::uint8_t> bytes,
                                                      std::uint32_t machines) {
  const auto refuse = [](text_view sentence) {
    return make_error(errc::malformed_message, "message", sentence);
  };
  byte_reader in(bytes);
  machine_content<Datum> out;
  if (in.half() != 1) return refuse("it has another form than this version reads");
  const std::uint32_t steps = in.count(8);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint64_t step = in.word();
    const std::uint64_t flags = execution_tags::machine_step | execution_tags::start_step;
    const std::uint64_t number = step & ~flags;
    // A call, or what a machine has from its start, begins a path.
    const bool fits = (step & flags) == execution_tags::machine_step ? number < machines
                      : (step & flags) == execution_tags::start_step
                          ? i == 0 && number < machines
                          : step == number && i == 0 && number != 0;
    if (!fits) return refuse("a step of its path is none");
    out.path.push_back(step);
  }
  const std::uint32_t count = in.count(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    out.value.machines.push_back(in.half());
    if (out.value.machines.back() >= machines) return refuse("it names a machine that is none");
  }
  if (!in.good()) return refuse("it is too short");
  if (!datum_form<Datum>::read(in, out.value.datum)) return refuse("what it carries is no datum");
  if (!in.is_over()) return refuse("it is too long");
  return out;
}

}  // namespace wf
