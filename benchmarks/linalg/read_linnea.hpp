// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>

#include <linalg/problem.hpp>
#include <read_json.hpp>

namespace linalg_benchmark {

/// Reads problems of Linnea's format: an array of objects
///
///     {"id": NAME, "dims": {"n": 2500}, "operands": {NAME: OPERAND}, "equations": ["b = ..."],
///      "outputs": ["b"]}
///     {"id": NAME, "out": OPERAND, "operands": {NAME: OPERAND}, "expr": "..."}
///
/// with OPERAND = {"kind": "Matrix", "size": ["n", 500], "properties": ["SPD"]}. An operand that an
/// equation defines is no input. Extents are divided by `scale`, rounded, and at least 1.
class linnea_reader : wf_benchmark::json_reader {
 public:
  linnea_reader(wf::text_view source, double scale) : json_reader(source), scale_(scale) {}

  wf::result<std::vector<problem>> read() {
    if (fine() && item(0).kind != kind::array) fail(0, "the problems are an array");
    std::vector<problem> out;
    each(0, [&](std::uint32_t at) { out.push_back(read_problem(at)); });
    if (!fine()) return failure();
    return out;
  }

 private:
  problem read_problem(std::uint32_t at) {
    problem out;
    const std::uint32_t id = member(at, "id", kind::string);
    if (!fine()) return out;
    out.name = characters(id);
    dimensions_ = find(at, "dims");
    if (dimensions_ != 0 && item(dimensions_).kind != kind::object)
      fail(dimensions_, "'dims' is no object");
    std::vector<std::string> equations;
    read_equations(at, equations, out.outputs);
    each_member(member(at, "operands", kind::object), [&](std::uint32_t key, std::uint32_t value) {
      operand made = read_operand(std::string(characters(key)), value);
      const bool defined =
          std::any_of(equations.begin(), equations.end(),
                      [&](const std::string& equation) { return name_of(equation) == made.name; });
      if (!defined) out.inputs.push_back(std::move(made));
    });
    for (const operand& o : out.inputs) out.text += declaration(o);
    for (const std::string& equation : equations) out.text += equation + "\n";
    for (const std::string& name : out.outputs) out.text += "export " + name + "\n";
    return out;
  }

  void read_equations(std::uint32_t at, std::vector<std::string>& equations,
                      std::vector<std::string>& outputs) {
    const std::uint32_t expression = find(at, "expr");
    if (expression != 0 && item(expression).kind == kind::string) {
      equations.push_back("result = " + std::string(characters(expression)));
      outputs.push_back("result");
      return;
    }
    const auto list = [&](const char* name, std::vector<std::string>& out) {
      each(member(at, name, kind::array), [&](std::uint32_t one) {
        if (item(one).kind != kind::string) return fail(one, "a text is wanted");
        out.emplace_back(characters(one));
      });
    };
    list("equations", equations);
    list("outputs", outputs);
  }

  /// The name on the left side of an equation.
  static std::string name_of(const std::string& equation) {
    const std::size_t end = equation.find_first_of(" =");
    return equation.substr(0, end);
  }

  operand read_operand(std::string name, std::uint32_t at) {
    operand out;
    out.name = std::move(name);
    const std::uint32_t what = member(at, "kind", kind::string);
    const std::uint32_t size = member(at, "size", kind::array);
    if (!fine()) return out;
    const std::string is(characters(what));
    std::int64_t* const extents[] = {&out.rows, &out.columns};
    if (item(size).size > 2) fail(size, "an operand has at most two extents");
    std::size_t count = 0;
    each(size, [&](std::uint32_t one) { *extents[count++] = read_extent(one); });
    out.scalar = is == "Scalar";
    if (is == "IdentityMatrix")
      out.declared = wf::identity;
    else if (!out.scalar && is != "Matrix" && is != "Vector" && is != "ColumnVector")
      fail(what, "'" + is + "' is no kind of operand");
    if (const std::uint32_t list = find(at, "properties"); list != 0)
      each(list, [&](std::uint32_t one) { out.declared = out.declared | read_property(one); });
    return out;
  }

  /// An extent: a number, or the name of a dimension.
  std::int64_t read_extent(std::uint32_t at) {
    std::uint32_t number = at;
    if (item(at).kind == kind::string && dimensions_ != 0)
      number = find(dimensions_, characters(at));
    std::int64_t value = 0;
    const bool is_number =
        number != 0 && item(number).kind == kind::number && read_integer(number, value);
    if (!is_number || value < 1 || value > 1'000'000) {
      fail(at, "an extent is a number from 1 to 1,000,000, or the name of one in 'dims'");
      return 1;
    }
    if (value == 1) return 1;
    return std::max(std::int64_t{1},
                    std::int64_t{std::llround(static_cast<double>(value) / scale_)});
  }
  bool read_integer(std::uint32_t at, std::int64_t& out) const {
    for (const char c : characters(at)) {
      if (c < '0' || c > '9' || out > 1'000'000) return false;
      out = 10 * out + (c - '0');
    }
    return true;
  }

  wf::properties read_property(std::uint32_t at) {
    static constexpr struct {
      const char* name;
      wf::properties means;
    } known[] = {{"FullRank", wf::full_rank},
                 {"SPD", wf::spd},
                 {"SPSD", wf::psd},
                 {"Symmetric", wf::symmetric},
                 {"Diagonal", wf::diagonal},
                 {"LowerTriangular", wf::lower_triangular},
                 {"UpperTriangular", wf::upper_triangular},
                 {"Orthogonal", wf::orthogonal},
                 {"Permutation", wf::permutation},
                 {"NonSingular", wf::nonsingular},
                 {"Positive", wf::positive}};
    if (item(at).kind == kind::string)
      for (const auto& one : known)
        if (characters(at) == one.name) return one.means;
    fail(at, "no such property");
    return {};
  }

  static std::string declaration(const operand& o) {
    std::string out = "input " + o.name + " : f64[";
    if (!o.scalar) out += std::to_string(o.rows) + ", " + std::to_string(o.columns);
    out += "]";
    const wf::text names = wf::to_text(o.declared);
    std::string list(names.view().data(), names.view().size());
    std::replace(list.begin(), list.end(), ' ', ',');
    return out + (list.empty() ? "" : " {" + list + "}") + "\n";
  }

  double scale_;
  std::uint32_t dimensions_ = 0;  ///< the item of 'dims'; 0 if there is none
};

/// Reads the problems of a text; errors: `graph_syntax` with its line. O(size).
inline wf::result<std::vector<problem>> read_linnea(wf::text_view source, double scale = 1) {
  return linnea_reader(source, scale).read();
}

}  // namespace linalg_benchmark
