// SPDX-License-Identifier: BSL-1.0
//
//     graphblas_algebra FAMILY PROGRAM ANSWERS
//
// A worker (logic/worker.hpp): the recursive programs by SuiteSparse:GraphBLAS on one thread, with
// semi-naive rounds of masked products.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <logic/engine.hpp>
#include <logic/worker.hpp>

extern "C" {  // the header does not say so itself, and includes <complex>
#include <GraphBLAS.h>
}

namespace {

using logic_benchmark::fact_list;

/// A matrix that frees itself.
class matrix {
 public:
  matrix() = default;
  matrix(GrB_Type type, GrB_Index rows, GrB_Index columns) {
    GrB_Matrix_new(&handle_, type, rows, columns);
  }
  matrix(matrix&& from) noexcept : handle_(std::exchange(from.handle_, nullptr)) {}
  matrix& operator=(matrix&& from) noexcept {
    std::swap(handle_, from.handle_);
    return *this;
  }
  ~matrix() { GrB_Matrix_free(&handle_); }

  operator GrB_Matrix() const { return handle_; }
  matrix copy() const {
    matrix out;
    GrB_Matrix_dup(&out.handle_, handle_);
    return out;
  }
  matrix transposed() const {
    matrix out(GrB_BOOL, columns(), rows());
    GrB_transpose(out, nullptr, nullptr, handle_, nullptr);
    return out;
  }
  GrB_Index rows() const { return asked(GrB_Matrix_nrows); }
  GrB_Index columns() const { return asked(GrB_Matrix_ncols); }
  /// Finishes what is pending: the number of entries.
  GrB_Index size() const {
    GrB_Matrix_wait(handle_, GrB_MATERIALIZE);
    return asked(GrB_Matrix_nvals);
  }

 private:
  GrB_Index asked(GrB_Info (*what)(GrB_Index*, GrB_Matrix)) const {
    GrB_Index out = 0;
    what(&out, handle_);
    return out;
  }
  GrB_Matrix handle_ = nullptr;
};

matrix relation(const std::vector<GrB_Index>& rows, const std::vector<GrB_Index>& columns,
                GrB_Index height, GrB_Index width) {
  matrix out(GrB_BOOL, height, width);
  GrB_Scalar yes = nullptr;
  GrB_Scalar_new(&yes, GrB_BOOL);
  GrB_Scalar_setElement_BOOL(yes, true);
  GxB_Matrix_build_Scalar(out, rows.data(), columns.data(), yes, rows.size());
  GrB_Scalar_free(&yes);
  return out;
}
matrix tensor(const std::vector<GrB_Index>& rows, const std::vector<GrB_Index>& columns,
              const std::vector<double>& values, GrB_Index size) {
  matrix out(GrB_UINT32, size, size);
  const std::vector<std::uint32_t> whole(values.begin(), values.end());
  GrB_Matrix_build_UINT32(out, rows.data(), columns.data(), whole.data(), whole.size(),
                          GrB_MIN_UINT32);
  return out;
}

/// Facts of a program: columns of positions, and values.
struct fact_table {
  std::vector<std::vector<GrB_Index>> columns;
  std::vector<double> values;
};

fact_table read(const std::filesystem::path& program, const char* name, std::uint32_t rank,
                bool valued) {
  const auto facts = logic_benchmark::read_facts(program, name, rank, valued);
  if (!facts) {
    std::fprintf(stderr, "%s\n", logic_benchmark::message(facts.error()).c_str());
    std::exit(1);
  }
  fact_table out{{}, {facts->values.begin(), facts->values.end()}};
  for (const auto& column : facts->columns) out.columns.emplace_back(column.begin(), column.end());
  return out;
}
GrB_Index extent(const std::vector<GrB_Index>& column) {
  return column.empty() ? 0 : *std::max_element(column.begin(), column.end()) + 1;
}

/// a · b of Booleans; `how` says whether only where the other matrix has entries, or has none.
matrix join(const matrix& a, const matrix& b, GrB_Matrix only = nullptr,
            GrB_Descriptor how = nullptr) {
  matrix out(GrB_BOOL, a.rows(), b.columns());
  GrB_mxm(out, only, nullptr, GxB_ANY_PAIR_BOOL, a, b, how);
  return out;
}

/// A relation that grows. A dense one has a byte for every position, and what it has already is
/// taken from a product; else it is left out of the product. The faster way was measured.
class growing {
 public:
  growing(const matrix& entries, bool dense) : entries_(entries.copy()), dense_(dense) {
    if (dense_) GxB_Matrix_Option_set(entries_, GxB_SPARSITY_CONTROL, GxB_BITMAP);
  }
  /// Dense if there are at most 2^24 positions.
  explicit growing(const matrix& entries)
      : growing(entries, entries.rows() * entries.columns() <= GrB_Index{1} << 24) {}

  bool dense() const { return dense_; }
  /// The entries of a · b that are new.
  matrix fresh(const matrix& a, const matrix& b) const {
    if (!dense_) return join(a, b, entries_, GrB_DESC_RSC);
    const matrix all = join(a, b);
    matrix out(GrB_BOOL, all.rows(), all.columns());
    GrB_Matrix_assign(out, entries_, nullptr, all, GrB_ALL, all.rows(), GrB_ALL, all.columns(),
                      GrB_DESC_RSC);
    return out;
  }
  void add(const matrix& entries) {
    if (dense_)
      GrB_Matrix_assign_BOOL(entries_, entries, nullptr, true, GrB_ALL, entries.rows(), GrB_ALL,
                             entries.columns(), GrB_DESC_S);
    else
      GrB_Matrix_eWiseAdd_BinaryOp(entries_, nullptr, nullptr, GxB_PAIR_BOOL, entries_, entries,
                                   nullptr);
  }
  const matrix& entries() const { return entries_; }
  matrix take() { return std::move(entries_); }

 private:
  matrix entries_;
  bool dense_;
};

/// Results: relations and tensors by name.
using results = std::map<std::string, matrix>;

/// The facts of a program of graphs/: one relation or tensor over one domain.
struct graph {
  matrix edges;

  graph(const std::filesystem::path& program, const char* name, bool valued) {
    const fact_table facts = read(program, name, 2, valued);
    const auto &from = facts.columns[0], &to = facts.columns[1];
    const GrB_Index size = std::max(extent(from), extent(to));
    edges = valued ? tensor(from, to, facts.values, size) : relation(from, to, size, size);
  }
};

struct closure : graph {
  explicit closure(const std::filesystem::path& program) : graph(program, "edge", false) {}

  void solve(results& out) const {
    growing reached(edges);
    matrix changed = edges.copy();
    while (changed.size() != 0) {
      changed = reached.dense() ? reached.fresh(edges, changed) : reached.fresh(changed, edges);
      reached.add(changed);
    }
    out["tc"] = reached.take();
  }
};

struct generation : graph {
  explicit generation(const std::filesystem::path& program) : graph(program, "par", false) {}

  void solve(results& out) const {
    const matrix children = edges.transposed();
    matrix changed = join(edges, children);
    GrB_Matrix_select_INT64(changed, nullptr, nullptr, GrB_OFFDIAG, changed, 0, nullptr);
    growing same(changed);
    while (changed.size() != 0) {
      changed = same.fresh(join(edges, changed), children);
      same.add(changed);
    }
    out["sg"] = same.take();
  }
};

struct all_paths : graph {
  explicit all_paths(const std::filesystem::path& program) : graph(program, "edge", true) {}

  void solve(results& out) const {
    const GrB_Index n = edges.rows();
    matrix distance = edges.copy(), changed = edges.copy();
    while (changed.size() != 0) {
      matrix found(GrB_UINT32, n, n), worse(GrB_BOOL, n, n), better(GrB_UINT32, n, n);
      GrB_mxm(found, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_UINT32, changed, edges, nullptr);
      GrB_Matrix_eWiseMult_BinaryOp(worse, nullptr, nullptr, GrB_GE_UINT32, found, distance,
                                    nullptr);
      GrB_Matrix_assign(better, worse, nullptr, found, GrB_ALL, n, GrB_ALL, n, GrB_DESC_RC);
      GrB_Matrix_eWiseAdd_BinaryOp(distance, nullptr, nullptr, GrB_MIN_UINT32, distance, better,
                                   nullptr);
      changed = std::move(better);
    }
    out["d"] = std::move(distance);
  }
};

// As above, with a vector.
struct paths_from_one : graph {
  GrB_Index source;

  explicit paths_from_one(const std::filesystem::path& program)
      : graph(program, "edge", true), source(read(program, "source", 1, false).columns[0][0]) {}

  void solve(results& out) const {
    const GrB_Index n = edges.rows();
    GrB_Vector distance = nullptr, changed = nullptr, found = nullptr, worse = nullptr;
    GrB_Vector_new(&distance, GrB_UINT32, n);
    GrB_Vector_new(&changed, GrB_UINT32, n);
    GrB_Vector_new(&found, GrB_UINT32, n);
    GrB_Vector_new(&worse, GrB_BOOL, n);
    GrB_Vector_setElement_UINT32(distance, 0, source);
    GrB_Vector_setElement_UINT32(changed, 0, source);
    for (GrB_Index left = 1; left != 0; GrB_Vector_nvals(&left, changed)) {
      GrB_vxm(found, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_UINT32, changed, edges, nullptr);
      GrB_Vector_eWiseMult_BinaryOp(worse, nullptr, nullptr, GrB_GE_UINT32, found, distance,
                                    nullptr);
      GrB_Vector_assign(changed, worse, nullptr, found, GrB_ALL, n, GrB_DESC_RC);
      GrB_Vector_eWiseAdd_BinaryOp(distance, nullptr, nullptr, GrB_MIN_UINT32, distance, changed,
                                   nullptr);
    }
    matrix column(GrB_UINT32, n, 1);
    GrB_Col_assign(column, nullptr, nullptr, distance, GrB_ALL, n, 0, nullptr);
    column.size();
    out["d"] = std::move(column);
    for (GrB_Vector* each : {&distance, &changed, &found, &worse}) GrB_Vector_free(each);
  }
};

// Stores and loads are numbered; a store and a load match if they are of one field.
struct points_to {
  matrix allocated, assigned, stored, stored_base, loaded_base, loaded, matching;

  explicit points_to(const std::filesystem::path& program) {
    const auto columns = [&](const char* name, std::uint32_t rank) {
      return read(program, name, rank, false).columns;
    };
    const auto alloc = columns("AssignAlloc", 2), assign = columns("PrimitiveAssign", 2);
    const auto load = columns("Load", 3), store = columns("Store", 3);
    GrB_Index n = 0;
    for (const auto* column :
         {&alloc[0], &assign[0], &assign[1], &load[0], &load[1], &store[0], &store[1]})
      n = std::max(n, extent(*column));
    std::vector<GrB_Index> loads(load[0].size()), stores(store[0].size()), left, right;
    for (GrB_Index s = 0; s < stores.size(); ++s) {
      stores[s] = s;
      for (GrB_Index l = 0; l < loads.size(); ++l) {
        loads[l] = l;
        if (store[2][s] == load[2][l]) left.push_back(s), right.push_back(l);
      }
    }
    allocated = relation(alloc[0], alloc[1], n, extent(alloc[1]));
    assigned = relation(assign[0], assign[1], n, n);
    stored = relation(store[0], stores, n, stores.size());
    stored_base = relation(stores, store[1], stores.size(), n);
    loaded_base = relation(load[0], loads, n, loads.size());
    loaded = relation(loads, load[1], loads.size(), n);
    matching = relation(left, right, stores.size(), loads.size());
  }

  void solve(results& out) const {
    growing assign(assigned, false), points(allocated, false);
    for (;;) {
      const matrix sources = assign.entries().transposed();
      matrix changed = points.entries().copy();
      while (changed.size() != 0) {
        changed = points.fresh(sources, changed);
        points.add(changed);
      }
      matrix alias = join(points.entries(), points.entries().transposed());
      const matrix pairs = join(join(stored_base, alias), loaded_base, matching, GrB_DESC_S);
      const matrix more = assign.fresh(stored, join(pairs, loaded));
      out["Alias"] = std::move(alias);
      if (more.size() == 0) break;
      assign.add(more);
    }
    out["Assign"] = assign.take();
    out["VarPointsTo"] = points.take();
    out["Alias"].size();
  }
};

/// A family of programs as a problem for `serve`.
template <class Family>
class problem {
 public:
  explicit problem(const std::filesystem::path& program) : family_(program) {}

  void clear() {
    results_.clear();
    lists_.clear();
  }
  std::string solve() {
    family_.solve(results_);
    return {};
  }
  std::string list() {
    for (const auto& [name, m] : results_) {
      GrB_Index size = m.size();
      triples& list = lists_[name];
      list.rows.resize(size);
      list.columns.resize(size);
      if (!has_values(m)) {
        GrB_Matrix_extractTuples_BOOL(list.rows.data(), list.columns.data(), nullptr, &size, m);
        continue;
      }
      list.values.resize(size);
      GrB_Matrix_extractTuples_UINT32(list.rows.data(), list.columns.data(), list.values.data(),
                                      &size, m);
    }
    return {};
  }
  std::size_t size() const {
    std::size_t facts = 0;
    for (const auto& [name, m] : results_) facts += m.size();
    return facts;
  }
  std::vector<fact_list> facts() const {
    std::vector<fact_list> out;
    for (const auto& [name, list] : lists_) {
      out.push_back(
          {name, {{list.rows.begin(), list.rows.end()}}, {list.values.begin(), list.values.end()}});
      if (results_.at(name).columns() > 1)
        out.back().columns.emplace_back(list.columns.begin(), list.columns.end());
    }
    return out;
  }

 private:
  struct triples {
    std::vector<GrB_Index> rows, columns;
    std::vector<std::uint32_t> values;
  };
  static bool has_values(const matrix& m) {
    GrB_Type type = nullptr;
    GxB_Matrix_type(&type, m);
    return type == GrB_UINT32;
  }

  Family family_;
  results results_;
  std::map<std::string, triples> lists_;
};

template <class Family>
int run(const std::filesystem::path& program, const char* answers) {
  problem<Family> asked(program);
  return logic_benchmark::serve(asked, answers);
}

/// A family of programs, and its worker.
struct family {
  std::string_view name;
  int (*run)(const std::filesystem::path&, const char*);
};

constexpr family families[] = {{"tc", run<closure>},
                               {"sg", run<generation>},
                               {"apsp", run<all_paths>},
                               {"sssp", run<paths_from_one>},
                               {"points_to", run<points_to>}};

}  // namespace

int main(int count, char** words) {
  int code = 2;
  GrB_init(GrB_NONBLOCKING);
  GxB_Global_Option_set(static_cast<GxB_Option_Field>(GxB_NTHREADS), 1);
  for (const family& f : families)
    if (count == 4 && f.name == words[1]) code = f.run(words[2], words[3]);
  GrB_finalize();
  return code;
}
