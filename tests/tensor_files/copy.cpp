// SPDX-License-Identifier: BSL-1.0
//
// copy_tensors FOLDER: for each line "SOURCE TARGET" or "SOURCE TARGET ARRAY" of the standard input
// reads a tensor from a file in the folder and writes it to another one. Prints "ok" or the error.

#include <wf/adapt/tensors.hpp>

#include <iostream>
#include <sstream>
#include <string>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const auto box = wf::tensors::sandbox::at(arguments[1]);
  if (!box) return std::cerr << to_text(box.error()) << '\n', 2;
  for (std::string line; std::getline(std::cin, line);) {
    std::string source, target, array;
    std::istringstream(line) >> source >> target >> array;
    wf::logic::database d;
    auto done = wf::tensors::read_tensor(
        *box, {source, "T", wf::tensors::any_rank, wf::tensors::source_kind::as_stored, array}, d);
    if (done) done = wf::tensors::write_tensor(*box, target, d.relations[0]);
    std::cout << (done ? wf::text("ok") : to_text(done.error())) << '\n';
  }
  return 0;
}
