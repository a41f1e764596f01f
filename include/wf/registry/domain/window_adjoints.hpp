// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/adjoint_text.hpp>

// Adjoints of operators on windows of images, for extents that are known. The derivative of the
// result is spread by the stride, with zeros between its elements; then both adjoints of a
// convolution are convolutions again (Dumoulin, Visin, A guide to convolution arithmetic for deep
// learning, arXiv:1603.07285, section 4).
namespace wf::kernels::detail {

/// How windows move over images X[N, C, H, W].
struct window_steps {
  std::int64_t images = 0, channels = 0;
  std::int64_t size[2] = {};    ///< of an image: rows and columns
  std::int64_t window[2] = {};  ///< of a window
  std::int64_t stride = 1, padding = 0;
  bool known = false;  ///< true if all of this is fixed, and no image is smaller than the window

  /// The extent of the spread derivative along rows (0) or columns (1).
  constexpr std::int64_t spread(std::size_t k) const {
    return (size[k] + 2 * padding - window[k]) / stride * stride + 1;
  }
};

/// The steps over the first operand of windows with these extents.
constexpr window_steps steps_of(const rule_input& in, extent rows, extent columns) {
  const shape& x = in.operands[0].shape;
  window_steps out;
  for (std::uint32_t d = 0; d < 4; ++d)
    if (!x[d].is_fixed()) return out;
  if (!rows.is_fixed() || !columns.is_fixed()) return out;
  out.images = x[0].size();
  out.channels = x[1].size();
  out.size[0] = x[2].size();
  out.size[1] = x[3].size();
  out.window[0] = rows.size();
  out.window[1] = columns.size();
  out.stride = in.integer("stride", 1);
  out.padding = in.integer("padding", 0);
  out.known = out.stride > 0 && out.padding >= 0;
  for (std::size_t k = 0; k < 2; ++k)
    out.known = out.known && out.window[k] > 0 && out.size[k] + 2 * out.padding >= out.window[k];
  return out;
}

/// Defines `D`, the derivative dY of `channels` channels spread by the stride.
constexpr text spread_text(const window_steps& w, std::int64_t channels) {
  if (w.stride == 1) return text("D = dY; ");
  text out("D = slice(slice(reshape(pad(pad(reshape(dY");
  const std::int64_t most[] = {(w.spread(0) - 1) / w.stride + 1, (w.spread(1) - 1) / w.stride + 1};
  out << ", d0 = " << w.images << ", d1 = " << channels << ", d2 = " << most[0]
      << ", d3 = 1, d4 = " << most[1] << ", d5 = 1), axis = 3, after = " << w.stride - 1
      << "), axis = 5, after = " << w.stride - 1 << "), d0 = " << w.images << ", d1 = " << channels
      << ", d2 = " << most[0] * w.stride << ", d3 = " << most[1] * w.stride
      << "), axis = 2, length = " << w.spread(0) << "), axis = 3, length = " << w.spread(1)
      << "); ";
  return out;
}

/// `value` with zeros before and after dimension `axis` of extent `size`; without elements where
/// their numbers are negative.
constexpr text framed_text(text value, std::uint32_t axis, std::int64_t size, std::int64_t before,
                           std::int64_t after) {
  const std::int64_t first = before < 0 ? -before : 0, last = after < 0 ? -after : 0;
  if (first + last > 0)
    value = text() << "slice(" << value.view() << ", axis = " << axis << ", start = " << first
                   << ", length = " << size - first - last << ')';
  if (before > 0 || after > 0)
    value = text() << "pad(" << value.view() << ", axis = " << axis
                   << ", before = " << (before > 0 ? before : 0)
                   << ", after = " << (after > 0 ? after : 0) << ')';
  return value;
}
/// `D` with the zeros that all windows which read a pixel need.
constexpr text framed_text(const window_steps& w) {
  text out("D");
  for (std::uint32_t k = 0; k < 2; ++k)
    out = framed_text(out, 2 + k, w.spread(k), w.window[k] - 1 - w.padding,
                      w.size[k] + w.padding - w.spread(k));
  return out;
}

/// The filters with both of their last dimensions, from `axis` on, reversed.
constexpr text reversed_text(const window_steps& w, std::uint32_t axis) {
  text out("K");
  for (std::uint32_t k = 0; k < 2; ++k)
    out = text() << "gather(" << out.view() << ", " << w.window[k] - 1
                 << " - positions(K, axis = " << axis + k << "), axis = " << axis + k << ')';
  return out;
}
/// The first rows and columns of `value`, as many as of a window.
constexpr text corner_text(text_view value, const window_steps& w) {
  return text() << "slice(slice(" << value << ", axis = 2, length = " << w.window[0]
                << "), axis = 3, length = " << w.window[1] << ')';
}

/// Convolutions of the spread derivative with the reversed filters, and of the images with it.
constexpr text conv2d_adjoint(const rule_input& in) {
  const shape& filters = in.operands[1].shape;
  const window_steps w = steps_of(in, filters[2], filters[3]);
  if (!w.known || !filters[0].is_fixed()) return {};
  constexpr text_view turned = ", p0 = 1, p1 = 0, p2 = 2, p3 = 3)";
  text out = spread_text(w, filters[0].size());
  text images("conv2d(permute(X");
  images << turned << ", permute(D" << turned << ", padding = " << w.padding << ')';
  out << "dX = conv2d(" << framed_text(w).view() << ", permute(" << reversed_text(w, 2).view()
      << turned << "); dK = permute(" << corner_text(images.view(), w).view() << turned;
  return out;
}

/// The same channel by channel; for the filters, every image counts as channels of its own.
constexpr text depthwise_adjoint(const rule_input& in) {
  const shape& filters = in.operands[1].shape;
  const window_steps w = steps_of(in, filters[1], filters[2]);
  if (!w.known) return {};
  const std::int64_t planes = w.images * w.channels;
  text out = spread_text(w, w.channels), images("depthwise_conv2d(reshape(X, d0 = 1, d1 = ");
  images << planes << ", d2 = " << w.size[0] << ", d3 = " << w.size[1]
         << "), reshape(D, d0 = " << planes << ", d1 = " << w.spread(0) << ", d2 = " << w.spread(1)
         << "), padding = " << w.padding << ')';
  out << "dX = depthwise_conv2d(" << framed_text(w).view() << ", " << reversed_text(w, 1).view()
      << "); dK = sum(reshape(" << corner_text(images.view(), w).view() << ", d0 = " << w.images
      << ", d1 = " << w.channels << ", d2 = " << w.window[0] << ", d3 = " << w.window[1]
      << "), axis = 0)";
  return out;
}

/// Every pixel has its share of the mean of each window that reads it.
constexpr text window_mean_adjoint(const rule_input& in) {
  const std::int64_t size = in.integer("window", 1);
  const window_steps w = steps_of(in, extent(size), extent(size));
  if (!w.known) return {};
  text out = spread_text(w, w.channels);
  out << "dX = depthwise_conv2d(" << framed_text(w).view() << ", broadcast_to("
      << number_text("1", in.operands[0].type).view() << ", d0 = C, d1 = " << size
      << ", d2 = " << size << ")) / " << size * size;
  return out;
}

/// The element at place (row, column) of every window of `value`, images framed to `most` rows and
/// columns.
constexpr text place_text(text_view value, const window_steps& w, const std::int64_t (&count)[2],
                          std::int64_t row, std::int64_t column) {
  return text() << "reshape(slice(slice(reshape(slice(slice(" << value
                << ", axis = 2, start = " << row << ", length = " << count[0] * w.stride
                << "), axis = 3, start = " << column << ", length = " << count[1] * w.stride
                << "), d0 = " << w.images << ", d1 = " << w.channels << ", d2 = " << count[0]
                << ", d3 = " << w.stride << ", d4 = " << count[1] << ", d5 = " << w.stride
                << "), axis = 3, length = 1), axis = 5, length = 1), d0 = " << w.images
                << ", d1 = " << w.channels << ", d2 = " << count[0] << ", d3 = " << count[1] << ')';
}
/// The reverse: `value` at place (row, column) of every window, zeros elsewhere.
constexpr text placed_text(text_view value, const window_steps& w, const std::int64_t (&count)[2],
                           std::int64_t row, std::int64_t column) {
  return text() << "pad(pad(reshape(pad(pad(reshape(" << value << ", d0 = " << w.images
                << ", d1 = " << w.channels << ", d2 = " << count[0] << ", d3 = 1, d4 = " << count[1]
                << ", d5 = 1), axis = 3, after = " << w.stride - 1
                << "), axis = 5, after = " << w.stride - 1 << "), d0 = " << w.images
                << ", d1 = " << w.channels << ", d2 = " << count[0] * w.stride
                << ", d3 = " << count[1] * w.stride << "), axis = 2, before = " << row
                << ", after = " << w.window[0] - 1 - row << "), axis = 3, before = " << column
                << ", after = " << w.window[1] - 1 - column << ')';
}

/// The largest elements of a window share its derivative; one comparison for each of its places, so
/// only for windows of at most 8 rows.
constexpr text window_maximum_adjoint(const rule_input& in) {
  const value_type& x = in.operands[0];
  const std::int64_t size = in.integer("window", 1);
  const window_steps w = steps_of(in, extent(size), extent(size));
  if (!w.known || size > 8) return {};
  std::int64_t count[2] = {}, most[2] = {};
  text framed("X"), inside = filled_text("1", "X", x);
  for (std::uint32_t k = 0; k < 2; ++k) {
    count[k] = (w.spread(k) - 1) / w.stride + 1;
    most[k] = size - 1 + count[k] * w.stride;
    const std::int64_t after = most[k] - w.padding - w.size[k];
    framed = framed_text(framed, 2 + k, w.size[k], w.padding, after);
    inside = framed_text(inside, 2 + k, w.size[k], w.padding, after);
  }
  text out, shares, sum;
  out << "B = " << framed.view() << "; M = " << inside.view() << "; ";
  for (std::int64_t r = 0; r < size; ++r)
    for (std::int64_t c = 0; c < size; ++c) {
      const text name = text() << 'E' << r << '_' << c;
      out << name.view() << " = multiply(" << place_text("M", w, count, r, c).view()
          << ", cast(equal(" << place_text("B", w, count, r, c).view() << ", Y), dtype = \""
          << name_of(x.type) << "\")); ";
      const text share = text() << "multiply(" << name.view() << ", D)";
      shares << (r + c == 0 ? "" : " + ") << name.view();
      sum << (r + c == 0 ? "" : " + ") << placed_text(share.view(), w, count, r, c).view();
    }
  text whole("G");
  for (std::uint32_t k = 0; k < 2; ++k)
    whole = framed_text(whole, 2 + k, most[k], -w.padding, w.padding + w.size[k] - most[k]);
  out << "D = dY / (" << shares.view() << "); G = " << sum.view() << "; dX = " << whole.view();
  return out;
}

}  // namespace wf::kernels::detail
