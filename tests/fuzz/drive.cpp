// SPDX-License-Identifier: BSL-1.0
//
// Drives a fuzz target without libFuzzer, with the same inputs for the same seed:
//
//   fuzz_TARGET RUNS [SEED]      mutated seeds; fails if almost none of them is valid
//   fuzz_TARGET --replay FILE…   these inputs
//   fuzz_TARGET --write FOLDER   writes the seeds to FOLDER/corpus and the words to FOLDER/words
//
// With WF_FUZZ_KEEP=FOLDER each input is first written to FOLDER/last, where it is found after a
// crash.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include "fuzz.hpp"

namespace {

using wf_test::fuzz_seeds;
using wf_test::fuzz_words;

class mutator {
 public:
  explicit mutator(std::uint64_t seed) : random_(seed) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    // Some seeds unchanged, most with a few changes, some with many.
    for (std::size_t k = below(8) == 0 ? below(30) : below(4); k > 0; --k) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1), rest = text.size() - at;
    const std::size_t count = std::min(rest, below(4) == 0 ? below(60) : 1 + below(3));
    switch (below(7)) {
      case 0:
        text.insert(at, 1, static_cast<char>(static_cast<unsigned char>(below(256))));
        break;
      case 1:
        text.erase(at, count);
        break;
      case 2:
        text.insert(at, words_[below(words_.size())]);
        break;
      case 3:
        text.replace(at, count, words_[below(words_.size())]);
        break;
      case 4:
        text.insert(below(text.size() + 1), text.substr(at, below(60)));
        break;
      case 5: {
        const std::string& other = seeds_[below(seeds_.size())];
        text.replace(at, count, other.substr(below(other.size()), below(80)));
        break;
      }
      default:
        // Another character of the same kind, which preserves more of the syntax.
        if (rest == 0) break;
        if (text[at] >= '0' && text[at] <= '9') {
          text[at] = static_cast<char>('0' + below(10));
        } else {
          text[at] = static_cast<char>(text[at] ^ (1 << below(3)));
        }
    }
    if (text.size() > 1 << 16) text.resize(1 << 16);
  }

  std::mt19937_64 random_;
  std::vector<std::string> seeds_ = fuzz_seeds();
  std::vector<std::string> words_ = fuzz_words();
};

void run(const std::string& input) {
  wf_test::fuzz_input = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

int replay(int count, char** files) {
  for (int i = 0; i < count; ++i) {
    std::ifstream file(files[i], std::ios::binary);
    if (!file) return std::cerr << files[i] << " cannot be read\n", 2;
    run({std::istreambuf_iterator<char>(file), {}});
  }
  std::cout << count << " inputs hold\n";
  return 0;
}

int write(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "corpus");
  std::size_t number = 0;
  for (const std::string& seed : fuzz_seeds())
    std::ofstream(folder / "corpus" / ("seed" + std::to_string(number++)), std::ios::binary)
        << seed;
  std::ofstream words(folder / "words");
  for (const std::string& word : fuzz_words()) {
    words << '"';
    for (char c : word) {
      constexpr const char* digits = "0123456789ABCDEF";
      const auto code = static_cast<unsigned char>(c);
      words << "\\x" << digits[code >> 4] << digits[code & 15];
    }
    words << "\"\n";
  }
  return words ? 0 : 2;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string first = count > 1 ? arguments[1] : "1000";
  if (first == "--replay") return replay(count - 2, arguments + 2);
  if (first == "--write" && count == 3) return write(arguments[2]);
  const std::uint64_t runs = std::stoull(first), seed = count > 2 ? std::stoull(arguments[2]) : 1;
  std::cout << "seed " << seed << std::endl;  // before anything can fail
  mutator mutations(seed);
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::string input = mutations.next();
    if (const char* folder = std::getenv("WF_FUZZ_KEEP"))
      std::ofstream(std::filesystem::path(folder) / "last", std::ios::binary) << input;
    run(input);
  }
  std::cout << runs << " inputs hold, " << wf_test::fuzz_accepted << " of them are valid\n";
  return wf_test::fuzz_accepted * 50 > runs ? 0 : 1;
}
