// SPDX-License-Identifier: BSL-1.0
#include <logic/encoder.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>

#include <Eigen/Core>

#include <wf/capture/equations/equations.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/single_precision.hpp>
#include <wf/select/optimise.hpp>

#include <files.hpp>

namespace logic_benchmark {

namespace {

// The tensors of a layer: `#` stands for its number, D for the width, H for the heads, E for the
// part of each, F for the hidden width.
constexpr std::array<std::array<const char*, 2>, 16> layer_inputs = {{
    {"Wq#", "DHE"},
    {"bq#", "HE"},
    {"Wk#", "DHE"},
    {"bk#", "HE"},
    {"Wv#", "DHE"},
    {"bv#", "HE"},
    {"Wo#", "HED"},
    {"bo#", "D"},
    {"gain#", "D"},
    {"shift#", "D"},
    {"Wf#", "DF"},
    {"bf#", "F"},
    {"Wg#", "FD"},
    {"bg#", "D"},
    {"gain_out#", "D"},
    {"shift_out#", "D"},
}};
// `@` stands for the result of the layer before, `$` for the root of the part of each head.
constexpr const char* layer_equations = R"(
Q#[t,h,e] = @[t,d] Wq#[h,e,d] + bq#[h,e]
K#[t,h,e] = @[t,d] Wk#[h,e,d] + bk#[h,e]
V#[t,h,e] = @[t,d] Wv#[h,e,d] + bv#[h,e]
P#[h,t,s] = softmax(Q#[t,h,e] K#[s,h,e] / $)
C#[t,h,e] = P#[h,t,s] V#[s,h,e]
A#[t,d] = C#[t,h,e] Wo#[d,h,e] + bo#[d] + @[t,d]
N# = layer_norm(A#, gain#, shift#)
F#[t,f] = gelu(N#[t,d] Wf#[d,f] + bf#[f])
B#[t,d] = F#[t,f] Wg#[f,d] + bg#[d] + N#[t,d]
Y# = layer_norm(B#, gain_out#, shift_out#)
)";

std::string replaced(const std::string& in, char what, const std::string& by) {
  std::string out;
  for (const char c : in) c == what ? out += by : out += c;
  return out;
}

std::string message(const wf::error& e) { return std::string(wf::to_text(e)); }

/// Number of the first extents over which the products with a map sum.
std::size_t summed_extents(const encoder_input& input) {
  return input.extents.size() == 3 && input.name.starts_with("Wo") ? 2 : 1;
}

/// A tensor in row-major order, as the file has it, as the matrix that the executor reads: of maps
/// the terms of sums follow each other.
wf::dynamic_matrix_f32 matrix_of(const encoder_input& input, const float* elements) {
  using by_rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<Eigen::Index>(input.size());
  Eigen::Index rows = 1;
  for (std::size_t k = 0; k < summed_extents(input); ++k) rows *= input.extents[k];
  wf::dynamic_matrix_f32 out = Eigen::Map<const by_rows>(elements, rows, count / rows);
  if (input.extents.size() > 2) out.resize(1, count);
  return out;
}

}  // namespace

std::size_t encoder_input::size() const {
  std::size_t out = 1;
  for (const int extent : extents) out *= static_cast<std::size_t>(extent);
  return out;
}

std::vector<encoder_input> inputs_of(const encoder_sizes& sizes) {
  std::vector<encoder_input> out = {{"X", {sizes.tokens, sizes.width}}};
  const std::map<char, int> extents = {{'D', sizes.width},
                                       {'H', sizes.heads},
                                       {'E', sizes.width / sizes.heads},
                                       {'F', sizes.hidden}};
  for (int layer = 1; layer <= sizes.layers; ++layer)
    for (const auto& [name, letters] : layer_inputs) {
      encoder_input input{replaced(name, '#', std::to_string(layer)), {}};
      for (const char letter : std::string(letters)) input.extents.push_back(extents.at(letter));
      out.push_back(input);
    }
  return out;
}

std::string equations_of(const encoder_sizes& sizes) {
  std::string out, before = "X";
  for (const encoder_input& input : inputs_of(sizes)) {
    out += "input " + input.name + " : f32[";
    // Matrices are read in column-major order, tensors in row-major order.
    std::vector<int> extents = input.extents;
    if (extents.size() > 2)
      std::rotate(extents.begin(),
                  extents.begin() + static_cast<std::ptrdiff_t>(summed_extents(input)),
                  extents.end());
    for (const int extent : extents) out += std::to_string(extent) + ", ";
    out.resize(out.size() - 2);
    out += "]\n";
  }
  const std::string root = std::to_string(std::sqrt(sizes.width / sizes.heads));
  for (int layer = 1; layer <= sizes.layers; ++layer) {
    const std::string number = std::to_string(layer);
    out += replaced(replaced(replaced(layer_equations, '#', number), '@', before), '$', root);
    before = "Y" + number;
  }
  return out + "export " + before + "\n";
}

struct encoder::prepared {
  std::vector<wf::dynamic_matrix_f32> inputs;
  wf::dynamic_matrix_f32 result;
  wf::bound_graph_f32 program;
};

encoder::encoder(const std::filesystem::path& folder) {
  std::istringstream numbers(wf_benchmark::read_whole((folder / "sizes").string()));
  numbers >> sizes_.tokens >> sizes_.layers >> sizes_.heads >> sizes_.width >> sizes_.hidden;
  std::size_t count = 0;
  for (const encoder_input& input : inputs_of(sizes_)) count += input.size();
  std::vector<float> elements(count);
  std::ifstream file(folder / "inputs.f32", std::ios::binary);
  file.read(reinterpret_cast<char*>(elements.data()),
            static_cast<std::streamsize>(count * sizeof(float)));
  if (numbers && file)
    prepare(wf_benchmark::read_whole((folder / "program.tl").string()), elements);
  else
    failure_ = folder.string() + " has no encoder";
}
encoder::~encoder() = default;

void encoder::prepare(const std::string& text, const std::vector<float>& inputs) {
  const auto captured = wf::equations("encoder", {text.data(), text.size()});
  if (!captured) {
    failure_ = message(captured.error());
    return;
  }
  const auto plan =
      wf::optimise(captured->view(), wf::minimise(wf::execution_time), {}, wf::timed_registry());
  if (!plan) {
    failure_ = message(plan.error());
    return;
  }
  const auto ready = wf::executable_graph_f32::prepare(plan->chosen.view());
  if (!ready) {
    failure_ = message(ready.error());
    return;
  }
  prepared_ = std::make_unique<prepared>();
  std::map<std::string, wf::dynamic_matrix_f32> by_name;
  const float* next = inputs.data();
  for (const encoder_input& input : inputs_of(sizes_)) {
    by_name[input.name] = matrix_of(input, next);
    next += input.size();
  }
  const wf::graph_view g = ready->workflow();
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none)
      prepared_->inputs.push_back(by_name.at(std::string(g.text_of(v.name))));
  prepared_->result.resize(sizes_.tokens, sizes_.width);
  const std::vector<wf::input_matrix_f32> from(prepared_->inputs.begin(), prepared_->inputs.end());
  const std::vector<wf::output_matrix_f32> to = {prepared_->result};
  auto bound = ready->bind(from, to);
  if (bound)
    prepared_->program = *static_cast<decltype(bound)&&>(bound);
  else
    failure_ = message(bound.error());
}

std::string encoder::solve() {
  const auto done = prepared_->program.run();
  return done ? std::string() : message(done.error());
}

std::size_t encoder::size() const { return static_cast<std::size_t>(prepared_->result.size()); }

std::vector<fact_list> encoder::facts() const {
  fact_list out{"Y", std::vector<std::vector<std::uint32_t>>(2), {}};
  for (Eigen::Index i = 0; i < prepared_->result.rows(); ++i)
    for (Eigen::Index j = 0; j < prepared_->result.cols(); ++j) {
      out.columns[0].push_back(static_cast<std::uint32_t>(i));
      out.columns[1].push_back(static_cast<std::uint32_t>(j));
      out.values.push_back(static_cast<double>(prepared_->result(i, j)));
    }
  return {out};
}

}  // namespace logic_benchmark
