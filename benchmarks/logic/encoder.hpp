// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <logic/worker.hpp>

namespace logic_benchmark {

/// Sizes of the encoder of a transformer.
struct encoder_sizes {
  int tokens = 256;
  int layers = 2;
  int heads = 8;
  int width = 512;    ///< of the row of a token, shared evenly by the heads
  int hidden = 2048;  ///< width between the two maps after the attention
};

/// A tensor that the encoder reads.
struct encoder_input {
  std::string name;
  std::vector<int> extents;

  /// Number of elements.
  std::size_t size() const;
};

/// The inputs of an encoder in the order of their file; of maps the first extents are summed over.
std::vector<encoder_input> inputs_of(const encoder_sizes& sizes);

/// The encoder as a text of equations in single precision, with heads as an index: in each layer
/// softmax attention, then two affine maps with gelu between them, each with its argument added and
/// then normalised.
std::string equations_of(const encoder_sizes& sizes);

/// An encoder, planned for the least time on one core and prepared to run: a problem for `serve`.
class encoder {
 public:
  /// Reads a folder that `write_layers` wrote; `failure()` says what is wrong.
  explicit encoder(const std::filesystem::path& folder);
  ~encoder();
  encoder(const encoder&) = delete;
  encoder& operator=(const encoder&) = delete;
  const std::string& failure() const { return failure_; }

  void clear() {}
  std::string solve();
  /// The result is an array already.
  std::string list() { return {}; }
  std::size_t size() const;
  std::vector<fact_list> facts() const;

 private:
  struct prepared;

  void prepare(const std::string& text, const std::vector<float>& inputs);

  encoder_sizes sizes_;
  std::string failure_;
  std::unique_ptr<prepared> prepared_;
};

}  // namespace logic_benchmark
