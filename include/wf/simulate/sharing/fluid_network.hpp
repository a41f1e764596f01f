// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/index_set.hpp>
#include <wf/simulate/sharing/fluid_records.hpp>
#include <wf/simulate/sharing/rounding.hpp>

namespace wf::sim {

/// Transfers that share links by weighted max-min fairness, solved incrementally.
///
/// All transfers of a route have one rate, and the bottleneck of the route is the link at which it
/// was fixed. A bottleneck has a level (the rate per weight of its routes) and a clock, which
/// advances by the level: a transfer ends when the clock of its route has advanced by bytes /
/// weight. So a change of the level moves no transfer: each route keeps a heap of ends by its own
/// clock, each bottleneck a heap of its routes; a route that gets another bottleneck keeps its
/// clock by an offset.
///
/// An allocation is max-min fair if and only if every transfer has a bottleneck: a full link on
/// which no other transfer has a higher level. `share` restores this after transfers have come or
/// gone: it fills the links anew for the routes of the bottlenecks that lost or gained, and takes
/// in the bottlenecks that this moves, until none does. A link counts as full within 2^-44 of its
/// bandwidth. A bottleneck that no transfer connects to another one is the common case, and needs
/// no filling: its level is bandwidth / weight, as long as no other link of its routes has more
/// weight for its bandwidth. Links that routes of several bottlenecks cross count as no connection
/// while they have room: of these the load is kept.
class fluid_network {
 public:
  constexpr fluid_network() = default;
  /// Takes the links' bandwidths, the routes, and the links of all routes.
  constexpr fluid_network(view<double> bandwidths, view<fluid_route> routes,
                          view<std::uint32_t> links_of_routes) {
    links_.resize(bandwidths.size());
    for (std::size_t l = 0; l < bandwidths.size(); ++l) links_[l].bandwidth = bandwidths[l];
    routes_.resize(routes.size());
    for (std::size_t r = 0; r < routes.size(); ++r) {
      routes_[r].hops = routes[r].links;
      routes_[r].weight = routes[r].weight;
    }
    hops_.resize(links_of_routes.size());
    for (std::size_t h = 0; h < links_of_routes.size(); ++h) hops_[h].link = links_of_routes[h];
    places_ = table<std::uint32_t>(routes.size(), heap::absent);
    touched_ = free_ = index_set(routes.size());
    changed_ = fill_ = involved_ = index_set(bandwidths.size());
  }

  /// Number of links.
  constexpr std::size_t links() const { return links_.size(); }
  /// True if the route has a link.
  constexpr bool has_links(std::uint32_t route) const { return routes_[route].hops.count != 0; }
  /// Bytes per tick of each transfer of a route; 0 if it has none.
  constexpr double rate(std::uint32_t route) const {
    const route_state& r = routes_[route];
    return r.bottleneck == none ? 0 : r.weight / links_[r.bottleneck].per_level;
  }

  /// A transfer begins to move. `share` is due.
  constexpr void join(std::uint32_t route, const fluid_transfer& t, std::int64_t now) {
    route_state& r = routes_[route];
    touch(route);
    if (r.bottleneck != none) advance(links_[r.bottleneck], now);
    if (r.transfers.empty()) activate(route);
    r.transfers.push({clock_of(r) + t.bytes / r.weight, t.number, t.activity});
    r.total = detail::fluid::weight_of(r);
    for (hop& h : hops_of(r)) links_[h.link].weight += r.weight;
    if (r.bottleneck != none) set_end(route);
  }
  /// Removes the transfer that ends first among those of a bottleneck. `share` is due.
  constexpr fluid_transfer pop(std::uint32_t link, std::int64_t now) {
    link_state& l = links_[link];
    advance(l, now);
    const std::uint32_t route = l.own.top();
    route_state& r = routes_[route];
    touch(route);
    const transfer_end done = r.transfers.pop();
    r.total = detail::fluid::weight_of(r);
    for (hop& h : hops_of(r)) links_[h.link].weight -= r.weight;
    if (r.transfers.empty())
      deactivate(route);
    else
      set_end(route);
    return {0, done.number, done.activity};
  }
  /// The tick in which the first transfer of a bottleneck ends; `never` if it has none.
  constexpr std::int64_t due(std::uint32_t link, std::int64_t now) const {
    const link_state& l = links_[link];
    if (l.own.empty()) return never;
    return saturating_add(now, ticks_of(l.own.key().end - l.clock, l.level));
  }
  /// The number of that transfer.
  constexpr std::uint64_t next(std::uint32_t link) const { return links_[link].own.key().number; }

  /// Restores max-min fairness after transfers came or went. Returns the links whose next end may
  /// have changed; the view is valid until the next call.
  constexpr view<std::uint32_t> share(std::int64_t now) {
    changed_.clear();
    if (!share_alone(now)) {
      changed_.clear();
      fill(now);
    }
    touched_.clear();
    before_.clear();
    return changed_.members();
  }

 private:
  static constexpr std::uint32_t none = detail::fluid::none, mixed = detail::fluid::mixed;
  using transfer_end = detail::fluid::transfer_end;
  using heap = detail::fluid::route_heap;
  using route_state = detail::fluid::route_state;
  using hop = detail::fluid::hop;
  using crossing = detail::fluid::crossing;
  using link_state = detail::fluid::link_state;
  using change = detail::fluid::change;
  struct hop_range {
    hop* first;
    hop* last;
    constexpr hop* begin() const { return first; }
    constexpr hop* end() const { return last; }
  };
  constexpr hop_range hops_of(const route_state& r) {
    hop* const first = hops_.data() + r.hops.first;
    return {first, first + r.hops.count};
  }

  constexpr void touch(std::uint32_t route) {
    if (touched_.add(route)) before_.push_back({route, routes_[route].bottleneck});
  }
  constexpr double clock_of(const route_state& r) const {
    return r.bottleneck == none ? r.offset : links_[r.bottleneck].clock + r.offset;
  }
  static constexpr void advance(link_state& l, std::int64_t now) {
    if (now != l.at && !l.own.empty()) l.clock += static_cast<double>(now - l.at) / l.per_level;
    l.at = now;
  }
  constexpr void set_end(std::uint32_t route) {
    route_state& r = routes_[route];
    const transfer_end& first = r.transfers.top();
    links_[r.bottleneck].own.set(places_.data(), route, {first.end - r.offset, first.number});
  }
  constexpr void activate(std::uint32_t route) {
    route_state& r = routes_[route];
    for (std::uint32_t h = r.hops.first; h < r.hops.first + r.hops.count; ++h) {
      table<crossing>& crossings = links_[hops_[h].link].crossings;
      hops_[h].place = static_cast<std::uint32_t>(crossings.size());
      crossings.push_back({route, h});
    }
  }
  constexpr void deactivate(std::uint32_t route) {
    route_state& r = routes_[route];
    for (hop& h : hops_of(r)) {
      link_state& l = links_[h.link];
      set_share(h, 0);
      l.crossings[h.place] = l.crossings.back();
      hops_[l.crossings[h.place].hop].place = h.place;
      l.crossings.pop_back();
      if (!l.crossings.empty()) continue;
      l.weight = 0;
      l.common = none;
    }
    leave(route);
    r.offset = 0;
  }
  // Takes a route from its bottleneck; `offset` is then its clock.
  constexpr void leave(std::uint32_t route) {
    route_state& r = routes_[route];
    if (r.bottleneck == none) return;
    link_state& l = links_[r.bottleneck];
    r.offset = clock_of(r);
    l.own.remove(places_.data(), route);
    if (l.own.empty()) l.clock = l.level = 0;
    r.bottleneck = none;
  }
  // Gives a route without a bottleneck one; its clock goes on.
  constexpr void enter(std::uint32_t route, std::uint32_t link) {
    route_state& r = routes_[route];
    r.bottleneck = link;
    r.offset -= links_[link].clock;
    set_end(route);
  }
  constexpr void set_level(link_state& l, double level, double per_level) {
    l.level = level;
    l.per_level = per_level;
  }

  // --- bottlenecks that are alone ---

  // The bottleneck of a new route whose links have no other bottleneck; `none` if they have.
  constexpr std::uint32_t only_bottleneck(const route_state& r) {
    std::uint32_t found = none;
    for (const hop& h : hops_of(r)) {
      const std::uint32_t common = links_[h.link].common;
      if (common == none || detail::fluid::is_slack(links_[h.link])) continue;
      if (common == mixed || (found != none && found != common)) return none;
      found = common;
    }
    if (found == none) {  // nobody else is there
      for (const hop& h : hops_of(r))
        if (!detail::fluid::is_slack(links_[h.link]) &&
            (found == none || links_[h.link].weight / links_[h.link].bandwidth >
                                  links_[found].weight / links_[found].bandwidth))
          found = h.link;
      return found;
    }
    if (!links_[found].alone) return none;
    for (const hop& h : hops_of(r))
      if (h.link == found) return found;
    return none;
  }
  constexpr bool share_alone(std::int64_t now) {
    for (const change& c : before_) {
      route_state& r = routes_[c.route];
      if (c.bottleneck != none) {
        if (!links_[c.bottleneck].alone) return false;
        changed_.add(c.bottleneck);
      }
      if (r.transfers.empty()) continue;
      std::uint32_t link = r.bottleneck;
      if (link == none) {
        link = only_bottleneck(r);
        if (link == none) return false;
        link_state& l = links_[link];
        advance(l, now);
        if (l.own.empty()) {
          l.alone = true;
          l.peak = 0;
        }
        for (const hop& h : hops_of(r))
          if (links_[h.link].common != mixed) links_[h.link].common = link;
        enter(c.route, link);
      } else if (!links_[link].alone) {
        return false;
      }
      raise_peak(link, r);
      changed_.add(link);
    }
    for (const std::uint32_t link : changed_) {
      link_state& l = links_[link];
      if (l.own.empty()) continue;
      if (l.weight / l.bandwidth < l.peak) {
        find_peak(link);
        if (l.weight / l.bandwidth < l.peak) return false;
      }
    }
    for (const std::uint32_t link : changed_) {
      link_state& l = links_[link];
      advance(l, now);
      if (!l.own.empty()) set_level(l, l.bandwidth / l.weight, l.weight / l.bandwidth);
    }
    for (const std::uint32_t link : changed_)
      if (!follow_rates(link)) return false;
    return true;
  }
  constexpr void find_peak(std::uint32_t link) {
    const link_state& l = links_[link];
    links_[link].peak = 0;
    for (std::size_t i = 0; i < l.own.size(); ++i) raise_peak(link, routes_[l.own.member(i)]);
  }
  // Takes the other links of one of its routes into the peak of a bottleneck.
  constexpr void raise_peak(std::uint32_t link, const route_state& r) {
    for (const hop& h : hops_of(r)) {
      const double other = links_[h.link].weight / links_[h.link].bandwidth;
      if (h.link != link && links_[h.link].common != mixed && links_[link].peak < other)
        links_[link].peak = other;
    }
  }

  // --- filling ---

  constexpr void fill(std::int64_t now) {
    for (const change& c : before_) {
      if (c.bottleneck != none) fill_.add(c.bottleneck);
      for (const hop& h : hops_of(routes_[c.route]))
        if (!links_[h.link].own.empty()) fill_.add(h.link);
    }
    do {
      find_free();
      find_involved();
      raise_levels();
    } while (takes_in_more());
    commit(now);
  }
  constexpr void find_free() {
    free_.clear();
    for (const change& c : before_)
      if (routes_[c.route].bottleneck == none && !routes_[c.route].transfers.empty())
        free_.add(c.route);
    for (const std::uint32_t link : fill_)
      for (std::size_t i = 0; i < links_[link].own.size(); ++i)
        free_.add(links_[link].own.member(i));
  }
  constexpr std::int64_t share_of(const route_state& r, const link_state& l) const {
    const double per_level = links_[r.bottleneck].per_level;
    if (!(per_level > 0)) return 0;
    return static_cast<std::int64_t>(r.total / (per_level * l.bandwidth) *
                                     detail::fluid::whole_share);
  }
  constexpr void set_share(hop& h, std::int64_t share) {
    links_[h.link].load += share - h.share;
    h.share = share;
  }
  // The links of free routes: what the others leave of them. On a mixed link, which may have many
  // other routes, their load is known.
  constexpr void find_involved() {
    involved_.clear();
    for (const std::uint32_t route : free_)
      for (const hop& h : hops_of(routes_[route])) {
        link_state& l = links_[h.link];
        if (involved_.add(h.link)) {
          l.full = false;
          l.open = 0;
          l.open_routes = 0;
          l.others = l.load;
          if (l.common != mixed) take_all(l);
        }
        if (l.common != mixed) continue;
        l.open += routes_[route].total;
        ++l.open_routes;
        l.others -= h.share;
      }
    for (const std::uint32_t link : involved_) {
      link_state& l = links_[link];
      if (l.common == mixed)
        l.left = l.bandwidth -
                 static_cast<double>(l.others) / (detail::fluid::whole_share / l.bandwidth);
    }
  }
  constexpr void take_all(link_state& l) {
    l.left = l.bandwidth;
    for (const crossing& c : l.crossings) {
      const route_state& r = routes_[c.route];
      if (free_.has(c.route)) {
        l.open += r.total;
        ++l.open_routes;
      } else {
        l.left -= detail::fluid::load(r, links_[r.bottleneck].per_level);
      }
    }
  }
  constexpr void raise_levels() {
    for (std::uint32_t route : free_) routes_[route].chosen = none;
    while (true) {
      std::uint32_t lowest = none;
      for (const std::uint32_t link : involved_) {
        link_state& l = links_[link];
        if (l.open_routes == 0) continue;
        l.filled = l.left > 0 ? l.left / l.open : 0;
        if (lowest == none || l.filled < links_[lowest].filled ||
            (l.filled == links_[lowest].filled && link < lowest))
          lowest = link;
      }
      if (lowest == none) return;
      link_state& l = links_[lowest];
      l.full = true;
      const double per_level = l.left > 0 ? l.open / l.left : 0;
      const double level = l.filled;
      for (const crossing& c : l.crossings) {
        route_state& r = routes_[c.route];
        if (!free_.has(c.route) || r.chosen != none) continue;
        r.chosen = lowest;
        const double used = level == 0 ? 0 : detail::fluid::load(r, per_level), weight = r.total;
        for (const hop& h : hops_of(r)) {
          link_state& other = links_[h.link];
          other.left -= used;
          other.open -= weight;
          --other.open_routes;
        }
      }
      l.filled = level;
      l.open = per_level;  // of no other use from here on: the inverse of the level
    }
  }
  // Takes in the bottlenecks whose routes must not stay as they are; false if there is none.
  constexpr bool takes_in_more() {
    bool more = false;
    for (const std::uint32_t link : involved_) {
      const link_state& l = links_[link];
      if (l.full)
        for (const crossing& c : l.crossings) {
          const route_state& r = routes_[c.route];
          if (free_.has(c.route) || fill_.has(r.bottleneck) ||
              !(links_[r.bottleneck].level > l.filled))
            continue;
          fill_.add(r.bottleneck);
          more = true;
        }
      if (fill_.has(link) || l.own.empty() || stays(l)) continue;
      fill_.add(link);
      more = true;
    }
    return more;
  }
  // True if a bottleneck whose own routes are not filled anew is one still: it is full, and no
  // transfer on it has a higher level.
  constexpr bool stays(const link_state& l) const {
    if (!detail::fluid::is_near(l.left, 0, l.bandwidth)) return false;
    for (const crossing& c : l.crossings) {
      const route_state& r = routes_[c.route];
      if (!free_.has(c.route)) continue;
      const double level = links_[r.chosen].filled;
      if (&links_[r.chosen] == &l ? !detail::fluid::is_near(level, l.level, l.level)
                                  : level > l.level)
        return false;
    }
    return true;
  }
  constexpr void commit(std::int64_t now) {
    for (const std::uint32_t link : fill_) {
      advance(links_[link], now);
      changed_.add(link);
    }
    for (const std::uint32_t route : free_) {
      route_state& r = routes_[route];
      advance(links_[r.chosen], now);
      changed_.add(r.chosen);
      if (r.bottleneck == r.chosen) continue;
      leave(route);
    }
    for (const std::uint32_t route : free_)
      if (routes_[route].bottleneck == none) enter(route, routes_[route].chosen);
    free_.clear();
    for (const std::uint32_t link : changed_) {
      link_state& l = links_[link];
      if (!l.own.empty()) set_level(l, l.filled, l.open);
    }
    fill_.clear();
    find_alone();
  }
  constexpr void find_alone() {
    for (const std::uint32_t link : involved_) {
      link_state& l = links_[link];
      // A mixed link is looked at again when it has half as many routes: until then it costs
      // nothing but to be taken for mixed. The bottlenecks of its routes are not alone.
      if (l.common != mixed || 2 * l.crossings.size() <= l.routes_seen) find_common(l);
      if (l.common == mixed && !l.own.empty())
        for (const crossing& c : l.crossings) links_[routes_[c.route].bottleneck].alone = false;
    }
    for (const std::uint32_t link : changed_) follow_rates(link);
    involved_.clear();
    for (const std::uint32_t link : changed_) {
      links_[link].alone = crosses_own_only(link);
      if (links_[link].alone) find_peak(link);
    }
  }
  constexpr void find_common(link_state& l) {
    l.common = none;
    l.weight = 0;
    l.routes_seen = l.crossings.size();
    for (const crossing& c : l.crossings) {
      const std::uint32_t bottleneck = routes_[c.route].bottleneck;
      l.common = l.common == none || l.common == bottleneck ? bottleneck : mixed;
      l.weight += routes_[c.route].total;
    }
    if (l.common != mixed) return;
    for (const crossing& c : l.crossings) set_share(hops_[c.hop], share_of(routes_[c.route], l));
  }
  // The loads of mixed links follow the rates of a bottleneck's routes. False if one of them may
  // be full.
  constexpr bool follow_rates(std::uint32_t link) {
    const link_state& l = links_[link];
    bool has_room = true;
    for (std::size_t i = 0; i < l.own.size(); ++i) {
      const route_state& r = routes_[l.own.member(i)];
      for (hop& h : hops_of(r)) {
        link_state& other = links_[h.link];
        if (other.common != mixed) continue;
        set_share(h, share_of(r, other));
        has_room = has_room && other.load < detail::fluid::room_share;
      }
    }
    return has_room;
  }
  constexpr bool crosses_own_only(std::uint32_t link) {
    const link_state& l = links_[link];
    for (std::size_t i = 0; i < l.own.size(); ++i)
      for (const hop& h : hops_of(routes_[l.own.member(i)]))
        if (links_[h.link].common != link && !detail::fluid::is_slack(links_[h.link])) return false;
    return true;
  }

  table<link_state> links_;
  table<route_state> routes_;
  table<hop> hops_;
  table<std::uint32_t> places_;          // of routes in the heaps of bottlenecks
  table<change> before_;                 // of the touched routes
  index_set touched_, free_;             // routes
  index_set changed_, fill_, involved_;  // links
};

}  // namespace wf::sim
