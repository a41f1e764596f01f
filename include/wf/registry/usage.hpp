// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/spelling.hpp>
#include <wf/registry/infer.hpp>

namespace wf {

/// A concrete datum offered to a run: usage tag and type.
struct datum {
  /// The usage tag; it must equal `usage_of` of an operand.
  text_view usage;
  /// Element type and shape; the type is known, the shape static.
  value_type type;
};

/// The assignment of data to the operands of a kernel.
struct matched_data {
  /// Marks an operand that takes its default value.
  static constexpr std::uint32_t defaulted = 0xffffffff;

  /// By operand: the index of its datum, or `defaulted`.
  std::uint32_t data[max_operands] = {};
  /// Number of operands.
  std::uint32_t count = 0;
  value_type operands[max_operands];  ///< type of each operand, defaults included
  inference given;                    ///< result types of the kernel on these operands
};

namespace detail {

class usage_matcher {
 public:
  constexpr usage_matcher(const kernel_spec& k, const signature& s, view<datum> data,
                          view<attribute_value> attributes)
      : kernel_(k), signature_(s), data_(data), attributes_(attributes), used_(data.size()) {}

  constexpr result<matched_data> run() {
    out_.count = number_of_operands();
    if (out_.count > max_operands)
      return make_error(errc::bad_signature, kernel_.name, "has too many operands");
    for (const datum& d : data_)
      if (!d.type.shape.is_static() || d.type.type == dtype::unknown)
        return make_error(errc::argument_shape, kernel_.name,
                          (text() << "the datum for " << d.usage << " is " << to_text(d.type).view()
                                  << ", which is not concrete")
                              .view());
    for (std::uint32_t i = 0; i < out_.count; ++i)
      if (error e = match(i); e.code != errc::none) return e;
    for (std::uint32_t d = 0; d < data_.size(); ++d)
      if (used_[d] == 0) return left_over(data_[d].usage);
    for (std::uint32_t i = 0; i < out_.count; ++i)
      if (out_.data[i] == matched_data::defaulted)
        if (error e = conclude(i); e.code != errc::none) return e;
    auto given = infer(kernel_, signature_, {{out_.operands, out_.count}, attributes_});
    if (!given) return given.error();
    out_.given = static_cast<inference&&>(*given);
    return static_cast<matched_data&&>(out_);
  }

 private:
  // A pack takes all data of its usage, but for one datum each for other operands of that usage.
  constexpr std::uint32_t number_of_operands() const {
    const std::uint32_t pack = signature_.operand_pack;
    if (pack == parameter::none) return signature_.inputs;
    std::uint32_t offered = 0, others = 0;
    for (const datum& d : data_)
      offered += d.usage == usage_of(signature_.parameters[pack]) ? 1 : 0;
    for (std::uint32_t i = 0; i < signature_.inputs; ++i)
      others +=
          i != pack && usage_of(signature_.parameters[i]) == usage_of(signature_.parameters[pack])
              ? 1
              : 0;
    return signature_.inputs + (offered > others + 1 ? offered - others - 1 : 0);
  }
  constexpr const parameter& parameter_of(std::uint32_t i) const {
    return signature_.operand(i, out_.count);
  }
  constexpr error match(std::uint32_t i) {
    const parameter& p = parameter_of(i);
    out_.data[i] = matched_data::defaulted;
    for (std::uint32_t d = 0; d < data_.size(); ++d) {
      if (used_[d] != 0 || data_[d].usage != usage_of(p)) continue;
      used_[d] = 1;
      out_.data[i] = d;
      out_.operands[i] = data_[d].type;
      symbols_.bind_pattern(signature_.dimensions_of(p), p, data_[d].type.shape);
      return {};
    }
    if (!p.default_value.empty()) return {};
    return make_error(
        errc::missing_argument, kernel_.name,
        (text() << "operand " << p.name << " needs a datum of usage '" << usage_of(p) << "'")
            .view());
  }

  constexpr error left_over(text_view usage) const {
    table<text_view> known;
    bool taken = false;
    for (std::uint32_t i = 0; i < out_.count; ++i) {
      known.push_back(usage_of(parameter_of(i)));
      taken = taken || known.back() == usage;
    }
    if (taken)
      return make_error(
          errc::unknown_argument, kernel_.name,
          (text() << "has more data of usage '" << usage << "' than operands").view());
    return make_error(errc::unknown_argument, kernel_.name,
                      unknown_name_message("usage", usage, known).view());
  }

  // Type of an operand without a datum: dtype from its bound or from an operand of equal bound,
  // shape from its pattern.
  constexpr error conclude(std::uint32_t i) {
    const parameter& p = parameter_of(i);
    value_type& t = out_.operands[i];
    t.type = dtype_named(p.bound);
    for (std::uint32_t k = 0; k < out_.count && t.type == dtype::unknown; ++k)
      if (out_.data[k] != matched_data::defaulted && parameter_of(k).bound == p.bound)
        t.type = out_.operands[k].type;
    const view<text_view> pattern = signature_.dimensions_of(p);
    for (std::uint32_t d = 0; d < pattern.size(); ++d) {
      const text_view dimension = pattern[d];
      if (d == p.optional && symbols_.is_absent(dimension)) continue;
      const extent* bound = symbols_.find(dimension);
      const extent e = bound != nullptr ? *bound : fixed_dimension(dimension);
      if (!e.is_fixed() || !t.shape.push_back(e)) return not_concluded(p, "shape");
    }
    if (t.type == dtype::unknown) return not_concluded(p, "element type");
    return {};
  }
  constexpr error not_concluded(const parameter& p, text_view what) const {
    return make_error(errc::missing_argument, kernel_.name,
                      (text() << "operand " << p.name << " needs a datum of usage '" << usage_of(p)
                              << "': the " << what << " of its default follows from no other")
                          .view());
  }

  const kernel_spec& kernel_;
  const signature& signature_;
  view<datum> data_;
  view<attribute_value> attributes_;
  table<char> used_;
  bound_dimensions symbols_;
  matched_data out_;
};

}  // namespace detail

/// Matches concrete data, in any order, to the operands of a kernel by usage, and checks their
/// element types and shapes against its signature `s`. Operands of one usage take their data in the
/// order offered. An operand with a default needs no datum: the extents bound by the other operands
/// give its shape. Errors: `missing_argument`; `unknown_argument`, with the nearest usage;
/// `argument_shape` for a datum that is not concrete; those of `infer` for element types or shapes
/// that differ. Each names the operand or usage at fault. O(data · operands).
constexpr result<matched_data> match_usage(const kernel_spec& k, const signature& s,
                                           view<datum> data,
                                           view<attribute_value> attributes = {}) {
  return detail::usage_matcher(k, s, data, attributes).run();
}

/// The same, parsing the signature first. Errors: also `bad_signature`.
constexpr result<matched_data> match_usage(const kernel_spec& k, view<datum> data,
                                           view<attribute_value> attributes = {}) {
  const auto s = parse_signature(k.signature);
  if (!s) return s.error();
  return match_usage(k, *s, data, attributes);
}

}  // namespace wf
