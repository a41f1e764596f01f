// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>

namespace logic_benchmark {

/// Writes layers of neural networks with random inputs to folders of a folder, each with its
/// program, its inputs, the results that plain loops in double precision give for them, and the
/// number of operations of its products (flops):
///
/// encoder256, encoder32: an encoder of a transformer (encoder.hpp) of so many tokens: its sizes,
/// and its inputs in row-major order, one after the other, as floats of this machine (inputs.f32).
///
/// gcn: a layer of a graph convolution, relu(A X W), for 10,000 nodes with 50,000 random links: A
/// has an entry for both directions of each and for each node with itself, divided by the roots of
/// the degrees of its row and column; X takes 32 numbers of each node and W makes 16 of them. Facts
/// as in the programs of the data.
///
/// False if a file cannot be written.
bool write_layers(const std::filesystem::path& folder);

}  // namespace logic_benchmark
