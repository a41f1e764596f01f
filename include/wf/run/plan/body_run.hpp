// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include <wf/cost/body_price.hpp>
#include <wf/ir/form/body.hpp>
#include <wf/run/operators/convergence.hpp>
#include <wf/run/plan/placed_executable.hpp>

// Runs of a node's body on its own results, until they do not change.
namespace wf {

namespace detail {

// The prepared body of a node. It runs in the node's scratch storage: first a second place for
// what is carried, then the body's workspace.
template <class Real>
class body_run {
 public:
  body_run(placed_executable<Real>&& body, double tolerance, std::int64_t most_rounds)
      : body_(static_cast<placed_executable<Real>&&>(body)),
        tolerance_(tolerance),
        most_rounds_(most_rounds) {
    const graph_view g = body_.view();
    for (const output& o : g.outputs) carried_ += g[o.source].type.shape.elements();
  }

  // Elements of scratch storage that a run needs.
  std::int64_t scratch() const { return carried_ + static_cast<std::int64_t>(body_.elements()); }

  // Computes the results of the node. Returns the reason of a failure, empty on success.
  text run(const compute::application<Real>& a, const std::stop_token& stop) const {
    lease borrowed(*this);
    state& s = borrowed.own;
    s.lay(a, body_);
    std::int64_t round = 0;
    bool converged = false;
    for (; round < most_rounds_ && !converged; ++round) {
      std::vector<basic_output_matrix<Real>>& now = s.outputs[round % 2];
      const error e = body_.run(s.inputs, now, s.workspace, s.values, nullptr, stop);
      if (e.code != errc::none)
        return text() << "in round " << round + 1 << ", " << e.subject.view() << ": "
                      << e.message.view();
      converged = true;
      basic_input_matrix<Real>* const old = s.inputs.data() + (s.inputs.size() - now.size());
      for (std::size_t k = 0; k < now.size(); ++k) {
        const compute::matrix_ref<Real>& m = now[k].where();
        converged = converged && compute::are_close(old[k].where(), m, tolerance_);
        old[k] = {m.elements, m.rows, m.columns, m.stride};
      }
    }
    const std::size_t carried = s.outputs[0].size();
    for (std::size_t k = 0; k < carried && round % 2 == 0; ++k)
      compute::copy(s.outputs[0][k].where(), s.inputs[s.inputs.size() - carried + k].where());
    const auto last = static_cast<std::uint32_t>(carried);
    *a.out(last).elements = static_cast<Real>(static_cast<magnitude>(round));
    *a.out(last + 1).elements = static_cast<Real>(static_cast<magnitude>(converged ? 1 : 0));
    return {};
  }

 private:
  using magnitude = compute::magnitude_of<Real>;

  // What a run reads and writes. Results of rounds lie in turns in the results of the node and in
  // its scratch storage.
  struct state {
    std::vector<basic_input_matrix<Real>> inputs;
    std::vector<basic_output_matrix<Real>> outputs[2];
    std::vector<compute::tensor_ref<Real>> values;
    Real* workspace = nullptr;

    void lay(const compute::application<Real>& a, const placed_executable<Real>& body) {
      inputs.clear(), outputs[0].clear(), outputs[1].clear();
      for (std::uint32_t k = 0; k < a.operands(); ++k) {
        const compute::matrix_view<Real> m = columns_of_tensor(a.in(k));
        inputs.push_back({m.elements, m.rows, m.columns, m.stride});
      }
      Real* const before = workspace;
      workspace = a.scratch();
      for (std::uint32_t k = 0; k + 2 < a.results(); ++k) {
        const compute::matrix_view<Real> m = columns_of_tensor(a.out(k).view());
        outputs[0].push_back({a.out(k).elements, m.rows, m.columns, m.stride});
        outputs[1].push_back({workspace, m.rows, m.columns, m.rows});
        workspace += m.rows * m.columns;
      }
      if (values.empty() || workspace != before) values = body.values_in(workspace);
    }
    // As a matrix of the caller: all but matrices as a column.
    static compute::matrix_view<Real> columns_of_tensor(const compute::tensor_view<Real>& t) {
      if (t.shape.rank == 2) return compute::matrix(t);
      return compute::columns_at(t.elements, t.size(), Eigen::Index{1});
    }
  };
  // A state for exclusive use.
  struct lease {
    explicit lease(const body_run& b) : owner(b) {
      const std::lock_guard lock(owner.mutex_);
      if (owner.idle_.empty()) return;
      own = std::move(owner.idle_.back());
      owner.idle_.pop_back();
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() {
      const std::lock_guard lock(owner.mutex_);
      owner.idle_.push_back(std::move(own));
    }
    const body_run& owner;
    state own;
  };

  placed_executable<Real> body_;
  double tolerance_;
  std::int64_t most_rounds_;
  std::int64_t carried_ = 0;  // elements
  mutable std::mutex mutex_;
  mutable std::vector<state> idle_;
};

template <class Real>
result<std::shared_ptr<const node_program<Real>>> make_body_run(const graph_view& g, node_id id,
                                                                const registry& kernels,
                                                                const storage_request& request) {
  const node& n = g[id];
  const text label = g.label(id);
  auto body = body_of(g, id);
  if (!body) return body.error();
  const auto most = runs_of_body(g, id, *kernels.find(g.op_name(n)));
  if (!most) return most.error();
  storage_request own = request;
  own.concurrent = false;
  auto placed = placed_executable<Real>::make(static_cast<graph&&>(*body), kernels, own);
  if (!placed) return in_body_of(label.view(), placed.error());
  const auto runs = std::make_shared<const body_run<Real>>(
      static_cast<placed_executable<Real>&&>(*placed), g.real_attribute(n, "tolerance", 0), *most);
  node_program<Real> made;
  made.scratch = runs->scratch();
  made.run = [runs](const compute::application<Real>& a, const std::stop_token& stop) {
    return runs->run(a, stop);
  };
  return std::make_shared<const node_program<Real>>(static_cast<node_program<Real>&&>(made));
}

}  // namespace detail

}  // namespace wf
