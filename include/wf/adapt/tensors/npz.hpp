// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/tensors/zip.hpp>

namespace wf::tensors {

namespace detail {

/// The name of the array that a member of an archive has; empty if it has none.
inline text_view array_name(const zip_member& m) {
  const text_view all = m.name.view(), extension = ".npy";
  if (all.size() < extension.size()) return {};
  const std::size_t length = all.size() - extension.size();
  return all.part(length) == extension ? all.part(0, length) : text_view{};
}
/// Reads the array of a member, with its name.
inline result<dense_tensor> array_of(const zip_member& m) {
  const auto bytes = unpacked(m);
  if (!bytes) return bytes.error();
  auto read = parse_npy(*bytes);
  if (read) {
    read->name = text(array_name(m));
    return read;
  }
  error e = read.error();
  e.subject = m.name;
  return e;
}

}  // namespace detail

/// Reads one array of an archive as `numpy.savez` and `numpy.savez_compressed` write it: the named
/// one, else `arr_0`, else the only one. No other member is unpacked. Errors: those of `parse_zip`,
/// `unpacked` and `parse_npy`, with the member as their subject; `bad_tensor_file` if the array is
/// not there or not the only one. O(size).
inline result<dense_tensor> parse_npz(view<std::uint8_t> archive, text_view name = {}) {
  const auto members = parse_zip(archive);
  if (!members) return members.error();
  if (name.empty() && members->size() == 1) return detail::array_of((*members)[0]);
  const text_view wanted = name.empty() ? text_view("arr_0") : name;
  for (const zip_member& m : *members)
    if (detail::array_name(m) == wanted) return detail::array_of(m);
  return make_error(errc::bad_tensor_file, name,
                    name.empty() ? "the archive has several arrays, and none is 'arr_0'"
                                 : "the archive has no such array");
}

/// Reads all arrays of an archive, under their names. Errors: those of `parse_npz`; a member
/// that is no array is one. O(size).
inline result<table<dense_tensor>> parse_all_npz(view<std::uint8_t> archive) {
  const auto members = parse_zip(archive);
  if (!members) return members.error();
  table<dense_tensor> out;
  for (const zip_member& m : *members) {
    if (detail::array_name(m).empty())
      return make_error(errc::bad_tensor_file, m.name.view(), "the member is no .npy file");
    auto read = detail::array_of(m);
    if (!read) return read.error();
    out.push_back(static_cast<dense_tensor&&>(*read));
  }
  return out;
}

/// A tensor in the form of `numpy.savez(file, tensor)`: the archive has it as `arr_0`. Errors:
/// those of `to_zip`. O(elements).
inline result<table<std::uint8_t>> to_npz(const dense_tensor& t) {
  return to_zip("arr_0.npy", to_npy(t));
}

}  // namespace wf::tensors
