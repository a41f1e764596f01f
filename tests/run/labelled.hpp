// SPDX-License-Identifier: BSL-1.0
#pragma once

// A foreign container: fields by name, with named dimensions and coordinates along them.

#include <map>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/run/values/named_matrices.hpp>

namespace labelled {

// The coordinates along each dimension: "time" → 0 s, 1 s, …
using coordinates = std::map<std::string, std::vector<double>>;

struct field {
  std::vector<std::string> dims;  // names of dimensions, the last one varies fastest
  std::vector<double> values;
};
struct dataset {
  std::map<std::string, field> fields;
  coordinates along;
};

// The dimensions of the results of a workflow, by output.
using result_dims = std::map<std::string, std::vector<std::string>>;

// Converts fields to the matrices of a workflow. Its state is the mapping of names.
struct unwrap {
  std::map<std::string, std::string> field_of;  // by input

  wf::result<wf::named_matrices> operator()(const dataset& d) const {
    wf::named_matrices out;
    for (const auto& [input, label] : field_of) {
      const auto found = d.fields.find(label);
      if (found == d.fields.end())
        return wf::make_error(wf::errc::missing_argument, label, "the data set has no such field");
      const field& f = found->second;
      Eigen::Index sizes[2] = {1, 1};
      for (std::size_t i = 0; i < f.dims.size(); ++i) {
        const auto axis = d.along.find(f.dims[i]);
        if (axis == d.along.end() || i > 1)
          return wf::make_error(wf::errc::argument_shape, f.dims[i],
                                "the field has two dimensions with coordinates");
        sizes[i] = static_cast<Eigen::Index>(axis->second.size());
      }
      if (sizes[0] * sizes[1] != static_cast<Eigen::Index>(f.values.size()))
        return wf::make_error(wf::errc::argument_shape, label,
                              "the field does not fit its coordinates");
      using rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      out[input] = Eigen::Map<const rows>(f.values.data(), sizes[0], sizes[1]);
    }
    return out;
  }
};

// Converts results to fields, with the coordinates of the arguments.
struct wrap {
  result_dims dims_of;

  wf::result<dataset> operator()(const wf::named_matrices& made, const dataset& from) const {
    dataset out;
    for (const auto& [name, m] : made) {
      const auto dims = dims_of.find(name);
      if (dims == dims_of.end())
        return wf::make_error(wf::errc::missing_argument, name, "the dimensions are not known");
      field f{dims->second, {}};
      for (Eigen::Index r = 0; r < m.rows(); ++r)
        for (Eigen::Index c = 0; c < m.cols(); ++c) f.values.push_back(m(r, c));
      for (const std::string& d : f.dims) out.along[d] = from.along.at(d);
      out.fields[name] = std::move(f);
    }
    return out;
  }
};

}  // namespace labelled
