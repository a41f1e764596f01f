// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/result.hpp>
#include <wf/ir/json_document.hpp>

#include <linalg/problem.hpp>

namespace linalg_benchmark {

/// Reads problems of Linnea's format: an array of objects
///
///     {"id": NAME, "dims": {"n": 2500}, "operands": {NAME: OPERAND}, "equations": ["b = ..."],
///      "outputs": ["b"]}
///     {"id": NAME, "out": OPERAND, "operands": {NAME: OPERAND}, "expr": "..."}
///
/// with OPERAND = {"kind": "Matrix", "size": ["n", 500], "properties": ["SPD"]}. An operand that an
/// equation defines is no input. Extents are divided by `scale`, rounded, and at least 1.
class linnea_reader {
 public:
  linnea_reader(wf::text_view source, double scale)
      : source_(source), scale_(scale), json_(wf::parse_json(source)) {}

  wf::result<std::vector<problem>> read() {
    if (!json_) return json_.error();
    if (item(0).kind != wf::json_kind::array) fail(0, "the problems are an array");
    std::vector<problem> out;
    std::uint32_t at = wf::json_document::first_of(0);
    for (std::uint32_t i = 0; !failed_ && i < item(0).size; ++i, at = item(at).next)
      out.push_back(read_problem(at));
    if (failed_) return error_;
    return out;
  }

 private:
  using kind = wf::json_kind;

  const wf::json_item& item(std::uint32_t at) const { return (*json_)[at]; }
  std::string characters(std::uint32_t at) const {
    const wf::text_view t = json_->text_of(at);
    return {t.data(), t.size()};
  }
  /// The first error stays.
  void fail(std::uint32_t at, const std::string& message) {
    if (failed_) return;
    failed_ = true;
    error_ = wf::make_error(wf::errc::graph_syntax, "", message.c_str(),
                            wf::position_at(source_, item(at).offset));
  }
  /// The member of an object, which has to be there and of a kind; 0 after an error.
  std::uint32_t member(std::uint32_t object, const char* name, kind wanted) {
    if (item(object).kind != kind::object) return fail(object, "an object is wanted"), 0;
    const std::uint32_t found = json_->find(object, name);
    if (found != 0 && item(found).kind == wanted) return found;
    const wf::text_view is = wf::name_of(wanted);
    fail(found == 0 ? object : found,
         "'" + std::string(name) + "' must be there, as " + std::string(is.data(), is.size()));
    return 0;
  }
  /// Calls `f(value)` for each element of an array.
  template <class F>
  void each(std::uint32_t array, F f) {
    std::uint32_t at = wf::json_document::first_of(array);
    for (std::uint32_t i = 0; !failed_ && i < item(array).size; ++i, at = item(at).next) f(at);
  }
  /// Calls `f(key, value)` for each member of an object.
  template <class F>
  void each_member(std::uint32_t object, F f) {
    std::uint32_t at = wf::json_document::first_of(object);
    for (std::uint32_t i = 0; !failed_ && i < item(object).size; ++i, at = item(at + 1).next)
      f(at, wf::json_document::value_of(at));
  }

  problem read_problem(std::uint32_t at) {
    problem out;
    const std::uint32_t id = member(at, "id", kind::string);
    if (failed_) return out;
    out.name = characters(id);
    dimensions_ = json_->find(at, "dims");
    if (dimensions_ != 0 && item(dimensions_).kind != kind::object)
      fail(dimensions_, "'dims' is no object");
    std::vector<std::string> equations;
    read_equations(at, equations, out.outputs);
    const std::uint32_t operands = member(at, "operands", kind::object);
    if (failed_) return out;
    each_member(operands, [&](std::uint32_t key, std::uint32_t value) {
      operand made = read_operand(characters(key), value);
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
    const std::uint32_t expression = json_->find(at, "expr");
    if (expression != 0 && item(expression).kind == kind::string) {
      equations.push_back("result = " + characters(expression));
      outputs.push_back("result");
      return;
    }
    const auto list = [&](const char* name, std::vector<std::string>& out) {
      const std::uint32_t array = member(at, name, kind::array);
      if (failed_) return;
      each(array, [&](std::uint32_t one) {
        if (item(one).kind != kind::string) return fail(one, "a text is wanted");
        out.push_back(characters(one));
      });
    };
    list("equations", equations);
    list("outputs", outputs);
  }

  /// The name that an equation defines.
  static std::string name_of(const std::string& equation) {
    const std::size_t end = equation.find_first_of(" =");
    return equation.substr(0, end);
  }

  operand read_operand(std::string name, std::uint32_t at) {
    operand out;
    out.name = std::move(name);
    const std::uint32_t what = member(at, "kind", kind::string);
    const std::uint32_t size = member(at, "size", kind::array);
    if (failed_) return out;
    const std::string is = characters(what);
    std::int64_t* const extents[] = {&out.rows, &out.columns};
    if (item(size).size > 2) fail(size, "an operand has at most two extents");
    std::size_t count = 0;
    each(size, [&](std::uint32_t one) { *extents[count++] = read_extent(one); });
    out.scalar = is == "Scalar";
    if (is == "IdentityMatrix")
      out.declared = wf::identity;
    else if (!out.scalar && is != "Matrix" && is != "Vector" && is != "ColumnVector")
      fail(what, "'" + is + "' is no kind of operand");
    if (const std::uint32_t list = json_->find(at, "properties"); list != 0 && !failed_)
      each(list, [&](std::uint32_t one) { out.declared = out.declared | read_property(one); });
    return out;
  }

  /// A number, or the name of one.
  std::int64_t read_extent(std::uint32_t at) {
    std::uint32_t number = at;
    if (item(at).kind == kind::string && dimensions_ != 0)
      number = json_->find(dimensions_, json_->text_of(at));
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
        if (json_->text_of(at) == wf::text_view(one.name)) return one.means;
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

  wf::text_view source_;
  double scale_;
  wf::result<wf::json_document> json_;
  std::uint32_t dimensions_ = 0;  ///< the item of 'dims'; 0 if there is none
  bool failed_ = false;
  wf::error error_;
};

/// Reads the problems of a text; errors: `graph_syntax` with its line. O(size).
inline wf::result<std::vector<problem>> read_linnea(wf::text_view source, double scale = 1) {
  return linnea_reader(source, scale).read();
}

}  // namespace linalg_benchmark
