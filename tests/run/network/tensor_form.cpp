// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/tensor_form.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <memory>

namespace {

using form = wf::datum_form<wf::machine_tensor>;

wf::machine_tensor tensor(wf::shape s, double first = 0.5) {
  auto elements =
      std::make_shared<wf::dynamic_matrix>(wf::detail::given_rows(s), wf::detail::given_columns(s));
  for (Eigen::Index i = 0; i < elements->size(); ++i)
    elements->data()[i] = first / static_cast<double>(i + 1);
  return {{wf::dtype::f64, {}, s}, elements, nullptr};
}
wf::table<std::uint8_t> bytes_of(const wf::machine_tensor& x) {
  wf::byte_writer out;
  form::write(out, x);
  return out.take();
}
bool reads(const wf::table<std::uint8_t>& bytes) {
  wf::byte_reader in(bytes);
  wf::machine_tensor x;
  return form::read(in, x) && in.is_over();
}

}  // namespace

TEST_CASE("a tensor keeps its type and its bits") {
  for (const wf::shape& s : {wf::shape{}, wf::shape::of(5), wf::shape::of(3, 4),
                             wf::shape::of(2, 3, 4), wf::shape::of(0, 7), wf::shape::of(1, 1)}) {
    CAPTURE(to_text(s).view());
    wf::machine_tensor x = tensor(s);
    if (s == wf::shape::of(1, 1)) x.of.known = wf::identity;
    auto strange = std::make_shared<wf::dynamic_matrix>(*x.elements);
    if (strange->size() > 1) {
      strange->data()[0] = -0.0;
      strange->data()[1] = std::numeric_limits<double>::quiet_NaN();
    }
    x.elements = strange;
    const auto bytes = bytes_of(x);
    wf::byte_reader in(bytes);
    wf::machine_tensor y;
    REQUIRE(form::read(in, y));
    CHECK(in.is_over());
    CHECK(y.of == x.of);
    CHECK(y.viewed == nullptr);
    REQUIRE(y.elements->rows() == x.elements->rows());
    REQUIRE(y.elements->cols() == x.elements->cols());
    CHECK((x.elements->size() == 0 ||
           std::memcmp(y.elements->data(), x.elements->data(),
                       8 * static_cast<std::size_t>(x.elements->size())) == 0));
  }
  CHECK(bytes_of({}) == wf::table<std::uint8_t>{0});
  CHECK(reads({0}));
}
TEST_CASE("types that do not exist, and sizes that do not fit, are refused") {
  const auto whole = bytes_of(tensor(wf::shape::of(3, 4)));
  REQUIRE(reads(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(!reads(wf::table<std::uint8_t>(wf::view<std::uint8_t>(whole).part(0, size))));
  const auto changed = [&](std::size_t at, std::uint8_t to) {
    auto out = whole;
    out[at] = to;
    return out;
  };
  CHECK(!reads(changed(0, 2)));  // neither with elements nor without
  CHECK(!reads(changed(1, 0)));  // no type
  CHECK(!reads(changed(1, 19)));
  CHECK(!reads(changed(2, 16)));   // spd, and not symmetric
  CHECK(!reads(changed(4, 255)));  // no property
  CHECK(!reads(changed(6, 9)));    // rank
  CHECK(!reads(changed(7, 4)));    // 4x4
  CHECK(!reads(changed(7, 2)));    // 2x4: more elements than it has
  CHECK(!reads(changed(14, 255)));
  CHECK(!reads(changed(13, 255)));
}
