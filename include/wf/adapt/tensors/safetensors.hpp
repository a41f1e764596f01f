// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/tensors/npy.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/json/fields.hpp>

namespace wf::tensors {

namespace detail {

/// A tensor as the header of a safetensors file states it.
struct stored_tensor {
  text name;
  element_type type = element_type::f64;
  table<std::int64_t> extents;
  std::uint64_t first = 0;  ///< of its bytes, from the end of the header
  std::uint64_t end = 0;    ///< behind its last byte
};

/// Reads the header of a safetensors file. Errors lie at an offset in it, behind 8 bytes.
class safetensors_header_reader : wf::detail::json_form_reader {
 public:
  /// The data behind the header has so many bytes.
  safetensors_header_reader(text_view header, const json_document& json, std::uint64_t data)
      : json_form_reader(header, json), data_(data) {}

  result<table<stored_tensor>> read() {
    if (!tensors()) {
      error e = failure(errc::bad_tensor_file);
      return bad_bytes(8 + e.where.offset, e.message.view());
    }
    return static_cast<table<stored_tensor>&&>(out_);
  }

 private:
  bool tensors() {
    if (json_[0].kind != json_kind::object) return fail(0, "the header is no object");
    std::uint32_t key = json_document::first_of(0);
    for (std::uint32_t i = 0; i < json_[0].size; ++i, key = json_[key + 1].next)
      if (!(json_.text_of(key) == "__metadata__" ? metadata(key + 1) : tensor(key))) return false;
    return covers_data();
  }
  bool metadata(std::uint32_t item) {
    return json_[item].kind == json_kind::object || fail(item, "'__metadata__' is no object");
  }
  bool tensor(std::uint32_t key) {
    constexpr wf::detail::json_field known[] = {{"dtype", json_kind::string, true},
                                                {"shape", json_kind::array, true},
                                                {"data_offsets", json_kind::array, true}};
    std::uint32_t found[3] = {};
    const std::uint32_t item = json_document::value_of(key);
    if (!fields(item, "a tensor", known, found)) return false;
    stored_tensor t;
    t.name = text(json_.text_of(key));
    if (!type(found[0], t.type)) return false;
    if (json_[found[1]].size > max_rank) return fail(found[1], "a tensor has at most 8 axes");
    const bool extents = elements(found[1], [&](std::uint32_t e) {
      t.extents.push_back(0);
      return integer(e, 0, max_elements, t.extents.back());
    });
    if (!extents) return false;
    const auto count = element_count(t.extents);
    if (!count) return fail(found[1], count.error().message.view());
    if (json_[found[2]].size != 2) return fail(found[2], "expected two offsets");
    std::int64_t ends[2] = {};
    std::uint32_t which = 0;
    const auto most = static_cast<std::int64_t>(data_);
    if (!elements(found[2], [&](std::uint32_t e) { return integer(e, 0, most, ends[which++]); }))
      return false;
    t.first = static_cast<std::uint64_t>(ends[0]);
    t.end = static_cast<std::uint64_t>(ends[1]);
    if (ends[1] < ends[0] || t.end - t.first != *count * size_of(t.type))
      return fail(found[2], "the offsets do not fit the tensor's type and shape");
    out_.push_back(static_cast<stored_tensor&&>(t));
    return true;
  }
  bool type(std::uint32_t item, element_type& out) {
    constexpr text_view names[] = {"BOOL", "I8",  "I16", "I32",  "I64", "U8", "U16",
                                   "U32",  "U64", "F16", "BF16", "F32", "F64"};
    for (std::size_t t = 0; t < sizeof names / sizeof names[0]; ++t)
      if (names[t] == json_.text_of(item)) {
        out = static_cast<element_type>(t);
        return true;
      }
    return fail(item,
                (text("elements of the type '") << json_.text_of(item) << "' are not read").view());
  }
  // The tensors share no byte, and none belongs to no tensor.
  bool covers_data() {
    table<std::uint32_t> order(out_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    wf::detail::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return out_[a].first != out_[b].first ? out_[a].first < out_[b].first
                                            : out_[a].end < out_[b].end;
    });
    std::uint64_t covered = 0;
    for (const std::uint32_t t : order) {
      if (out_[t].first != covered) return fail(0, "the tensors overlap or leave a gap");
      covered = out_[t].end;
    }
    return covered == data_ || fail(0, "the file has bytes that belong to no tensor");
  }

  std::uint64_t data_;
  table<stored_tensor> out_;
};

/// A safetensors file: what its header states, and the data behind it.
struct safetensors_file {
  table<stored_tensor> tensors;
  view<std::uint8_t> data;
  std::size_t start = 0;  ///< offset of the data in the file

  /// Reads the elements of a tensor. Errors: those of `read_elements`, with its name.
  result<dense_tensor> read(const stored_tensor& t) const {
    const auto first = static_cast<std::size_t>(t.first);
    auto values = read_elements(data.part(first, static_cast<std::size_t>(t.end) - first),
                                {t.type, false}, start + first);
    if (!values) {
      error e = values.error();
      e.subject = t.name;
      return e;
    }
    return dense_tensor{t.name, t.extents, static_cast<table<double>&&>(*values),
                        t.type == element_type::boolean};
  }
};

inline result<safetensors_file> open_safetensors(view<std::uint8_t> bytes) {
  byte_reader in(bytes);
  const std::uint64_t length = in.word();
  const text_view header = characters_of(in.block(length));
  if (!in.good()) return bad_bytes(0, "the file ends within its header");
  const auto json = parse_json(header);
  if (!json) return bad_bytes(8 + json.error().where.offset, json.error().message.view());
  safetensors_file out;
  out.start = bytes.size() - in.left();
  out.data = in.block(in.left());
  auto read = safetensors_header_reader(header, *json, out.data.size()).read();
  if (!read) return read.error();
  out.tensors = static_cast<table<stored_tensor>&&>(*read);
  return out;
}

}  // namespace detail

/// Reads one tensor of a file in the format of the library safetensors: the named one, else the
/// only one. Elements are BOOL, integers of 8 to 64 bits, F16, BF16, F32 or F64. Errors:
/// `bad_tensor_file` with the offset, for a malformed header, for elements of another type, for
/// tensors that overlap or leave a gap, and for integers that are no doubles; without one if the
/// tensor is not there or not the only one. No storage is allocated for elements that are not
/// there. O(size).
inline result<dense_tensor> parse_safetensors(view<std::uint8_t> bytes, text_view name = {}) {
  const auto file = detail::open_safetensors(bytes);
  if (!file) return file.error();
  for (const detail::stored_tensor& t : file->tensors)
    if (name.empty() ? file->tensors.size() == 1 : t.name.view() == name) return file->read(t);
  return make_error(errc::bad_tensor_file, name,
                    !name.empty()           ? "the file has no such tensor"
                    : file->tensors.empty() ? "the file has no tensor"
                                            : "the file has several tensors: name one of them");
}

/// Reads all tensors of a file, in the order of its header. Errors: those of `parse_safetensors`.
/// O(size).
inline result<table<dense_tensor>> parse_all_safetensors(view<std::uint8_t> bytes) {
  const auto file = detail::open_safetensors(bytes);
  if (!file) return file.error();
  table<dense_tensor> out;
  for (const detail::stored_tensor& t : file->tensors) {
    auto read = file->read(t);
    if (!read) return read.error();
    out.push_back(static_cast<dense_tensor&&>(*read));
  }
  return out;
}

}  // namespace wf::tensors
