// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/graph/svg.hpp>
#include <wf/report/logic/proof_text.hpp>

namespace wf {

namespace detail {

/// Draws a proof: the fact on top, premises beneath, each fact once where it is first needed.
class proof_drawing {
 public:
  constexpr proof_drawing(const logic::proof& p, const logic::proof_session& s, text_view source)
      : proof_(p), program_(s.program()), write_(s, source) {
    for (const logic::proof_step& step : p.steps) {
      labels_.push_back(write_.fact(step));
      const auto width = static_cast<std::int64_t>(labels_.back().size()) * 7 + 20;
      width_ = width > width_ ? width : width_;
    }
  }

  constexpr text draw() {
    x_ = depth_ = table<std::int64_t>(proof_.steps.size());
    place();
    std::int64_t deepest = 0;
    for (const std::int64_t d : depth_) deepest = d > deepest ? d : deepest;
    text out;
    begin_svg(out, "proof", next_ + 30, (deepest + 1) * layer_height + 10);
    for (std::uint32_t i = 0; i < proof_.steps.size(); ++i) draw_edges(out, i);
    for (std::uint32_t i = 0; i < proof_.steps.size(); ++i) draw_box(out, i);
    return out << "</svg>\n";
  }

 private:
  static constexpr std::int64_t box_height = 34, layer_height = 74;

  template <class Visit>
  constexpr void for_each_premise(std::uint32_t step, Visit visit) const {
    for (const logic::derivation& d : proof_.steps[step].derivations)
      for (const std::uint32_t p : d.premises) visit(p);
  }
  // Every step stands beneath all its users, under the lowest of them: premises side by side, a
  // step over the middle of its own. An explicit stack serves long chains.
  constexpr void place() {
    const auto last = static_cast<std::uint32_t>(proof_.steps.size() - 1);
    table<std::uint32_t> user(proof_.steps.size(), last);
    for (std::uint32_t step = last + 1; step-- > 0;)
      for_each_premise(step, [&](std::uint32_t p) {
        if (depth_[step] + 1 <= depth_[p]) return;
        depth_[p] = depth_[step] + 1;
        user[p] = step;
      });
    struct frame {
      std::uint32_t step = 0;
      std::size_t next = 0;
      table<std::uint32_t> own;  // premises that stand under it
    };
    table<frame> open;
    table<bool> taken(proof_.steps.size());
    const auto enter = [&](std::uint32_t step) {
      frame f;
      f.step = step;
      for_each_premise(step, [&](std::uint32_t p) {
        if (user[p] != step || taken[p]) return;
        taken[p] = true;
        f.own.push_back(p);
      });
      open.push_back(static_cast<frame&&>(f));
    };
    enter(last);
    while (!open.empty()) {
      frame& f = open.back();
      if (f.next < f.own.size()) {
        enter(f.own[f.next++]);
        continue;
      }
      if (f.own.empty()) {
        x_[f.step] = next_;
        next_ += width_ + 14;
      } else {
        x_[f.step] = (x_[f.own[0]] + x_[f.own[f.own.size() - 1]]) / 2;
      }
      open.pop_back();
    }
  }

  constexpr std::int64_t middle(std::uint32_t step) const { return x_[step] + width_ / 2 + 10; }
  constexpr std::int64_t top(std::uint32_t step) const { return depth_[step] * layer_height + 10; }
  // A line that passes layers runs beside the boxes.
  constexpr void draw_edges(text& out, std::uint32_t step) const {
    for_each_premise(step, [&](std::uint32_t p) {
      const std::int64_t y = top(step) + box_height, from = middle(step), to = middle(p);
      out << "<path class=\"edge\" d=\"M" << from << ' ' << y;
      std::int64_t x = from;
      if (depth_[p] > depth_[step] + 1) {
        x = (x_[step] < x_[p] ? x_[p] : x_[step]) + width_ + 17;
        out << 'C' << from << ' ' << y + 20 << ' ' << x << ' ' << y + 10 << ' ' << x << ' '
            << y + 40 << 'V' << top(p) - 40;
      }
      const std::int64_t bend = x == from ? y + 20 : top(p) - 10;
      out << 'C' << x << ' ' << bend << ' ' << to << ' ' << top(p) - 20 << ' ' << to << ' '
          << top(p) << "\"/>\n";
    });
  }
  constexpr void draw_box(text& out, std::uint32_t step) const {
    const logic::proof_step& s = proof_.steps[step];
    const bool given = s.derivations.empty();
    out << "<g><title>";
    if (given)
      out << "given";
    else
      escape_html(out, write_.rule(s.derivations[0].rule).view());
    out << "</title><rect x=\"" << x_[step] + 10 << "\" y=\"" << top(step) << "\" width=\""
        << width_ << "\" height=\"" << box_height << "\" rx=\"" << (given ? 17 : 4) << "\" fill=\""
        << (given ? text_view("#ffffff") : colour_of(program_.tensors[s.tensor].name.view()))
        << "\" class=\"" << (step + 1 == proof_.steps.size() ? "box result" : "box")
        << "\"/><text x=\"" << middle(step) << "\" y=\"" << top(step) + 15 << "\">";
    escape_html(out, labels_[step].view());
    out << "</text><text class=\"type\" x=\"" << middle(step) << "\" y=\"" << top(step) + 28
        << "\">";
    if (given)
      out << "given";
    else if (s.derivations.size() == 1)
      out << "rule " << s.derivations[0].rule + 1 << ", height " << s.height;
    else
      out << s.derivations.size() << " summands, height " << s.height;
    out << "</text></g>\n";
  }

  const logic::proof& proof_;
  const logic::tensor_program& program_;
  fact_writer write_;
  table<text> labels_;
  table<std::int64_t> x_, depth_;  // by step
  std::int64_t width_ = 80, next_ = 0;
};

}  // namespace detail

/// A proof as SVG: the fact on top, premises beneath their facts, given ones round; hovering shows
/// the rule. The picture contains its style. O(steps + premises).
constexpr text proof_svg(const logic::proof& p, const logic::proof_session& session,
                         text_view source = {}) {
  return detail::proof_drawing(p, session, source).draw();
}

}  // namespace wf
