// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <wf/choice/builtin.hpp>
#include <wf/choice/transform/registry.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/rewrite/call_patterns.hpp>

namespace wf {

/// The contents of a kernel file and the texts that its kernels and transforms view: it must
/// outlive the registries into which it was loaded. Moving it does not move the texts.
class kernel_file {
 public:
  kernel_file() = default;
  kernel_file(kernel_file&&) = default;
  kernel_file& operator=(kernel_file&&) = default;

  /// The kernels as stated in the file, in its order.
  view<kernel_spec> kernels() const { return kernels_; }
  /// The transforms, in the order of the file.
  view<transform> transforms() const { return transforms_; }
  /// The call patterns for `map_calls`, in the order of the file.
  view<call_pattern> calls() const { return calls_; }
  /// Caches of the machine whose times the file states; defaults where it states none.
  const host_caches& caches() const { return caches_; }

 private:
  friend class kernel_file_reader;

  table<text> texts_;
  table<kernel_spec> kernels_;
  table<transform> transforms_;
  table<call_pattern> calls_;
  host_caches caches_;
};

/// Maximum length of a kernel file, in characters.
inline constexpr std::size_t max_kernel_file_size = 1 << 22;

namespace detail {

/// Maps scalars to their positions in a YAML text.
class yaml_text {
 public:
  explicit yaml_text(text_view source)
      : source_(source), body_(source.starts_with("\xef\xbb\xbf") ? 3 : 0) {}

  /// The text without a byte order mark, as passed to yaml-cpp.
  text_view body() const { return source_.part(body_); }
  /// Offset of the first character that is illegal in UTF-8 YAML, or the size.
  std::size_t first_illegal() const {
    std::size_t at = body_;
    for (; at < source_.size(); ++at) {
      const auto c = static_cast<unsigned char>(source_[at]);
      if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f || c >= 0xf8) break;
    }
    return at;
  }
  /// Line and column of an offset in the whole text.
  position at(std::size_t offset) const {
    return position_at(source_, offset < source_.size() ? offset : source_.size());
  }
  /// The offset of a mark of yaml-cpp.
  std::size_t offset_of(const YAML::Mark& mark) const {
    return body_ + (mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos));
  }
  /// Offset of character `wanted` of the scalar that begins at `start`: exact while the text equals
  /// the value, through quotes and folded lines; otherwise the beginning of the scalar.
  std::size_t inside(std::size_t start, text_view value, std::size_t wanted) const {
    std::size_t raw = start;
    if (raw < source_.size() && (source_[raw] == '"' || source_[raw] == '\'')) ++raw;
    if (raw < source_.size() && (source_[raw] == '|' || source_[raw] == '>'))
      raw = skip_spaces(source_.find('\n', raw));
    for (std::size_t i = 0; i < wanted;) {
      if (raw >= source_.size()) return start;
      const std::size_t end = skip_spaces(raw);
      if (is_space(value[i]) && end != raw && source_.find('\n', raw) < end) {
        raw = end;  // folded
        while (i < wanted && is_space(value[i])) ++i;
      } else if (source_[raw] == value[i]) {
        ++raw, ++i;
      } else {
        return start;
      }
    }
    return raw;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  std::size_t skip_spaces(std::size_t at) const {
    while (at < source_.size() && is_space(source_[at])) ++at;
    return at;
  }

  text_view source_;
  std::size_t body_;
};

// Records where the last document of a YAML text begins.
class yaml_document_marks : public YAML::EventHandler {
 public:
  YAML::Mark last;

  void OnDocumentStart(const YAML::Mark& mark) override { last = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

inline text_view text_of(const YAML::Node& scalar) { return scalar.Scalar(); }

// Keys and values of a mapping.
struct yaml_fields {
  std::vector<YAML::Node> keys, values;

  const YAML::Node* find(text_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (text_of(keys[i]) == key) return &values[i];
    return nullptr;
  }
};

inline constexpr text_view kernel_file_keys[] = {
    "wf_kernels", "domain", "metrics", "second_cache", "kernels", "transforms", "calls"};
inline constexpr text_view times_file_keys[] = {"wf_kernels", "metrics", "second_cache", "kernels"};
inline constexpr text_view times_keys[] = {"name", "costs", "overrides"};
inline constexpr text_view call_keys[] = {"call", "op", "operands", "attributes", "without"};
inline constexpr text_view kernel_keys[] = {
    "name",    "domain", "signature", "summary",  "costs", "view",           "in_place", "laws",
    "effects", "fusion", "overrides", "rules_of", "cuts",  "moves_elements", "meaning"};
inline constexpr text_view transform_keys[] = {"name",  "domain",  "use",      "on",
                                               "guard", "summary", "overrides"};
struct law_key {
  text_view name;
  bool law_set::* flag;
};
inline constexpr law_key law_keys[] = {
    {"commutative", &law_set::commutative}, {"associative", &law_set::associative},
    {"idempotent", &law_set::idempotent},   {"involution", &law_set::involution},
    {"linear", &law_set::linear},           {"elementwise", &law_set::elementwise},
    {"monotone", &law_set::monotone},       {"never_rounds", &law_set::never_rounds}};

}  // namespace detail

/// Reads one kernel file into copies of registries, for `load_kernels`.
class kernel_file_reader {
 public:
  /// Reads `source`, called `name` in messages, for kernels and transforms that are added to the
  /// given ones; `transforms` may be null.
  kernel_file_reader(text_view source, text_view name, const registry& kernels,
                     const transform_registry* transforms, view<transform> available)
      : text_(source),
        name_(name),
        size_(source.size()),
        kernels_(kernels),
        with_transforms_(transforms != nullptr),
        available_(available) {
    if (with_transforms_) transforms_ = *transforms;
  }

  /// Reads everything, or nothing. Errors: the first fault, as `load_kernel_file` states;
  /// `bad_registry_file` for invalid YAML, since yaml-cpp's exceptions are caught here.
  result<kernel_file> run() {
    try {
      if (!read()) return error_;
    } catch (const YAML::Exception& e) {
      const std::size_t at = e.mark.is_null() ? 0 : text_.offset_of(e.mark);
      return make_error(errc::bad_registry_file, name_, (text() << "no YAML: " << e.msg).view(),
                        text_.at(at));
    }
    return static_cast<kernel_file&&>(file_);
  }
  /// Reads a table of times that must cover all given kernels: see `load_times`. Errors: those of
  /// `run`, and `bad_registry_file` for a kernel with two times, without one or with other costs,
  /// and for missing kernels, with their names.
  result<kernel_file> run_times(view<kernel_spec> all) {
    file_keys_ = detail::times_file_keys;
    kernel_keys_ = detail::times_keys;
    auto read = run();
    if (!read) return read;
    for (std::size_t i = 0; i < read->kernels_.size(); ++i) {
      const kernel_spec& k = read->kernels_[i];
      const table<cost_formula> costs = costs_of(k);
      for (std::size_t j = 0; j < i; ++j)
        if (read->kernels_[j].name == k.name) return bad_time(k, "has two times");
      if (costs.size() != 1 || !(costs[0].metric == execution_time_::spec.name))
        return bad_time(k, "states no execution_time, or more than that");
    }
    text missing;
    for (const kernel_spec& k : all) {
      bool stated = false;
      for (const kernel_spec& own : read->kernels_) stated = stated || own.name == k.name;
      if (!stated) missing << (missing.empty() ? "" : ", ") << k.name;
    }
    if (missing.empty()) return read;
    return make_error(
        errc::bad_registry_file, name_,
        (text() << "the table has no time of " << missing.view() << ": wf-calibrate measures all")
            .view(),
        text_.at(0));
  }
  /// The registry with the kernels of the file; only after success.
  registry&& kernels() { return static_cast<registry&&>(kernels_); }
  /// The transforms with those of the file; only after success.
  transform_registry&& transforms() { return static_cast<transform_registry&&>(transforms_); }

 private:
  using fields = detail::yaml_fields;

  // A text of the file, with its offset.
  struct origin {
    text_view value;
    std::size_t start = 0;
  };

  bool fail_at(errc code, text_view message, std::size_t offset) {
    error_ = make_error(code, name_, message, text_.at(offset));
    return false;
  }
  bool fail(const YAML::Node& at, text_view message) {
    return fail_at(errc::bad_registry_file, message, text_.offset_of(at.Mark()));
  }

  // Reports a fault from the registry's own checks at its place in the file.
  bool fail(text_view kind, const registry_fault& f, const YAML::Node& otherwise) {
    std::size_t at = text_.offset_of(otherwise.Mark());
    for (const origin& o : origins_)
      if (!f.source.empty() && o.value.data() == f.source.data())
        at = text_.inside(o.start, o.value, f.failure.where.offset);
    return fail_at(
        f.failure.code,
        (text() << kind << " '" << f.failure.subject.view() << "': " << f.failure.message.view())
            .view(),
        at);
  }

  text_view keep(text_view characters) {
    file_.texts_.push_back(text(characters));
    return file_.texts_.back().view();
  }
  error bad_time(const kernel_spec& k, text_view what) const {
    std::size_t at = 0;
    for (const origin& o : origins_)
      if (o.value.data() == k.name.data()) at = o.start;
    return make_error(errc::bad_registry_file, name_,
                      (text() << "kernel '" << k.name << "' " << what).view(), text_.at(at));
  }
  // Reads a nonempty scalar.
  bool read_text(const YAML::Node& node, text_view what, text_view& out) {
    if (!node.IsScalar() || node.Scalar().empty())
      return fail(node, (text() << what << " is a text").view());
    out = keep(node.Scalar());
    origins_.push_back({out, text_.offset_of(node.Mark())});
    return true;
  }
  bool read_text(const fields& f, text_view key, text_view& out) {
    const YAML::Node* node = f.find(key);
    return node == nullptr || read_text(*node, key, out);
  }
  bool read_flag(const fields& f, text_view key, bool& out) {
    const YAML::Node* node = f.find(key);
    if (node == nullptr) return true;
    if (!node->IsScalar() || (node->Scalar() != "true" && node->Scalar() != "false"))
      return fail(*node, (text() << key << " is true or false").view());
    out = node->Scalar() == "true";
    return true;
  }

  // Reads a mapping with unique keys, all of which are known (any keys if `known` is empty).
  bool read_fields(const YAML::Node& node, text_view what, view<text_view> known, fields& out) {
    if (!node.IsMap()) return fail(node, (text() << what << " is a mapping").view());
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) return fail(entry.first, "a key is a text");
      const text_view key = detail::text_of(entry.first);
      if (out.find(key) != nullptr)
        return fail(entry.first, (text() << "the key '" << key << "' is given twice").view());
      bool found = known.empty();
      for (text_view one : known) found = found || one == key;
      if (!found) return fail(entry.first, unknown_name_message("key", key, known).view());
      if (entry.second.IsNull())
        return fail(entry.first, (text() << "the key '" << key << "' has no value").view());
      out.keys.push_back(entry.first);
      out.values.push_back(entry.second);
    }
    return true;
  }
  bool require(const YAML::Node& node, const fields& f, text_view what, text_view key) {
    if (f.find(key) != nullptr) return true;
    return fail(node, (text() << what << " needs the key '" << key << "'").view());
  }
  bool require_list(const YAML::Node& node, text_view what) {
    return node.IsSequence() || fail(node, (text() << what << " is a list").view());
  }

  bool read() {
    if (size_ > max_kernel_file_size)
      return fail_at(errc::bad_registry_file, "the file is too long", 0);
    if (const std::size_t at = text_.first_illegal(); at < size_)
      return fail_at(errc::bad_registry_file, "a character that is no text in UTF-8", at);
    const std::string body(text_.body());
    if (!read_one_document(body)) return false;
    const YAML::Node root = YAML::Load(body);
    fields f;
    if (!read_fields(root, "a file of kernels", file_keys_, f) ||
        !require(root, f, "a file of kernels", "wf_kernels"))
      return false;
    if (const YAML::Node& version = *f.find("wf_kernels");
        !version.IsScalar() || version.Scalar() != "1")
      return fail(version, "wf_kernels is the version of the format, which is 1");
    if (!read_text(f, "domain", domain_) || !read_metrics(f.find("metrics")) ||
        !read_caches(f.find("second_cache")))
      return false;
    if (const YAML::Node* list = f.find("kernels")) {
      if (!require_list(*list, "kernels")) return false;
      for (const YAML::Node& node : *list)
        if (!read_kernel(node)) return false;
    }
    if (const YAML::Node* list = f.find("transforms")) {
      if (!require_list(*list, "transforms")) return false;
      if (!with_transforms_)
        return fail(*list, "transforms need a transform registry to be loaded into");
      for (const YAML::Node& node : *list)
        if (!read_transform(node)) return false;
    }
    if (const YAML::Node* list = f.find("calls")) {
      if (!require_list(*list, "calls")) return false;
      for (const YAML::Node& node : *list)
        if (!read_call(node)) return false;
    }
    return true;
  }

  // Requires exactly one document. (YAML::Load reads only the first document; YAML::LoadAll does
  // not terminate on some malformed texts.)
  bool read_one_document(const std::string& body) {
    std::istringstream stream(body);
    YAML::Parser parser(stream);
    detail::yaml_document_marks marks;
    if (!parser.HandleNextDocument(marks))
      return fail_at(errc::bad_registry_file, "there is no YAML document", 0);
    if (!parser.HandleNextDocument(marks)) return true;
    return fail_at(errc::bad_registry_file, "a file of kernels is one YAML document",
                   text_.offset_of(marks.last));
  }

  // The metrics of costs: those of the file, built-in ones, and those in which some kernel has a
  // price.
  bool read_metrics(const YAML::Node* list) {
    for (const metric_spec& m :
         {flops_::spec, macs_::spec, operations_::spec, bytes_read_::spec, bytes_written_::spec,
          bytes_::spec, memory_::spec, peak_memory_::spec, qubits_::spec, execution_time_::spec})
      metrics_.push_back(m.name);
    for (const kernel_spec* k : kernels_.kernels())
      for (const cost_formula& c : costs_of(*k)) know_metric(priced_metric::of(c.metric).metric);
    if (list == nullptr) return true;
    if (!require_list(*list, "metrics")) return false;
    for (const YAML::Node& node : *list) {
      text_view metric;
      if (!read_text(node, "a metric", metric)) return false;
      if (!is_valid_name(metric)) return fail(node, "a metric is a name");
      know_metric(metric);
    }
    return true;
  }
  bool read_caches(const YAML::Node* node) {
    file_.caches_ = kernels_.caches();
    if (node == nullptr) return true;
    std::int64_t bytes = 0;
    if (!node->IsScalar() || !detail::integer_in(node->Scalar(), bytes) || bytes <= 0)
      return fail(*node, "second_cache is a number of bytes");
    file_.caches_.second = bytes;
    kernels_.set_caches(file_.caches_);
    return true;
  }
  void know_metric(text_view metric) {
    for (text_view known : metrics_)
      if (known == metric) return;
    metrics_.push_back(metric);
  }

  bool read_kernel(const YAML::Node& node) {
    fields f;
    kernel_spec k;
    k.domain = domain_;
    if (!read_fields(node, "a kernel", kernel_keys_, f) || !require(node, f, "a kernel", "name") ||
        !read_text(f, "name", k.name) || !read_text(f, "domain", k.domain) ||
        !read_text(f, "signature", k.signature) || !read_text(f, "summary", k.summary) ||
        !read_text(f, "cuts", k.cuts) || !read_flag(f, "view", k.is_view) ||
        !read_flag(f, "in_place", k.in_place) || !read_flag(f, "overrides", k.overrides) ||
        !read_flag(f, "moves_elements", k.moves_elements))
      return false;
    if (!k.overrides && !require(node, f, "a kernel that overrides nothing", "signature"))
      return false;
    if (!read_costs(f.find("costs"), k) || !read_laws(f.find("laws"), k.laws) ||
        !read_effects(f.find("effects"), k.effects) || !read_fusion(f.find("fusion"), k.fusion) ||
        !read_meaning(f.find("meaning"), k.meaning) || !read_rules(f.find("rules_of"), k))
      return false;
    if (const registry_fault fault = find_fault(k, kernels_))
      return fail("kernel", fault, *f.find("name"));
    if (const auto added = kernels_.add(k); !added)
      return fail("kernel", {added.error(), {}}, *f.find("name"));
    file_.kernels_.push_back(k);
    return true;
  }

  bool read_costs(const YAML::Node* node, kernel_spec& k) {
    if (node == nullptr) return true;
    fields f;
    if (!read_fields(*node, "costs", {}, f)) return false;
    for (std::size_t i = 0; i < f.keys.size(); ++i) {
      const text_view metric = detail::text_of(f.keys[i]);
      bool known = false;
      for (text_view one : metrics_) known = known || one == priced_metric::of(metric).metric;
      if (!known) {
        text message = unknown_name_message("metric", metric, metrics_);
        return fail(f.keys[i], (message << "; the file's own stand in its list `metrics`").view());
      }
      if (i == max_kernel_costs)
        return fail(f.keys[i],
                    (text() << "a kernel has at most " << max_kernel_costs << " costs").view());
      text_view formula;
      if (!read_text(f.values[i], "a cost", formula)) return false;
      k.costs[i] = kernel_cost::of({keep(metric), formula});
    }
    return true;
  }

  bool read_laws(const YAML::Node* node, law_set& laws) {
    if (node == nullptr) return true;
    table<text_view> known;
    for (const detail::law_key& law : detail::law_keys) known.push_back(law.name);
    known.push_back("distributes_over");
    known.push_back("inverse");
    fields f;
    if (!read_fields(*node, "laws", known, f)) return false;
    for (const detail::law_key& law : detail::law_keys)
      if (!read_flag(f, law.name, laws.*law.flag)) return false;
    if (!read_text(f, "inverse", laws.inverse)) return false;
    const YAML::Node* over = f.find("distributes_over");
    if (over == nullptr) return true;
    if (!require_list(*over, "distributes_over")) return false;
    text names;
    for (const YAML::Node& one : *over) {
      if (!one.IsScalar() || !is_valid_name(detail::text_of(one)))
        return fail(one, "distributes_over is a list of operators' names");
      names << (names.empty() ? "" : " ") << detail::text_of(one);
    }
    laws.distributes_over = keep(names.view());
    return true;
  }

  bool read_effects(const YAML::Node* node, effect& out) {
    constexpr effect all[] = {effect::pure, effect::stateful, effect::external};
    return read_one_of<effect>(node, all, "effect", "effects is pure, stateful or external", out);
  }
  bool read_fusion(const YAML::Node* node, fusion_role& out) {
    constexpr fusion_role all[] = {fusion_role::reduction, fusion_role::contraction};
    return read_one_of<fusion_role>(node, all, "fusion", "fusion is reduction or contraction", out);
  }
  bool read_meaning(const YAML::Node* node, meaning& out) {
    table<meaning> all;
    for (std::size_t i = 1; i < meaning_count; ++i) all.push_back(static_cast<meaning>(i));
    return read_one_of<meaning>(node, all, "meaning", "meaning is one word", out);
  }
  // Reads one of the values with names.
  template <class Value>
  bool read_one_of(const YAML::Node* node, view<Value> values, text_view what, text_view otherwise,
                   Value& out) {
    if (node == nullptr) return true;
    table<text_view> known;
    for (const Value v : values) {
      known.push_back(name_of(v));
      if (!node->IsScalar() || detail::text_of(*node) != known.back()) continue;
      out = v;
      return true;
    }
    return fail(*node, node->IsScalar()
                           ? unknown_name_message(what, detail::text_of(*node), known).view()
                           : otherwise);
  }

  // Copies the C++ rules of a registered kernel.
  bool read_rules(const YAML::Node* node, kernel_spec& k) {
    if (node == nullptr) return true;
    const kernel_spec* from = nullptr;
    if (!node->IsScalar()) return fail(*node, "rules_of is the name of a kernel");
    from = kernels_.find(detail::text_of(*node));
    if (from == nullptr)
      return fail_at(errc::unknown_operator,
                     unknown_kernel_message(kernels_, detail::text_of(*node)).view(),
                     text_.offset_of(node->Mark()));
    k.result_shape = from->result_shape;
    k.result_dtype = from->result_dtype;
    k.result_properties = from->result_properties;
    k.reading = from->reading;
    k.constant = from->constant;
    return true;
  }

  bool read_transform(const YAML::Node& node) {
    fields f;
    if (!read_fields(node, "a transform", detail::transform_keys, f) ||
        !require(node, f, "a transform", "name") || !require(node, f, "a transform", "use"))
      return false;
    transform t;
    if (!find_used(*f.find("use"), t)) return false;
    const text_view used_op = t.op, used_guard = t.guard;
    if (!domain_.empty()) t.domain = domain_;
    bool overrides = false;
    text_view guard;
    if (!read_text(f, "name", t.name) || !read_text(f, "domain", t.domain) ||
        !read_text(f, "on", t.op) || !read_text(f, "guard", guard) ||
        !read_text(f, "summary", t.summary) || !read_flag(f, "overrides", overrides))
      return false;
    if (!used_op.empty() && t.op != used_op && kernels_.find(t.op) != nullptr)
      return fail(*f.find("on"),
                  (text() << "the transform that is used looks at " << used_op << " only").view());
    // The guard by itself first, since its faults have places in the file.
    if (!guard.empty()) t.guard = guard;
    if (const registry_fault fault = transforms_.fault_of(t, kernels_, overrides))
      return fail("transform", fault, *f.find("name"));
    if (!guard.empty() && !used_guard.empty())
      t.guard = keep((text() << '(' << used_guard << ") and (" << guard << ')').view());
    if (const auto added = transforms_.add(t, kernels_, overrides); !added)
      return fail("transform", {added.error(), {}}, *f.find("name"));
    file_.transforms_.push_back(t);
    return true;
  }

  bool read_call(const YAML::Node& node) {
    fields f;
    call_pattern p;
    if (!read_fields(node, "a call", detail::call_keys, f) || !require(node, f, "a call", "call") ||
        !require(node, f, "a call", "op") || !read_text(f, "call", p.call) ||
        !read_text(f, "op", p.op) || !read_operands(f.find("operands"), p) || !read_renamed(f, p))
      return false;
    if (const error e = find_fault(p, kernels_); e.code != errc::none)
      return fail_at(e.code, (text() << "call '" << p.call << "': " << e.message.view()).view(),
                     text_.offset_of(f.find(e.code == errc::bad_pattern ? "call" : "op")->Mark()));
    for (const call_pattern& other : file_.calls_)
      if (other.call == p.call)
        return fail_at(errc::bad_pattern, "two patterns are of this call",
                       text_.offset_of(f.find("call")->Mark()));
    file_.calls_.push_back(p);
    return true;
  }
  bool read_operands(const YAML::Node* list, call_pattern& p) {
    if (list == nullptr) return true;
    if (!require_list(*list, "operands")) return false;
    std::size_t count = 0;
    for (const YAML::Node& node : *list) {
      const bool digit = node.IsScalar() && node.Scalar().size() == 1 && node.Scalar()[0] >= '0' &&
                         node.Scalar()[0] < static_cast<char>('0' + max_operands);
      if (!digit || count == max_operands)
        return fail(node, (text() << "operands are at most " << max_operands
                                  << " numbers of operands of the call, from 0 on")
                              .view());
      p.operands[count++] = static_cast<std::int8_t>(node.Scalar()[0] - '0');
    }
    return count != 0 || fail(*list, "without the key operands the operator takes all");
  }
  bool read_renamed(const fields& f, call_pattern& p) {
    std::size_t count = 0;
    const auto add = [&](const YAML::Node& at, text_view from, text_view to) {
      if (count == std::size(p.attributes))
        return fail(at, "a call renames or leaves out four attributes at most");
      p.attributes[count++] = {from, to};
      return true;
    };
    if (const YAML::Node* renamed = f.find("attributes")) {
      fields names;
      if (!read_fields(*renamed, "attributes", {}, names)) return false;
      for (std::size_t i = 0; i < names.keys.size(); ++i) {
        text_view from, to;
        if (!read_text(names.keys[i], "an attribute of the call", from) ||
            !read_text(names.values[i], "an attribute of the operator", to) ||
            !add(names.keys[i], from, to))
          return false;
      }
    }
    if (const YAML::Node* dropped = f.find("without")) {
      if (!require_list(*dropped, "without")) return false;
      for (const YAML::Node& node : *dropped) {
        text_view from;
        if (!read_text(node, "an attribute of the call", from) || !add(node, from, {}))
          return false;
      }
    }
    return true;
  }

  bool find_used(const YAML::Node& node, transform& out) {
    table<text_view> known;
    for (const transform& t : available_) {
      known.push_back(t.name);
      if (!node.IsScalar() || detail::text_of(node) != t.name) continue;
      out = t;
      return true;
    }
    if (!node.IsScalar()) return fail(node, "use is the name of a transform in C++");
    return fail_at(errc::unknown_operator,
                   unknown_name_message("transform", detail::text_of(node), known).view(),
                   text_.offset_of(node.Mark()));
  }

  detail::yaml_text text_;
  text_view name_;
  std::size_t size_;
  view<text_view> file_keys_ = detail::kernel_file_keys;
  view<text_view> kernel_keys_ = detail::kernel_keys;
  registry kernels_;
  bool with_transforms_;
  transform_registry transforms_;
  view<transform> available_;
  text_view domain_;
  table<text_view> metrics_;
  std::vector<origin> origins_;
  kernel_file file_;
  error error_;
};

namespace detail {

inline result<kernel_file> load_into(text_view yaml, text_view name, registry& kernels,
                                     transform_registry* transforms, view<transform> available) {
  kernel_file_reader reader(yaml, name, kernels, transforms, available);
  auto loaded = reader.run();
  if (!loaded) return loaded;
  kernels = reader.kernels();
  if (transforms != nullptr) *transforms = reader.transforms();
  return loaded;
}

inline result<std::string> text_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return make_error(errc::bad_registry_file, path, "the file cannot be read");
  return all;
}

inline result<kernel_file> load_file_into(const std::string& path, registry& kernels,
                                          transform_registry* transforms,
                                          view<transform> available) {
  const auto yaml = text_of_file(path);
  if (!yaml) return yaml.error();
  return load_into(*yaml, path, kernels, transforms, available);
}

}  // namespace detail

/// Loads kernels from YAML (docs/reference/kernel-files.md) into a registry, all or none, with the
/// checks of `registry::add`. The result owns the texts: it must outlive the registry. Errors,
/// always with line and column: `bad_registry_file` for invalid YAML, an unknown key (with the
/// nearest known one) or a value of the wrong kind; those of `registry::add`, at their place.
[[nodiscard]] inline result<kernel_file> load_kernels(text_view yaml, registry& kernels) {
  return detail::load_into(yaml, "yaml", kernels, nullptr, {});
}

/// Loads kernels and transforms: each transform is one of `available` under its own name,
/// optionally with a further guard. Errors: also those of `transform_registry::add`.
[[nodiscard]] inline result<kernel_file> load_kernels(
    text_view yaml, registry& kernels, transform_registry& transforms,
    view<transform> available = builtin_transforms()) {
  return detail::load_into(yaml, "yaml", kernels, &transforms, available);
}

/// Loads kernels from a file, which errors name. Errors: also `bad_registry_file` without a
/// position if the file cannot be read.
[[nodiscard]] inline result<kernel_file> load_kernel_file(const std::string& path,
                                                          registry& kernels) {
  return detail::load_file_into(path, kernels, nullptr, {});
}

/// Loads kernels and transforms from a file, which errors name. Errors: as above, and those of
/// `transform_registry::add`.
[[nodiscard]] inline result<kernel_file> load_kernel_file(
    const std::string& path, registry& kernels, transform_registry& transforms,
    view<transform> available = builtin_transforms()) {
  return detail::load_file_into(path, kernels, &transforms, available);
}

/// Loads the times of another machine, as written by `wf-calibrate`: kernels that override
/// `execution_time` and nothing else, and the caches of that machine. The table must state all
/// times of `kernels::host_times`, so that no time of another machine remains. Errors: those of
/// `load_kernels`; `bad_registry_file` for a kernel that states anything else or occurs twice, and
/// for missing kernels, which it names.
[[nodiscard]] inline result<kernel_file> load_times_text(text_view yaml, registry& kernels,
                                                         text_view name = "yaml") {
  kernel_file_reader reader(yaml, name, kernels, nullptr, {});
  auto loaded = reader.run_times(kernels::host_times);
  if (loaded) kernels = reader.kernels();
  return loaded;
}

/// `load_times_text` for a file, which errors name. Errors: also `bad_registry_file` without a
/// position if the file cannot be read.
[[nodiscard]] inline result<kernel_file> load_times(const std::string& path, registry& kernels) {
  const auto yaml = detail::text_of_file(path);
  if (!yaml) return yaml.error();
  return load_times_text(*yaml, kernels, path);
}

}  // namespace wf
