// SPDX-License-Identifier: BSL-1.0
//
// A program of equations whose inputs and results are files.
#include <wf/adapt/tensors.hpp>
#include <wf/logic.hpp>

#include <filesystem>
#include <iostream>

namespace {

int refuse(const wf::error& e) {
  std::cerr << wf::to_text(e) << '\n';
  return 1;
}

// --8<-- [start:program]
constexpr wf::text_view source =
    "Ancestor(x,z) = Parent(x,z)\n"
    "Ancestor(x,z) = Parent(x,y) Ancestor(y,z)\n"
    "Size[x] = Ancestor(x,z) Weight[z]\n"
    "export Ancestor\n"
    "export Size\n";

int run(const std::filesystem::path& folder) {
  namespace files = wf::tensors;
  const auto box = files::sandbox::at(folder);
  if (!box) return refuse(box.error());

  wf::logic::database inputs;
  const files::tensor_source sources[] = {{.path = "parent.tsv", .name = "Parent", .rank = 2},
                                          {.path = "weight.json", .name = "Weight"}};
  for (const files::tensor_source& s : sources)
    if (auto r = files::read_tensor(*box, s, inputs); !r) return refuse(r.error());

  const auto program = wf::logic::read_program(source);
  if (!program) return refuse(program.error());
  const auto strata = wf::logic::stratify(*program, source);
  if (!strata) return refuse(strata.error());
  auto solved = wf::logic::evaluate(*strata, inputs);
  if (!solved) return refuse(solved.error());

  for (wf::logic::solved_tensor& t : solved->tensors) {
    const wf::logic::named_relation result{t.name, t.entries(), t.domains, {}};
    const bool facts = !result.entries.valued;
    const char* const path = facts ? "out/ancestor.tsv" : "out/size.npy";
    if (auto r = files::write_tensor(*box, path, result, 0); !r) return refuse(r.error());
  }
  return 0;
}
// --8<-- [end:program]

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "wf_consumer_tensors";
  std::filesystem::create_directories(folder);
  (void)wf::write_text_file(folder / "parent.tsv", "0\t1\n1\t2\n1\t3\n2\t4\n4\t4\n");
  (void)wf::write_text_file(folder / "weight.json", "[1, 2, 4, 8, 16]");
  if (const int failed = run(folder); failed != 0) return failed;
  const auto box = *wf::tensors::sandbox::at(folder);
  const auto ancestors = wf::tensors::read_tensor(box, "out/ancestor.tsv");
  const auto sizes = wf::tensors::read_tensor(box, "out/size.npy");
  if (!ancestors || !sizes) return 1;
  const auto outside = box.write("../size.npy", "");
  std::cout << ancestors->relations[0].entries.rows << " pairs; ";
  for (const double s : sizes->relations[0].entries.values) std::cout << s << ' ';
  std::cout << "\n" << wf::to_text(outside.error()).view().part(0, 22) << '\n';
  std::filesystem::remove_all(folder);
  return ancestors->relations[0].entries.rows == 9 ? 0 : 1;
}
