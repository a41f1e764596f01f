// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/npy.hpp>

#include <string>

#include <doctest/doctest.h>

#include "random_tensor.hpp"

namespace {

using wf::tensors::detail::bytes_of;

// A file with this dictionary and these elements.
std::string file_of(std::string dictionary, const std::string& elements, char version = 1) {
  const auto size = static_cast<unsigned>(dictionary.size());
  std::string out = "\x93NUMPY";
  out += {version, '\0', static_cast<char>(size & 255), static_cast<char>(size >> 8)};
  if (version > 1) out += std::string(2, '\0');
  return out + dictionary + elements;
}
wf::result<wf::tensors::dense_tensor> read(const std::string& file) {
  return wf::tensors::parse_npy(bytes_of(file));
}
std::string refused(const std::string& dictionary, const std::string& elements = "") {
  const auto r = read(file_of(dictionary, elements));
  REQUIRE(!r);
  CHECK(r.error().code == wf::errc::bad_tensor_file);
  CHECK(r.error().where.line == 0);
  return std::string(r.error().message.view());
}

}  // namespace

TEST_CASE("what is written is read again") {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const auto made = wf_test::random_tensor(random, i % 2 == 0);
    const auto bytes = wf::tensors::to_npy(made);
    const auto again = wf::tensors::parse_npy(bytes);
    REQUIRE(again);
    CHECK(*again == made);
    const std::size_t data = made.values.size() * (made.boolean ? 1 : 8);
    CHECK((bytes.size() - data) % 64 == 0);  // elements are aligned
  }
}

TEST_CASE("headers as numpy writes them are read in every version") {
  const std::string plain = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }    \n";
  const std::string numbers("\1\0\2\0\3\0\4\0\5\0\xff\xff", 12);
  const wf::table<double> values{1, 2, 3, 4, 5, -1};
  for (const char version : {'\1', '\2', '\3'}) {
    const auto r = read(file_of(plain, numbers, version));
    REQUIRE(r);
    CHECK(r->values == values);
    CHECK(r->extents == wf::table<std::int64_t>{2, 3});
    CHECK(!r->boolean);
  }
  const auto fortran =
      read(file_of("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n", numbers));
  REQUIRE(fortran);
  CHECK(fortran->values == wf::table<double>{1, 3, 5, 2, 4, -1});
  const auto other =
      read(file_of("{\"shape\": (2L,), 'fortran_order': True, 'descr': '|b1'}", {"\1\0", 2}));
  REQUIRE(other);
  CHECK(other->boolean);
  CHECK(other->values == wf::table<double>{1, 0});
  const auto scalar =
      read(file_of("{'descr':'>u4','fortran_order':False,'shape':()}", {"\0\0\1\2", 4}));
  REQUIRE(scalar);
  CHECK(scalar->extents.empty());
  CHECK(scalar->values == wf::table<double>{258});
}

TEST_CASE("a tensor whose first index runs fastest is turned, whatever its rank") {
  std::mt19937 random(4);
  for (int i = 0; i < 100; ++i) {
    const auto made = wf_test::random_tensor(random, false);
    // Independent of the reader: each element's place is computed from its indices.
    wf::table<double> columns(made.values.size());
    for (std::size_t e = 0; e < made.values.size(); ++e) {
      std::size_t rest = e, place = 0;
      for (std::size_t c = made.extents.size(); c-- > 0;) {
        const auto extent = static_cast<std::size_t>(made.extents[c]);
        std::size_t stride = 1;
        for (std::size_t b = 0; b < c; ++b) stride *= static_cast<std::size_t>(made.extents[b]);
        place += rest % extent * stride;
        rest /= extent;
      }
      columns[place] = made.values[e];
    }
    CHECK(wf::tensors::detail::transposed(columns, made.extents) == made.values);
  }
}

TEST_CASE("malformed files are errors with an offset") {
  CHECK(refused("{'descr': '<c16', 'fortran_order': False, 'shape': ()}") ==
        "elements of the type '<c16' are not read (at byte 20)");
  CHECK(refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}") ==
        "a tensor has one number at each position, not a record (at byte 20)");
  CHECK(refused("{'descr': '|f8', 'fortran_order': False, 'shape': ()}") ==
        "elements of the type '|f8' are not read (at byte 20)");
  CHECK(refused("{'descr': '<f8', 'shape': ()}") ==
        "the header needs 'descr', 'fortran_order' and 'shape' (at byte 39)");
  CHECK(refused("{'shape': (1,), 'shape': (2,)}") ==
        "this entry of the header occurs twice (at byte 33)");
  CHECK(refused("{'shape': (1)}") == "a shape of one axis has a comma (at byte 23)");
  CHECK(refused("{'shape': (1 2)}") == "expected ',' or ')' (at byte 23)");
  CHECK(refused("{'shape': (1,-2)}") == "expected the extent of an axis (at byte 23)");
  CHECK(refused("{'shape': (1,1,1,1,1,1,1,1,1)}") == "a tensor has at most 8 axes (at byte 37)");
  CHECK(refused("{'size': 1}") ==
        "the header has only 'descr', 'fortran_order' and 'shape' (at byte 17)");
  CHECK(refused("{'descr': '<f8") == "the string is not closed (at byte 20)");
  CHECK(refused("") == "expected '{' (at byte 10)");
  const std::string two = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}";
  CHECK(refused(two, "12345678") ==
        "the header states 16 bytes of elements, the file has 8 (at byte 65)");
  CHECK(refused(two, std::string(17, 'x')) ==
        "the header states 16 bytes of elements, the file has 17 (at byte 65)");
  // Refused before storage is allocated.
  CHECK(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000)}") ==
        "a tensor has at most 2^31 positions (at byte 10)");
  CHECK(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2000000000,)}") ==
        "the header states 16000000000 bytes of elements, the file has 0 (at byte 74)");
  CHECK(read("NUMPY").error().where.offset == 0);
  CHECK(read("\x93NUMPY\4").error().where.offset == 6);
  const std::string whole = file_of(two, std::string(16, 'x'));
  REQUIRE(read(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK(!read(whole.substr(0, size)));
}
