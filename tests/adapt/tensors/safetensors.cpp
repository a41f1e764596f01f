// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/safetensors.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

using wf::tensors::detail::bytes_of;

std::string file_of(const std::string& header, const std::string& data) {
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<char>(header.size() >> (8 * i) & 255);
  return out + header + data;
}
std::string refused(const std::string& header, const std::string& data = "") {
  const std::string file = file_of(header, data);
  const auto read = wf::tensors::parse_all_safetensors(bytes_of(file));
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::bad_tensor_file);
  CHECK(read.error().where.line == 0);
  return std::string(read.error().message.view());
}

const char* const two = R"({"__metadata__":{"format":"pt"},)"
                        R"("b":{"dtype":"BOOL","shape":[2],"data_offsets":[8,10]},)"
                        R"("W":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}   )";
const std::string data("\0\0\x80\x3f\0\0\0\xc0\0\1", 10);

}  // namespace

TEST_CASE("tensors are read by name, in the order of the header") {
  const std::string file = file_of(two, data);
  const auto all = wf::tensors::parse_all_safetensors(bytes_of(file));
  REQUIRE(all);
  REQUIRE(all->size() == 2);
  CHECK((*all)[0] == wf::tensors::dense_tensor{"b", {2}, {0, 1}, true});
  CHECK((*all)[1] == wf::tensors::dense_tensor{"W", {2, 1}, {1, -2}, false});
  CHECK(*wf::tensors::parse_safetensors(bytes_of(file), "W") == (*all)[1]);
  CHECK(to_text(wf::tensors::parse_safetensors(bytes_of(file)).error()).view() ==
        "WF406: the file has several tensors: name one of them");
  CHECK(to_text(wf::tensors::parse_safetensors(bytes_of(file), "V").error()).view() ==
        "WF406 in 'V': the file has no such tensor");
  CHECK(to_text(wf::tensors::parse_safetensors(bytes_of(file_of("{}", ""))).error()).view() ==
        "WF406: the file has no tensor");
  const std::string one = file_of(R"({"x":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}})",
                                  std::string("\x80\x3f", 2));
  CHECK(wf::tensors::parse_safetensors(bytes_of(one))->values == wf::table<double>{1});
}

TEST_CASE("malformed files are errors with an offset") {
  const auto tensor = [](const std::string& type, const std::string& shape,
                         const std::string& offsets) {
    return R"({"x":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}}";
  };
  CHECK(refused(tensor("F8_E4M3", "[1]", "[0,1]"), "1") ==
        "elements of the type 'F8_E4M3' are not read (at byte 22)");
  CHECK(refused(tensor("U8", "[2]", "[0,1]"), "1") ==
        "the offsets do not fit the tensor's type and shape (at byte 54)");
  CHECK(refused(tensor("U8", "[1]", "[1,0]"), "1") ==
        "the offsets do not fit the tensor's type and shape (at byte 54)");
  CHECK(refused(tensor("U8", "[1]", "[0]"), "1") == "expected two offsets (at byte 54)");
  CHECK(refused(tensor("U8", "[1]", "[0,2]"), "1") ==
        "expected an integer from 0 to 1 (at byte 57)");
  CHECK(refused(tensor("U8", "[1]", "[0,1]"), "12") ==
        "the file has bytes that belong to no tensor (at byte 8)");
  CHECK(refused(tensor("U8", "[-1]", "[0,1]"), "1") ==
        "expected an integer from 0 to 2147483648 (at byte 36)");
  CHECK(refused(tensor("F64", "[1000000,1000000]", "[0,8]"), "12345678") ==
        "a tensor has at most 2^31 positions (at byte 36)");
  CHECK(refused(tensor("U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), "1") ==
        "a tensor has at most 8 axes (at byte 35)");
  CHECK(refused("[]") == "the header is no object (at byte 8)");
  CHECK(refused("{\"x\":1}") == "expected an object, a tensor, not a number (at byte 13)");
  CHECK(refused("{") == "the object is not closed (at byte 8)");
  CHECK(refused(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                "123") == "the tensors overlap or leave a gap (at byte 8)");
  CHECK(refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                R"("b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
                "123") == "the tensors overlap or leave a gap (at byte 8)");
  const std::string whole = file_of(two, data);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(!wf::tensors::parse_all_safetensors(bytes_of(whole.substr(0, size))));
  std::string longer = whole;
  longer[7] = '\x7f';  // a header of 2^62 bytes
  CHECK(to_text(wf::tensors::parse_all_safetensors(bytes_of(longer)).error()).view() ==
        "WF406: the file ends within its header (at byte 0)");
}
