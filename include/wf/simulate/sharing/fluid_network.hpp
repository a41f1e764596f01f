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
/// gone, by adjusting links, those of the lowest level first: a bottleneck gets the level that is
/// left to its own routes, and takes those that have a higher one elsewhere; so does a link that
/// has become more than full. Links on which that changes a load are adjusted in their turn. Mostly
/// one or two are; if it takes more than `most_steps` a change, or a load is out of bounds, the
/// links are filled anew for all routes of the bottlenecks concerned, which always ends. A link
/// counts as full, and a level as higher, within 2^-44.
///
/// A step of adjusting takes O(active routes of the link · links of a route).
class fluid_network {
 public:
  constexpr fluid_network() = default;
  /// Takes the links' bandwidths, the routes, the links of all routes, and how many links are
  /// adjusted for each route that changes before they are filled anew.
  constexpr fluid_network(view<double> bandwidths, view<fluid_route> routes,
                          view<std::uint32_t> links_of_routes, std::size_t most_steps = 1000)
      : most_steps_(most_steps) {
    links_.resize(bandwidths.size());
    for (std::size_t l = 0; l < bandwidths.size(); ++l) {
      links_[l].bandwidth = bandwidths[l];
      links_[l].whole_per_byte = detail::fluid::whole_share / bandwidths[l];
    }
    routes_.resize(routes.size());
    for (std::size_t r = 0; r < routes.size(); ++r) {
      routes_[r].hops = routes[r].links;
      routes_[r].weight = routes[r].weight;
    }
    hops_.resize(links_of_routes.size());
    for (std::size_t h = 0; h < links_of_routes.size(); ++h) hops_[h].link = links_of_routes[h];
    places_ = table<std::uint32_t>(routes.size(), heap::absent);
    pending_places_ = table<std::uint32_t>(bandwidths.size(), heap::absent);
    touched_ = free_ = index_set(routes.size());
    changed_ = involved_ = index_set(bandwidths.size());
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
    if (r.transfers.empty())
      deactivate(route);
    else
      set_end(route);
    return {0, done.number, done.activity};
  }
  /// The tick in which the first transfer of a bottleneck ends; `never` if it has none.
  constexpr std::int64_t due(std::uint32_t link) const {
    const link_state& l = links_[link];
    if (l.own.empty()) return never;
    return saturating_add(l.at, ticks_of(l.own.key().end - l.clock, l.level));
  }
  /// The number of that transfer.
  constexpr std::uint64_t next(std::uint32_t link) const { return links_[link].own.key().number; }

  /// Restores max-min fairness after transfers came or went. Returns the links whose next end may
  /// have changed; the view is valid until the next call.
  constexpr view<std::uint32_t> share(std::int64_t now) {
    changed_.clear();
    if (!adjust(now)) fill(now);
    touched_.clear();
    before_.clear();
    return changed_.members();
  }

 private:
  static constexpr std::uint32_t none = detail::fluid::none;
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
    if (l.own.empty()) l.clock = l.level = l.per_level = 0;
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

  // The rate of a route's transfers together.
  constexpr double rate_of(const route_state& r) const {
    const double per_level = links_[r.bottleneck].per_level;
    return per_level > 0 ? detail::fluid::load(r, per_level) : 0;
  }
  constexpr void set_share(hop& h, std::int64_t share) {
    links_[h.link].load += share - h.share;
    h.share = share;
  }

  // --- adjusting ---

  // Adjusts bottlenecks, those with the lowest level first, until each is one: full, and without a
  // transfer of a higher level. False if that takes too many steps.
  constexpr bool adjust(std::int64_t now) {
    for (const change& c : before_) {
      const route_state& r = routes_[c.route];
      if (c.bottleneck != none) changed_.add(c.bottleneck);
      if (r.bottleneck == none && !r.transfers.empty()) place(c.route, now);
      for (const hop& h : hops_of(r))
        if (!links_[h.link].own.empty()) await(h.link);
    }
    std::size_t steps = 0;
    while (!pending_.empty()) {
      const std::uint32_t link = pending_.top();
      pending_.remove(pending_places_.data(), link);
      if (++steps > most_steps_ * before_.size() || !adjust_level(link, now)) {
        while (!pending_.empty()) pending_.remove(pending_places_.data(), pending_.top());
        return false;
      }
    }
    return true;
  }
  constexpr void await(std::uint32_t link) {
    changed_.add(link);
    pending_.set(pending_places_.data(), link, links_[link].level);
  }
  // True for a bottleneck, and for a link that must become one.
  static constexpr bool needs_level(const link_state& l) {
    return !l.own.empty() || l.load > detail::fluid::full_load;
  }
  // Gives a new route the link that seems to have the least level for it; if another one has, that
  // takes the route as it is adjusted.
  constexpr void place(std::uint32_t route, std::int64_t now) {
    const route_state& r = routes_[route];
    std::uint32_t best = none;
    double least = 0;
    for (const hop& h : hops_of(r)) {
      const link_state& l = links_[h.link];
      const auto own = static_cast<double>(l.own.size());
      const double level =
          l.own.empty() ? detail::fluid::left_of(l, l.load) / r.total : l.level / ((own + 1) / own);
      if (best == none || level < least) best = h.link, least = level;
    }
    advance(links_[best], now);
    enter(route, best);
  }
  // The load of the other routes on a link, and the weight of its own ones.
  struct room {
    std::int64_t others = 0;
    double weight = 0;
  };
  constexpr room room_of(std::uint32_t link) {
    room out{links_[link].load, 0};
    const heap& own = links_[link].own;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const route_state& r = routes_[own.member(i)];
      out.weight += r.total;
      const hop* on = hops_of(r).first;
      while (on->link != link) ++on;
      out.others -= on->share;
    }
    return out;
  }
  constexpr bool adjust_level(std::uint32_t link, std::int64_t now) {
    link_state& l = links_[link];
    if (!needs_level(l)) return true;
    advance(l, now);
    room r = room_of(link);
    double left = detail::fluid::left_of(l, r.others);
    // The other routes whose level would be higher become its own, the highest first.
    while (l.crossings.size() != l.own.size()) {
      const crossing highest = highest_of_others(link);
      const std::uint32_t other = routes_[highest.route].bottleneck;
      if (!l.own.empty() && !detail::fluid::is_above(links_[other].level, left / r.weight)) break;
      r.weight += routes_[highest.route].total;
      r.others -= hops_[highest.hop].share;
      left = detail::fluid::left_of(l, r.others);
      advance(links_[other], now);
      changed_.add(other);  // and it is adjusted, since the rate falls
      leave(highest.route);
      enter(highest.route, link);
    }
    set_level(l, left / r.weight, r.weight / left);
    for (std::size_t i = 0; i < l.own.size(); ++i)
      if (!adjust_shares(link, routes_[l.own.member(i)])) return false;
    return true;
  }
  // The route of the highest level among those that have another bottleneck.
  constexpr crossing highest_of_others(std::uint32_t link) const {
    crossing highest;
    double level = -1;
    for (const crossing& c : links_[link].crossings) {
      const std::uint32_t other = routes_[c.route].bottleneck;
      if (other != link && links_[other].level > level) highest = c, level = links_[other].level;
    }
    return highest;
  }
  // The loads of links follow the rate of a route. False if one is too high to be kept.
  constexpr bool adjust_shares(std::uint32_t link, const route_state& r) {
    const double rate = rate_of(r);
    for (hop& h : hops_of(r)) {
      link_state& l = links_[h.link];
      const std::int64_t share = detail::fluid::share_of(rate, l);
      const bool is_higher = !l.own.empty() && detail::fluid::is_above(links_[link].level, l.level);
      if (share == h.share && !is_higher) continue;
      set_share(h, share);
      if (h.link == link) continue;
      if (l.load > detail::fluid::most_load) return false;
      if (needs_level(l)) await(h.link);
    }
    return true;
  }

  // --- filling ---

  // Fills the links anew for the routes of all bottlenecks that were to be adjusted.
  constexpr void fill(std::int64_t now) {
    do {
      find_free();
      find_involved();
      raise_levels();
    } while (takes_in_more());
    commit(now);
  }
  constexpr void find_free() {
    free_.clear();
    for (const std::uint32_t link : changed_)
      for (std::size_t i = 0; i < links_[link].own.size(); ++i)
        free_.add(links_[link].own.member(i));
  }
  // The links of free routes: what the others leave of them.
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
        }
        l.open += routes_[route].total;
        ++l.open_routes;
        l.others -= h.share;
      }
    for (const std::uint32_t link : involved_)
      links_[link].left = detail::fluid::left_of(links_[link], links_[link].others);
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
          if (free_.has(c.route) || changed_.has(r.bottleneck) ||
              !(links_[r.bottleneck].level > l.filled))
            continue;
          changed_.add(r.bottleneck);
          more = true;
        }
      if (changed_.has(link) || l.own.empty() || stays(l)) continue;
      changed_.add(link);
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
    for (const std::uint32_t link : changed_) advance(links_[link], now);
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
    for (const std::uint32_t link : changed_) follow_rates(link);
  }
  // The loads of links follow the rates of a bottleneck's routes.
  constexpr void follow_rates(std::uint32_t link) {
    const link_state& l = links_[link];
    for (std::size_t i = 0; i < l.own.size(); ++i) {
      const route_state& r = routes_[l.own.member(i)];
      const double rate = rate_of(r);
      for (hop& h : hops_of(r)) set_share(h, detail::fluid::share_of(rate, links_[h.link]));
    }
  }

  table<link_state> links_;
  table<route_state> routes_;
  table<hop> hops_;
  table<std::uint32_t> places_;   // of routes in the heaps of bottlenecks
  indexed_heap<double> pending_;  // links to adjust, by their level
  table<std::uint32_t> pending_places_;
  std::size_t most_steps_ = 0;
  table<change> before_;          // of the touched routes
  index_set touched_, free_;      // routes
  index_set changed_, involved_;  // links
};

}  // namespace wf::sim
