// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors.hpp>

#include <new>

#include "../adapt/tensors/packed.hpp"
#include "fuzz.hpp"

namespace {

// The largest table that was asked for, in bytes.
std::size_t largest_table = 0;

std::string as_string(const wf::table<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string npy(const char* dictionary, const std::string& elements, char version = 1) {
  const std::string header = dictionary;
  std::string out = "\x93NUMPY";
  out += {version, '\0', static_cast<char>(header.size()), '\0'};
  if (version > 1) out += std::string(2, '\0');
  return out + header + elements;
}
std::string safetensors(const std::string& header, const std::string& data) {
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size());
  return length + header + data;
}

bool same(double a, double b) { return a == b || (a != a && b != b); }
bool same(const wf::tensors::dense_tensor& a, const wf::tensors::dense_tensor& b) {
  bool values = a.values.size() == b.values.size();
  for (std::size_t i = 0; values && i < a.values.size(); ++i)
    values = same(a.values[i], b.values[i]);
  return values && a.extents == b.extents && a.boolean == b.boolean;
}

// How a file is read.
struct reader {
  const char* path;
  bool of_lines;                    // its errors have line and column
  std::size_t bytes_for_each = 64;  // that the largest table may have for each byte of the file
  std::size_t always = 4096;        // and for any file
};
// What is read is written and read as the same tensor; what is refused has a reason and a place.
void check_source(const reader& by, wf::text_view contents) {
  wf::logic::database d;
  largest_table = 0;
  const auto read = wf::tensors::detail::add_source(d, {by.path, "T"}, contents);
  wf_test::fuzz_require(largest_table <= by.bytes_for_each * contents.size() + by.always,
                        "no more is allocated than the input justifies");
  if (!read) {
    const wf::error& e = read.error();
    wf_test::fuzz_require(d.relations.empty(), "what is refused adds nothing");
    wf_test::fuzz_require(
        (e.code == wf::errc::bad_tensor_file || e.code == wf::errc::facts_syntax) &&
            !e.message.empty() && e.where.offset <= contents.size(),
        "a malformed file is a typed error with a place inside the file");
    if (by.of_lines && e.where.line != 0) wf_test::fuzz_require_error(contents, e);
    return;
  }
  if (by.path[2] != 't') ++wf_test::fuzz_accepted;  // nearly every text is facts or tokens
  std::int64_t size = 1;                            // facts may lie far apart
  for (const auto& column : d.relations[0].entries.columns) {
    std::int64_t extent = 1;
    for (const wf::logic::position p : column) extent = p >= extent ? std::int64_t{p} + 1 : extent;
    size = extent < 100'000 && size < 100'000 ? size * extent : 100'000;
  }
  if (size >= 100'000) return;
  const auto dense = wf::tensors::to_dense(d.relations[0], 0);
  if (!dense) return;  // a negative position
  const auto again = wf::tensors::parse_npz(*wf::tensors::to_npz(*dense));
  wf_test::fuzz_require(again && same(*again, *dense), "a tensor is written and read the same");
}
// All arrays of an archive.
void check_archives(wf::view<std::uint8_t> bytes) {
  const auto arrays = wf::tensors::parse_all_npz(bytes);
  const auto tensors = wf::tensors::parse_all_safetensors(bytes);
  for (const auto* r : {&arrays, &tensors})
    wf_test::fuzz_require(*r || r->error().code == wf::errc::bad_tensor_file,
                          "a malformed archive is a typed error");
}

}  // namespace

// Tables allocate arrays. What libFuzzer allocates itself are no arrays.
void* operator new[](std::size_t size) {
  if (size > largest_table) largest_table = size;
  if (void* const block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

std::vector<std::string> wf_test::fuzz_seeds() {
  const std::string one(as_string(wf::tensors::to_npy({{}, {2, 2}, {1, -2, 1.5, 0}, false})));
  return {
      one,
      as_string(wf::tensors::to_npy({{}, {3}, {1, 0, 1}, true})),
      npy("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n", "abcdefghijkl"),
      npy("{'descr': '>u8', 'fortran_order': False, 'shape': (), }", std::string(8, '\0'), 2),
      npy("{'descr': '>f2', 'fortran_order': False, 'shape': (0, 3), }", "", 3),
      safetensors(R"({"W":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})", "abcd"),
      safetensors(R"({"W":{"dtype":"U8","shape":[],"data_offsets":[1,2]},)"
                  R"("b":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})",
                  std::string(2, '\1')),
      wf_test::zipped({{"arr_0.npy", one}, {"b.npy", one, true}}),
      wf_test::zipped({{"a.npy", one, true}}, "comment"),
      "[[1, -2.5], [3e2, 0.1]]",
      "[true, false]",
      "0\t1\n2\t0\n",
      "0,1,-7\r\n2,0,3\r\n",
      "# the cat\n saw the",
  };
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"{'descr': '",
          "'<f8'",
          "'|b1'",
          "'fortran_order': ",
          "True",
          "False",
          "'shape': (",
          "1000000000000, ",
          "(0,)",
          "{\"W\":{\"dtype\":\"F64\",",
          "\"shape\":[",
          "\"data_offsets\":[0,",
          "\"__metadata__\":{}",
          "PK\1\2",
          "PK\3\4",
          "PK\5\6",
          std::string(4, '\xff'),
          std::string(8, '\0'),
          "9007199254740993",
          "1e999",
          "[[",
          "]]",
          "\t",
          "\r\n",
          "true"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view contents(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t counting_sort = 8 << 16;  // the counts of 16 bits of a position
  constexpr reader readers[] = {{"x.npy", false},
                                {"x.safetensors", false},
                                {"x.npz", false, 8 * wf::tensors::detail::deflate_limit},
                                {"x.json", true},
                                {"x.tsv", true, 64, counting_sort},
                                {"x.csv", true, 64, counting_sort},
                                {"x.txt", true}};
  for (const reader& each : readers) check_source(each, contents);
  check_archives({data, size});
  return 0;
}
