// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstring>
#include <memory>

#include <wf/partition/machine/message_form.hpp>
#include <wf/run/network/machine_kernels.hpp>

namespace wf {

/// A tensor between processes: element type, properties, extents, and the elements in the layout of
/// the executor, which both ends have. A tensor without elements is one byte. What a tensor is a
/// view of does not travel.
template <>
struct datum_form<machine_tensor> {
  /// O(elements).
  static void write(byte_writer& out, const machine_tensor& x) {
    out.integer(x.elements != nullptr ? 1 : 0, 1);
    if (x.elements == nullptr) return;
    out.integer(static_cast<std::uint64_t>(x.of.type), 1);
    out.half(x.of.known.bits);
    out.integer(x.of.shape.rank, 1);
    for (std::uint32_t i = 0; i < x.of.shape.rank; ++i)
      out.word(static_cast<std::uint64_t>(x.of.shape[i].size()));
    const auto size = static_cast<std::size_t>(x.elements->size());
    if (size == 0) return;
    if (std::endian::native == std::endian::little)
      std::memcpy(out.space(8 * size), x.elements->data(), 8 * size);
    else
      for (std::size_t i = 0; i < size; ++i)
        out.word(std::bit_cast<std::uint64_t>(x.elements->data()[i]));
  }
  /// O(elements). False unless the type is a fixed one of the executor, and has as many elements as
  /// follow.
  static bool read(byte_reader& in, machine_tensor& x) {
    const std::uint64_t has_elements = in.integer(1);
    if (has_elements == 0) return in.good();
    const std::uint64_t type = in.integer(1);
    const properties known{in.half()};
    const std::uint64_t rank = in.integer(1);
    if (has_elements != 1 || type == 0 || type >= dtype_count || rank > max_rank) return false;
    x.of.type = static_cast<dtype>(type);
    if (known.bits > detail::all_property_bits || (known | properties{}) != known) return false;
    x.of.known = known;
    for (std::uint64_t i = 0; i < rank; ++i) {
      const auto size = static_cast<std::int64_t>(in.word());
      if (size < 0) return false;
      x.of.shape.push_back(extent(size));
    }
    const std::int64_t elements = x.of.shape.elements();
    if (!in.good() || elements < 0 || static_cast<std::uint64_t>(elements) > in.left() / 8)
      return false;
    auto made = std::make_shared<dynamic_matrix>(detail::given_rows(x.of.shape),
                                                 detail::given_columns(x.of.shape));
    const auto size = static_cast<std::size_t>(elements);
    if (static_cast<std::size_t>(made->size()) != size) return false;
    const view<std::uint8_t> bytes = in.block(8 * size);
    if (std::endian::native == std::endian::little) {
      if (size != 0) std::memcpy(made->data(), bytes.data(), 8 * size);
    } else {
      byte_reader words(bytes);
      for (std::size_t i = 0; i < size; ++i) made->data()[i] = std::bit_cast<double>(words.word());
    }
    x.elements = std::move(made);
    return true;
  }
};

}  // namespace wf
