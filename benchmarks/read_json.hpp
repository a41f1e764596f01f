// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/json/document.hpp>

namespace wf_benchmark {

/// Base of readers of JSON formats: a document and its first error.
class json_reader {
 protected:
  using kind = wf::json_kind;

  explicit json_reader(wf::text_view source) : source_(source), json_(wf::parse_json(source)) {
    if (!json_) error_ = json_.error();
  }

  /// True if there was no error yet.
  bool fine() const { return error_.code == wf::errc::none; }
  /// The first error.
  const wf::error& failure() const { return error_; }
  /// Records an error, unless there is one already.
  void fail(std::uint32_t at, wf::text_view message) {
    if (fine())
      error_ = wf::make_error(wf::errc::graph_syntax, "", message,
                              wf::position_at(source_, item(at).offset));
  }

  const wf::json_item& item(std::uint32_t at) const { return (*json_)[at]; }
  std::string_view characters(std::uint32_t at) const {
    const wf::text_view t = json_->text_of(at);
    return {t.data(), t.size()};
  }
  /// A member of an object, of any kind; 0 if there is none.
  std::uint32_t find(std::uint32_t object, std::string_view name) const {
    return json_->find(object, name);
  }
  /// A member of an object, which must exist and be of this kind; 0 after an error.
  std::uint32_t member(std::uint32_t object, const char* name, kind wanted) {
    if (item(object).kind != kind::object) return fail(object, "an object is wanted"), 0;
    const std::uint32_t found = find(object, name);
    if (found == 0)
      fail(object, wf::text("'") << name << "' is missing");
    else if (item(found).kind != wanted)
      fail(found, wf::text("'") << name << "' must be " << wf::name_of(wanted));
    return fine() ? found : 0;
  }
  /// Calls `f(value)` for each element of an array, up to the first error.
  template <class F>
  void each(std::uint32_t array, F f) {
    std::uint32_t at = wf::json_document::first_of(array);
    for (std::uint32_t i = 0; fine() && i < item(array).size; ++i, at = item(at).next) f(at);
  }
  /// Calls `f(key, value)` for each member of an object, up to the first error.
  template <class F>
  void each_member(std::uint32_t object, F f) {
    std::uint32_t at = wf::json_document::first_of(object);
    for (std::uint32_t i = 0; fine() && i < item(object).size; ++i, at = item(at + 1).next)
      f(at, wf::json_document::value_of(at));
  }

 private:
  wf::text_view source_;
  wf::result<wf::json_document> json_;
  wf::error error_;
};

}  // namespace wf_benchmark
