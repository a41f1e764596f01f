// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/tensors/dense_tensor.hpp>
#include <wf/adapt/wfformat/number.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/json/fields.hpp>

namespace wf::tensors {

namespace detail {

/// Reads arrays of arrays of numbers, of one length at each depth.
class json_tensor_reader : wf::detail::json_form_reader {
 public:
  json_tensor_reader(text_view source, const json_document& json)
      : json_form_reader(source, json) {}

  result<dense_tensor> read() {
    std::uint32_t item = 0;
    for (; json_[item].kind == json_kind::array; item = json_document::first_of(item)) {
      if (out_.extents.size() == max_rank) {
        fail(item, "a tensor has at most 8 axes");
        return failure(errc::bad_tensor_file);
      }
      out_.extents.push_back(json_[item].size);
      if (json_[item].size == 0) break;
    }
    out_.boolean = json_[item].kind == json_kind::boolean;
    if (!values(0, 0)) return failure(errc::bad_tensor_file);
    return static_cast<dense_tensor&&>(out_);
  }

 private:
  bool values(std::uint32_t item, std::size_t depth) {
    const json_item& j = json_[item];
    if (depth == out_.extents.size()) return value(item);
    if (j.kind != json_kind::array)
      return fail(item, (text("expected an array, not ") << name_of(j.kind)).view());
    if (j.size != out_.extents[depth])
      return fail(
          item,
          (text() << "expected " << out_.extents[depth] << " elements, not " << j.size).view());
    std::uint32_t e = json_document::first_of(item);
    for (std::uint32_t i = 0; i < j.size; ++i, e = json_[e].next)
      if (!values(e, depth + 1)) return false;
    return true;
  }
  bool value(std::uint32_t item) {
    const json_item& j = json_[item];
    if (j.kind != (out_.boolean ? json_kind::boolean : json_kind::number))
      return fail(item, (text("expected ") << (out_.boolean ? "true or false" : "a number")
                                           << ", not " << name_of(j.kind))
                            .view());
    if (out_.boolean) {
      out_.values.push_back(json_.text_of(item) == "true" ? 1 : 0);
      return true;
    }
    const auto number = wfformat::number::spelled(json_.text_of(item));
    const auto read = number.real();
    if (!read) return fail(item, read.error().message.view());
    const double limit = static_cast<double>(exact_integers);
    if (number.is_integer() && (*read > limit || *read < -limit || beyond_limit(number)))
      return fail(item, "the integer lies beyond 2^53: no double is equal to it");
    out_.values.push_back(*read);
    return true;
  }
  // The next integers round to 2^53.
  static bool beyond_limit(const wfformat::number& n) {
    const auto exact = n.scaled(0);
    constexpr auto limit = static_cast<std::int64_t>(exact_integers);
    return !exact || *exact > limit || *exact < -limit;
  }

  dense_tensor out_;
};

/// Appends the elements of a tensor from one on, as arrays of arrays.
inline result<nothing> append_values(text& out, const dense_tensor& t, std::size_t axis,
                                     std::size_t& element) {
  if (axis == t.extents.size()) {
    const auto spelled = wfformat::number::of(t.values[element++]);
    if (!spelled)
      return make_error(errc::bad_tensor_file, t.name.view(), spelled.error().message.view());
    out << spelled->spelling();
    return nothing{};
  }
  out << '[';
  for (std::int64_t i = 0; i < t.extents[axis]; ++i) {
    if (i != 0) out << ',';
    if (auto r = append_values(out, t, axis + 1, element); !r) return r;
  }
  out << ']';
  return nothing{};
}

}  // namespace detail

/// Reads a tensor from JSON: a number, or arrays of arrays of numbers, all true or false for truth
/// values. Errors: `bad_tensor_file` with line and column, for what is no JSON, for arrays of
/// unequal lengths, for more than 8 axes, for integers beyond 2^53 and numbers beyond the doubles;
/// other decimals are rounded to the nearest double. O(size).
inline result<dense_tensor> parse_json_tensor(text_view source) {
  const auto json = parse_json(source);
  if (json) return detail::json_tensor_reader(source, *json).read();
  error e = json.error();
  e.code = errc::bad_tensor_file;
  return e;
}

/// A tensor in two lines of JSON: schema `fuse.tensor` with the shape, then its values as arrays of
/// arrays. Truth values are 0 and 1. Errors: `bad_tensor_file` for values that are not finite,
/// which JSON does not have. O(elements).
inline result<text> to_jsonl(const dense_tensor& t) {
  text out(R"({"schema":"fuse.tensor","version":1,"shape":[)");
  for (std::size_t c = 0; c < t.extents.size(); ++c) out << (c == 0 ? "" : ",") << t.extents[c];
  out << "]}\n{\"value\":";
  std::size_t element = 0;
  if (auto r = detail::append_values(out, t, 0, element); !r) return r.error();
  out << "}\n";
  return out;
}

/// The `count` greatest values of each row along the last axis, greatest first and of equal ones
/// the first: schema `fuse.topk`, then a line of indices and values for each row. Errors:
/// `bad_tensor_file` for a tensor without an axis, and for values that are not finite. O(elements ·
/// log of a row's).
inline result<text> top_to_jsonl(const dense_tensor& t, std::size_t count = 5) {
  if (t.extents.empty())
    return make_error(errc::bad_tensor_file, t.name.view(), "a number has no greatest elements");
  text out("{\"schema\":\"fuse.topk\",\"version\":1}\n");
  const auto length = static_cast<std::size_t>(t.extents.back());
  for (std::size_t row = 0; length != 0 && row < t.values.size(); row += length) {
    table<double> values(length);
    table<std::uint32_t> order(length);
    for (std::size_t i = 0; i < length; ++i) {
      values[i] = t.values[row + i];
      order[i] = static_cast<std::uint32_t>(i);
      if (!(values[i] - values[i] == 0))
        return make_error(errc::bad_tensor_file, t.name.view(),
                          "an infinite number has no JSON form");
    }
    wf::detail::stable_sort(
        order, [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
    out << "{\"topk\":[";
    for (std::size_t i = 0; i < length && i < count; ++i)
      out << (i == 0 ? "" : ",") << "{\"index\":" << order[i]
          << ",\"value\":" << wfformat::number::of(values[order[i]])->spelling() << '}';
    out << "]}\n";
  }
  return out;
}

}  // namespace wf::tensors
