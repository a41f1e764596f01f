// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/deployment.hpp>
#include <wf/partition/machine/flow.hpp>
#include <wf/partition/machine/lists.hpp>

namespace wf {

/// What every machine knows of a deployment before it runs: the programs of each class, and which
/// machines are of it. It does not change while they run, and is the same in all processes.
class machine_plan {
 public:
  constexpr machine_plan() = default;
  /// Of a deployment, whose class each machine has by `roles`; it must outlive the plan. An input
  /// of machines has those of the class with its name. O(size of the programs).
  constexpr machine_plan(const deployment& d, const registry& kernels, view<text> roles)
      : deployment_(&d), programs_of_(roles.size()) {
    const partitioned_program& p = d.parts();
    for (std::uint32_t i = 0; i < p.partitions.size(); ++i) {
      const partition& part = p.partitions[i];
      flows_.push_back(
          detail::program_flow(part.workflow.view(), kernels, part.role.view() == host_class));
      numbers_.push_back(detail::place_in_class(p, i));
    }
    for (std::uint32_t m = 0; m < roles.size(); ++m) {
      roles_.push_back(roles[m]);
      for (std::uint32_t i = 0; i < p.partitions.size(); ++i)
        if (p.partitions[i].role == roles[m]) programs_of_[m].push_back(i);
    }
    for (const text& input : machine_inputs(p)) lists_.push_back({input, members_of(input.view())});
  }

  /// States the machines of an input; without it they are those of the class with its name.
  constexpr void set_list(text_view input, table<std::uint32_t> list) {
    for (named_list& l : lists_)
      if (l.name.view() == input) l.members = list;
  }
  /// The deployment.
  constexpr const deployment& of() const { return *deployment_; }
  /// The programs and their edges.
  constexpr const partitioned_program& parts() const { return deployment_->parts(); }
  /// Number of machines.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(roles_.size()); }
  /// The class of a machine.
  constexpr text_view role_of(std::uint32_t machine) const { return roles_[machine].view(); }
  /// The programs of a machine's class, by their indices.
  constexpr const table<std::uint32_t>& programs_of(std::uint32_t machine) const {
    return programs_of_[machine];
  }
  /// The flows of all programs, by their indices.
  constexpr const table<detail::program_flow>& flows() const { return flows_; }
  /// The place of a program among those of its class.
  constexpr std::uint32_t place_of(std::uint32_t program) const { return numbers_[program]; }
  /// The machines of a class. O(machines).
  constexpr table<std::uint32_t> members_of(text_view role) const {
    table<std::uint32_t> out;
    for (std::uint32_t m = 0; m < roles_.size(); ++m)
      if (roles_[m].view() == role) out.push_back(m);
    return out;
  }
  /// The machines of an input that a program has. O(such inputs).
  constexpr const table<std::uint32_t>& list_of(text_view input) const {
    std::size_t i = 0;
    while (lists_[i].name.view() != input) ++i;
    return lists_[i].members;
  }
  /// The `start_values` of the programs.
  constexpr table<table<char>> starts() const {
    return detail::start_values(
        parts(), flows_, [&](text_view r) { return members_of(r).size(); },
        [&](text_view input) { return list_of(input).size(); });
  }

 private:
  struct named_list {
    text name;
    table<std::uint32_t> members;
  };

  const deployment* deployment_ = nullptr;
  table<text> roles_;                        // by machine
  table<table<std::uint32_t>> programs_of_;  // by machine
  table<detail::program_flow> flows_;        // by program
  table<std::uint32_t> numbers_;             // by program
  table<named_list> lists_;
};

}  // namespace wf
