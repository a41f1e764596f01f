// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <utility>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/unpack.hpp>

#include <wf/run/dynamic.hpp>
#include <wf/run/eigen.hpp>

namespace wf {

/// A structure with named members for Hana (`BOOST_HANA_DEFINE_STRUCT`, `BOOST_HANA_ADAPT_STRUCT`).
template <class T>
concept hana_struct = boost::hana::Struct<std::remove_cvref_t<T>>::value;

namespace detail {

template <class Key, std::size_t... Index>
constexpr auto member_name(std::index_sequence<Index...>) {
  const char characters[] = {Key::c_str()[Index]..., '\0'};
  return fixed_string<sizeof...(Index) + 1>(characters);
}

// A member of a structure as the argument of its name; an input if the structure is const.
template <class Struct, class Accessor>
constexpr auto member_argument(Struct& object, const Accessor& accessor) {
  using key = std::remove_cvref_t<decltype(boost::hana::first(accessor))>;
  constexpr std::size_t length = decltype(boost::hana::length(std::declval<key>()))::value;
  auto& member = boost::hana::second(accessor)(object);
  return argument<member_name<key>(std::make_index_sequence<length>{}),
                  std::remove_reference_t<decltype(member)>>{member};
}

// Calls f(argument...) with the members of all structures.
template <class F>
decltype(auto) with_members(F&& f) {
  return std::forward<F>(f)();
}
template <class F, class First, class... More>
decltype(auto) with_members(F&& f, First& first, More&... more) {
  return boost::hana::unpack(
      boost::hana::accessors<std::remove_const_t<First>>(), [&](const auto&... accessor) {
        return with_members(
            [&](const auto&... later) {
              return std::forward<F>(f)(member_argument(first, accessor)..., later...);
            },
            more...);
      });
}

}  // namespace detail

/// Runs a static workflow or plan on structures: each member is the argument of its name, an input
/// if it or the structure is const. With `struct inputs { BOOST_HANA_DEFINE_STRUCT(inputs,
/// (matrix66, P), (matrix36, H)); };`, `wf::run_with<plan>(in, out)` is `wf::run<plan>("P"_arg =
/// in.P, "H"_arg = in.H, "K"_arg = out.K)`, at the same cost. Results and errors are those of
/// `run`.
template <const auto& Source, hana_struct... Struct>
auto run_with(Struct&... structures) {
  return detail::with_members([](const auto&... arguments) { return run<Source>(arguments...); },
                              structures...);
}

/// Runs any workflow in double precision on a structure of Eigen matrices of doubles and stores
/// each output in the member of `outputs` with its name; outputs without a member are dropped.
/// Nothing is stored if the run fails. Errors: those of `run_dynamic`; `missing_argument` for a
/// member of `outputs` that is no output of the workflow; `argument_shape` for a fixed-size member
/// that does not fit.
template <hana_struct Inputs, hana_struct Outputs>
result<nothing> run_dynamic_with(const graph_view& g, const Inputs& inputs, Outputs& outputs) {
  named_matrices arguments;
  detail::with_members(
      [&](const auto&... a) {
        ((arguments[std::string(a.name().data(), a.name().size())] = a.value), ...);
      },
      inputs);
  const auto made = run_dynamic(g, arguments);
  if (!made) return made.error();
  error fault;
  const auto check = [&](const auto& to) {
    using matrix = std::remove_cvref_t<decltype(to.value)>;
    const auto found = made->find(std::string(to.name().data(), to.name().size()));
    if (fault.code != errc::none) return;
    if (found == made->end()) {
      fault = make_error(errc::missing_argument, to.name(), "the workflow has no such output");
    } else if ((matrix::RowsAtCompileTime != Eigen::Dynamic &&
                matrix::RowsAtCompileTime != found->second.rows()) ||
               (matrix::ColsAtCompileTime != Eigen::Dynamic &&
                matrix::ColsAtCompileTime != found->second.cols())) {
      fault = make_error(errc::argument_shape, to.name(),
                         (text() << "the output is " << found->second.rows() << 'x'
                                 << found->second.cols() << ", the member has another fixed size")
                             .view());
    }
  };
  const auto store = [&](const auto& to) {
    to.value = made->find(std::string(to.name().data(), to.name().size()))->second;
  };
  detail::with_members([&](const auto&... a) { (check(a), ...); }, outputs);
  if (fault.code != errc::none) return fault;
  detail::with_members([&](const auto&... a) { (store(a), ...); }, outputs);
  return nothing{};
}

}  // namespace wf
