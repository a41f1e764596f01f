// SPDX-License-Identifier: BSL-1.0
//
// Writes the reference page of the built-in operators to standard output; see tools/operators.
#include <iostream>
#include <string>

#include <wf/core/text/real.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace {

std::string code(wf::text_view t) { return "`" + std::string(t) + "`"; }

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

std::string costs(const wf::kernel_spec& k) {
  std::string out;
  for (const wf::cost_formula& c : wf::costs_of(k)) {
    if (!out.empty()) out += "<br>";
    // The long scratch formulas of large products and solutions have a page of their own.
    out += c.metric == "scratch" && c.formula.size() > 40
               ? "[scratch](../explanation/storage.md)"
               : std::string(c.metric) + " " + code(c.formula);
  }
  return out;
}

std::string flags(const wf::kernel_spec& k) {
  std::string out;
  if (k.meaning != wf::meaning::other) append(out, std::string(wf::name_of(k.meaning)));
  if (k.is_view) append(out, "view");
  if (k.in_place) append(out, "in place");
  if (k.moves_elements) append(out, "moves elements");
  if (k.fusion != wf::fusion_role::none) append(out, std::string(wf::name_of(k.fusion)));
  if (k.effects != wf::effect::pure) append(out, std::string(wf::name_of(k.effects)));
  if (!k.adjoint.empty() || k.write_adjoint != nullptr) append(out, "adjoint");
  return out;
}

std::string neutral(double e) {
  if (e - e == 0) return std::string(wf::real_text(e).view());
  return e < 0 ? "-∞" : "∞";
}

std::string laws(const wf::kernel_spec& k) {
  const wf::law_set& l = k.laws;
  std::string out;
  if (l.commutative) append(out, "commutative");
  if (l.associative) append(out, "associative");
  if (l.idempotent) append(out, "idempotent");
  if (l.selective) append(out, "selective");
  if (l.involution) append(out, "involution");
  if (l.linear) append(out, "linear");
  if (l.never_rounds) append(out, "never rounds");
  if (l.elementwise) append(out, "elementwise");
  if (l.monotone) append(out, "monotone");
  if (l.has_neutral()) append(out, "neutral " + neutral(l.neutral));
  if (!l.distributes_over.empty()) {
    std::string over(l.distributes_over);
    if (const auto space = over.find(' '); space != std::string::npos)
      over.replace(space, 1, "` and `");
    append(out, "distributes over `" + over + "`");
  }
  if (!l.inverse.empty() && !l.involution) append(out, "inverse " + code(l.inverse));
  return out;
}

void write(const wf::kernel_list& domain) {
  std::cout << "\n## " << domain[0]->domain << "\n\n"
            << "| operator | signature | costs | flags | laws |\n|---|---|---|---|---|\n";
  for (const wf::kernel_spec* k : domain)
    std::cout << "| " << code(k->name) << "<br>" << k->summary << " | " << code(k->signature)
              << " | " << costs(*k) << " | " << flags(*k) << " | " << laws(*k) << " |\n";
}

}  // namespace

int main() {
  std::size_t count = 0;
  for (const wf::kernel_list& domain : wf::builtin_domains) count += domain.size();
  std::cout
      << "# Operators\n\n"
         "<!-- Written by tools/operators from the registry; do not edit. -->\n\n"
      << "The " << count << " built-in operators, by domain. "
      << "[How to add one](../how-to/add_operator.md).\n\n"
         "*Signature*: operands, an arrow, results. `...` stands for leading dimensions, which "
         "broadcast unless the operator has a rule of its own; a class of element types stands "
         "after a colon; `through` marks an operand that lives on in a result.\n\n"
         "*Costs*: formulas over the symbols of the signature, the number of elements of a "
         "parameter (`C`), its storage (`C.bytes`), the number of its elements if they are "
         "integers (`C.integers`), and integer attributes. What is not stated "
         "follows from the metric: `bytes_read`, `bytes_written` and `bytes` are the storage of "
         "operands and results, `memory` that of the results, `peak_memory` and `qubits` what "
         "is alive at the same time (with `scratch` while the operator runs), other metrics "
         "are zero. Views move nothing.\n\n"
         "*Flags*: a view shares the storage of its operand where [it can be read there]"
         "(../explanation/storage.md); results of an operator in place may overwrite operands that "
         "die; what is stateful or external is neither merged nor dropped; an operator with an "
         "adjoint has [gradients](../how-to/gradients.md).\n\n"
         "*Laws*: equations in exact arithmetic, see `wf::law_set`.\n";
  for (const wf::kernel_list& domain : wf::builtin_domains) write(domain);
}
