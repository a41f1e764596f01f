// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/sort.hpp>
#include <wf/map/array/cost_model.hpp>
#include <wf/partition/cut.hpp>
#include <wf/report/partition/class_rows.hpp>

namespace wf::detail {

/// The box of a program.
struct class_box {
  std::uint32_t column = 0;
  std::int64_t x = 0, y = 0, width = 0, height = 0;  ///< in pixels
  table<class_row> rows;
  table<std::int64_t> tops;  ///< of the rows
};

/// The way of a wire: from a side of a box to a side of another one, through gaps between columns;
/// and, unless the columns are neighbours, along a track below all boxes.
struct wire_route {
  std::uint32_t out_gap = 0, in_gap = 0;   ///< gap c lies on the left of column c
  bool leaves_right = true;                ///< its sender's box; else on the left
  bool enters_left = true;                 ///< its receiver's box; else on the right
  bool is_direct = false;                  ///< within one gap
  std::int64_t from_y = 0, to_y = 0;       ///< where it leaves and enters
  std::int64_t out_lane = 0, in_lane = 0;  ///< x of its ways down and up; the same if direct
  std::int64_t track = 0;                  ///< y of its way below the boxes
  std::int64_t label_x = 0, label_y = 0;   ///< begin of its label's base line
};

/// Where the boxes of the programs for classes and their wires lie: in columns by the least number
/// of wires from the host's; wires at right angles, each in lanes of its own, so that none runs
/// through a box or a label.
class cut_layout {
 public:
  /// Room for a character, at most, in pixels: only browsers know it exactly.
  static constexpr std::int64_t character = 7, small_character = 6;
  static constexpr std::int64_t row_height = 20, head_height = 40, margin = 10, text_left = 26;

  /// Of a program with the lines of its boxes and the labels of its wires.
  /// O(classes² + wires² + rows).
  constexpr cut_layout(const partitioned_program& p, table<table<class_row>> rows,
                       const table<text>& labels)
      : p_(p), boxes_(p.partitions.size()), routes_(p.edges.size()) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) boxes_[i].rows.swap(rows[i]);
    assign_columns();
    stack_boxes();
    for (std::uint32_t k = 0; k < routes_.size(); ++k) choose_way(k);
    place_columns(labels);
    place_tracks();
  }
  constexpr const table<class_box>& boxes() const { return boxes_; }     ///< by partition
  constexpr const table<wire_route>& routes() const { return routes_; }  ///< by edge
  constexpr std::int64_t width() const { return width_; }                ///< in pixels
  constexpr std::int64_t height() const { return height_; }              ///< in pixels
  /// Width of a badge.
  static constexpr std::int64_t width_of(const gate_badge& b) {
    return static_cast<std::int64_t>(columns_of(b.label.view())) * small_character + 12;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::int64_t lane = 12, stub = 14, track_height = 20;

  constexpr void assign_columns() {
    for (class_box& b : boxes_) b.column = none;
    for (std::uint32_t first = 0; first < boxes_.size(); ++first) {
      if (boxes_[first].column != none) continue;
      boxes_[first].column = 0;
      table<std::uint32_t> waiting;
      waiting.push_back(first);
      for (std::size_t i = 0; i < waiting.size(); ++i)
        for (const wire_edge& e : p_.edges)
          if (e.from == waiting[i] && boxes_[e.to].column == none) {
            boxes_[e.to].column = boxes_[e.from].column + 1;
            waiting.push_back(e.to);
          }
    }
    for (const class_box& b : boxes_) columns_ = b.column + 1 > columns_ ? b.column + 1 : columns_;
  }
  static constexpr std::int64_t width_of(const class_row& r) {
    const auto columns = [](const text& t) {
      return static_cast<std::int64_t>(columns_of(t.view()));
    };
    std::int64_t badges = 0;
    for (const gate_badge& b : r.badges) badges += width_of(b) + 4;
    return text_left + 10 +
           larger(columns(r.words) * character + 14 + columns(r.type) * small_character, badges);
  }
  // All rows lie on one grid, so that lines that leave boxes on one side never meet those that
  // leave them on the other.
  constexpr void stack_boxes() {
    column_width_ = table<std::int64_t>(columns_, 170);
    table<std::int64_t> next(columns_, margin);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      class_box& b = boxes_[i];
      b.y = next[b.column];
      std::int64_t y = b.y + head_height, wide = 0;
      const partition& part = p_.partitions[i];
      wide = static_cast<std::int64_t>(larger(
                 static_cast<std::int64_t>(columns_of(shortened(part.role.view(), 40).view())) * 8,
                 static_cast<std::int64_t>(columns_of(shortened(part.name.view(), 44).view())) *
                     small_character)) +
             20;
      for (const class_row& r : b.rows) {
        b.tops.push_back(y);
        y += r.badges.empty() ? row_height : 2 * row_height;
        wide = larger(wide, width_of(r));
      }
      b.height = y + 10 - b.y;
      next[b.column] = y + 2 * row_height;
      column_width_[b.column] = larger(column_width_[b.column], wide);
      bottom_ = larger(bottom_, b.y + b.height);
    }
  }
  constexpr std::int64_t row_y(std::uint32_t box, node_id node) const {
    const class_box& b = boxes_[box];
    for (std::size_t i = 0; i < b.rows.size(); ++i)
      if (b.rows[i].node == node) return b.tops[i] + row_height / 2;
    return b.y + head_height / 2;
  }
  constexpr void choose_way(std::uint32_t k) {
    const wire_edge& e = p_.edges[k];
    wire_route& r = routes_[k];
    const std::uint32_t from = boxes_[e.from].column, to = boxes_[e.to].column;
    r.is_direct = from + 1 == to || to + 1 == from;
    r.leaves_right = r.is_direct ? from < to : from <= to;
    r.enters_left = r.leaves_right;
    r.out_gap = r.leaves_right ? from + 1 : from;
    r.in_gap = r.enters_left ? to : to + 1;
    r.from_y = row_y(e.from, e.send) + (r.leaves_right ? 3 : -3);
    r.to_y = row_y(e.to, e.receive) + (r.enters_left ? -3 : 3);
  }

  // An end of a wire in a gap.
  struct lane_end {
    std::uint32_t wire = 0;
    bool is_out = true;  // of a wire that is not direct: its way down
    std::int64_t y = 0;  // where it meets a box
    int group = 0;       // 0: on the left of the gap, 1: direct, 2: on the right
    bool rises = false;  // from left to right, of a direct one
  };
  constexpr table<lane_end> ends_in(std::uint32_t gap) const {
    table<lane_end> out;
    for (std::uint32_t k = 0; k < routes_.size(); ++k) {
      const wire_route& r = routes_[k];
      if (r.is_direct && r.out_gap == gap) {
        const std::int64_t left = r.leaves_right ? r.from_y : r.to_y;
        out.push_back({k, true, left, 1, left > (r.leaves_right ? r.to_y : r.from_y)});
      } else if (!r.is_direct) {
        if (r.out_gap == gap) out.push_back({k, true, r.from_y, r.leaves_right ? 0 : 2, false});
        if (r.in_gap == gap) out.push_back({k, false, r.to_y, r.enters_left ? 2 : 0, true});
      }
    }
    // The order in which the lines of a group do not cross each other.
    stable_sort(out, [](const lane_end& a, const lane_end& b) {
      if (a.group != b.group) return a.group < b.group;
      if (a.group == 1 && a.rises != b.rises) return b.rises;
      const bool from_below = a.group == 0 || (a.group == 1 && !a.rises);
      return from_below ? a.y > b.y : a.y < b.y;
    });
    return out;
  }
  // The column below which the label of a wire that is not direct stands: no line goes up or down
  // there.
  static constexpr std::uint32_t label_column(const wire_route& r) {
    return r.out_gap < r.in_gap ? r.out_gap : r.in_gap;
  }
  static constexpr std::int64_t label_width(const text& label) {
    return static_cast<std::int64_t>(columns_of(label.view())) * small_character;
  }
  constexpr void place_columns(const table<text>& labels) {
    for (std::uint32_t k = 0; k < routes_.size(); ++k)
      if (!routes_[k].is_direct) {
        std::int64_t& wide = column_width_[label_column(routes_[k])];
        wide = larger(wide, label_width(labels[k]) + 16);
      }
    std::int64_t x = margin;
    table<std::int64_t> lefts;
    for (std::uint32_t gap = 0; gap <= columns_; ++gap) {
      const table<lane_end> ends = ends_in(gap);
      std::int64_t words = 0;
      for (const lane_end& e : ends)
        if (e.group == 1) words = larger(words, label_width(labels[e.wire]) + stub);
      for (const lane_end& e : ends)
        if (e.group == 1) routes_[e.wire].label_x = x + stub, routes_[e.wire].label_y = e.y - 4;
      x += ends.empty() ? 0 : words + stub;
      for (const lane_end& e : ends) {
        if (e.is_out) routes_[e.wire].out_lane = x;
        if (!e.is_out || e.group == 1) routes_[e.wire].in_lane = x;
        x += lane;
      }
      x += ends.empty() ? (gap == 0 || gap == columns_ ? 0 : 2 * row_height) : stub - lane + 4;
      lefts.push_back(x);
      if (gap < columns_) x += column_width_[gap];
    }
    width_ = x + margin;
    for (class_box& b : boxes_) b.x = lefts[b.column], b.width = column_width_[b.column];
    for (wire_route& r : routes_)
      if (!r.is_direct) r.label_x = lefts[label_column(r)] + 8;
  }
  // Each wire takes the first track that is free between its gaps.
  constexpr void place_tracks() {
    struct taken {
      std::uint32_t track = 0, first = 0, last = 0;
    };
    table<taken> all;
    std::uint32_t tracks = 0;
    for (wire_route& r : routes_) {
      if (r.is_direct) continue;
      const std::uint32_t first = r.out_gap < r.in_gap ? r.out_gap : r.in_gap;
      const std::uint32_t last = r.out_gap < r.in_gap ? r.in_gap : r.out_gap;
      std::uint32_t at = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].track == at && all[i].first <= last && first <= all[i].last) {
          ++at;
          i = SIZE_MAX;  // from the front again
        }
      all.push_back({at, first, last});
      tracks = at + 1 > tracks ? at + 1 : tracks;
      r.track = bottom_ + row_height + 4 + track_height * at;
      r.label_y = r.track - 4;
    }
    height_ = bottom_ + margin + (tracks == 0 ? 0 : row_height + track_height * tracks);
  }

  const partitioned_program& p_;
  table<class_box> boxes_;
  table<wire_route> routes_;
  table<std::int64_t> column_width_;
  std::uint32_t columns_ = 1;
  std::int64_t bottom_ = 0, width_ = 0, height_ = 0;
};

}  // namespace wf::detail
