// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/yaml/reader.hpp>
#include <wf/cost/metric.hpp>
#include <wf/registry/registry.hpp>

namespace wf::detail {

inline constexpr text_view kernel_keys[] = {
    "name",     "domain",         "signature", "summary", "costs",     "view",
    "in_place", "laws",           "effects",   "fusion",  "overrides", "rules_of",
    "cuts",     "moves_elements", "meaning",   "adjoint", "definition"};
struct law_key {
  text_view name;
  bool law_set::* flag;
};
inline constexpr law_key law_keys[] = {
    {"commutative", &law_set::commutative},  {"associative", &law_set::associative},
    {"idempotent", &law_set::idempotent},    {"selective", &law_set::selective},
    {"involution", &law_set::involution},    {"linear", &law_set::linear},
    {"elementwise", &law_set::elementwise},  {"monotone", &law_set::monotone},
    {"never_rounds", &law_set::never_rounds}};

/// Reads the kernels of a document into a registry, with the checks of `registry::add`.
class yaml_kernels {
 public:
  /// Reads from `in` into `kernels`, in the metrics that its kernels and wf have prices in.
  yaml_kernels(yaml_reader& in, registry& kernels) : in_(in), kernels_(kernels) {
    for (const metric_spec& m :
         {flops_::spec, macs_::spec, operations_::spec, bytes_read_::spec, bytes_written_::spec,
          bytes_::spec, memory_::spec, peak_memory_::spec, qubits_::spec, execution_time_::spec})
      metrics_.push_back(m.name);
    for (const kernel_spec* k : kernels_.kernels())
      for (const cost_formula& c : costs_of(*k)) know_metric(priced_metric::of(c.metric).metric);
  }

  // Reads the document's own metrics, if it has any.
  bool read_metrics(const YAML::Node* list) {
    return in_.read_each(list, "metrics", [&](const YAML::Node& node) {
      text_view metric;
      if (!in_.read_text(node, "a metric", metric)) return false;
      if (!is_valid_name(metric)) return in_.fail(node, "a metric is a name");
      know_metric(metric);
      return true;
    });
  }

  // Reads a kernel that has these keys and, unless it states one, this domain.
  bool read(const YAML::Node& node, view<text_view> keys, text_view domain, kernel_spec& k) {
    yaml_fields f;
    k.domain = domain;
    if (!in_.read_fields(node, "a kernel", keys, f) || !in_.require(node, f, "a kernel", "name") ||
        !in_.read_text(f, "name", k.name) || !in_.read_text(f, "domain", k.domain) ||
        !in_.read_text(f, "signature", k.signature) || !in_.read_text(f, "summary", k.summary) ||
        !in_.read_text(f, "cuts", k.cuts) || !in_.read_text(f, "adjoint", k.adjoint) ||
        !in_.read_text(f, "definition", k.definition) || !in_.read_flag(f, "view", k.is_view) ||
        !in_.read_flag(f, "in_place", k.in_place) || !in_.read_flag(f, "overrides", k.overrides) ||
        !in_.read_flag(f, "moves_elements", k.moves_elements))
      return false;
    if (!k.overrides && !in_.require(node, f, "a kernel that overrides nothing", "signature"))
      return false;
    if (!read_costs(f.find("costs"), k) || !read_laws(f.find("laws"), k.laws) ||
        !read_effects(f.find("effects"), k.effects) || !read_fusion(f.find("fusion"), k.fusion) ||
        !read_meaning(f.find("meaning"), k.meaning) || !read_rules(f.find("rules_of"), k))
      return false;
    if (const registry_fault fault = find_fault(k, kernels_))
      return in_.fail("kernel", fault, *f.find("name"));
    if (const auto added = kernels_.add(k); !added)
      return in_.fail("kernel", {added.error(), {}}, *f.find("name"));
    return true;
  }

 private:
  void know_metric(text_view metric) {
    for (text_view known : metrics_)
      if (known == metric) return;
    metrics_.push_back(metric);
  }

  bool read_costs(const YAML::Node* node, kernel_spec& k) {
    if (node == nullptr) return true;
    yaml_fields f;
    if (!in_.read_fields(*node, "costs", {}, f)) return false;
    for (std::size_t i = 0; i < f.keys.size(); ++i) {
      const text_view metric = text_of(f.keys[i]);
      bool known = false;
      for (text_view one : metrics_) known = known || one == priced_metric::of(metric).metric;
      if (!known) {
        text message = unknown_name_message("metric", metric, metrics_);
        return in_.fail(f.keys[i],
                        (message << "; the file's own stand in its list `metrics`").view());
      }
      if (i == max_kernel_costs)
        return in_.fail(f.keys[i],
                        (text() << "a kernel has at most " << max_kernel_costs << " costs").view());
      text_view formula;
      if (!in_.read_text(f.values[i], "a cost", formula)) return false;
      k.costs[i] = kernel_cost::of({in_.keep(metric), formula});
    }
    return true;
  }

  bool read_laws(const YAML::Node* node, law_set& laws) {
    if (node == nullptr) return true;
    table<text_view> known;
    for (const law_key& law : law_keys) known.push_back(law.name);
    known.push_back("distributes_over");
    known.push_back("inverse");
    known.push_back("neutral");
    yaml_fields f;
    if (!in_.read_fields(*node, "laws", known, f)) return false;
    for (const law_key& law : law_keys)
      if (!in_.read_flag(f, law.name, laws.*law.flag)) return false;
    if (!in_.read_text(f, "inverse", laws.inverse) || !in_.read_number(f, "neutral", laws.neutral))
      return false;
    const YAML::Node* over = f.find("distributes_over");
    text names;
    if (!in_.read_each(over, "distributes_over", [&](const YAML::Node& one) {
          if (!one.IsScalar() || !is_valid_name(text_of(one)))
            return in_.fail(one, "distributes_over is a list of operators' names");
          names << (names.empty() ? "" : " ") << text_of(one);
          return true;
        }))
      return false;
    if (over != nullptr) laws.distributes_over = in_.keep(names.view());
    return true;
  }

  bool read_effects(const YAML::Node* node, effect& out) {
    constexpr effect all[] = {effect::pure, effect::stateful, effect::external};
    return in_.read_one_of<effect>(node, all, "effect", "effects is pure, stateful or external",
                                   out);
  }
  bool read_fusion(const YAML::Node* node, fusion_role& out) {
    constexpr fusion_role all[] = {fusion_role::reduction, fusion_role::contraction};
    return in_.read_one_of<fusion_role>(node, all, "fusion", "fusion is reduction or contraction",
                                        out);
  }
  bool read_meaning(const YAML::Node* node, meaning& out) {
    table<meaning> all;
    for (std::size_t i = 1; i < meaning_count; ++i) all.push_back(static_cast<meaning>(i));
    return in_.read_one_of<meaning>(node, all, "meaning", "meaning is one word", out);
  }

  // Copies the C++ rules of a registered kernel.
  bool read_rules(const YAML::Node* node, kernel_spec& k) {
    if (node == nullptr) return true;
    const kernel_spec* from = nullptr;
    if (!node->IsScalar()) return in_.fail(*node, "rules_of is the name of a kernel");
    from = kernels_.find(text_of(*node));
    if (from == nullptr)
      return in_.fail(*node, errc::unknown_operator,
                      unknown_kernel_message(kernels_, text_of(*node)).view());
    k.result_shape = from->result_shape;
    k.result_dtype = from->result_dtype;
    k.result_properties = from->result_properties;
    k.reading = from->reading;
    k.constant = from->constant;
    k.element = from->element;
    k.elements = from->elements;
    return true;
  }

  yaml_reader& in_;
  registry& kernels_;
  table<text_view> metrics_;
};

}  // namespace wf::detail
