// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/platform/builder.hpp>

namespace wf {

/// A cluster: a platform with a route between any two of its hosts. The route from a host to itself
/// has no link.
struct sim_cluster {
  sim_platform platform;    ///< hosts are `platform.cores`
  std::uint32_t hosts = 0;  ///< number of hosts

  /// Index of the route between two hosts.
  constexpr std::uint32_t route(std::uint32_t from, std::uint32_t to) const {
    return from * hosts + to;
  }
};

namespace detail {

constexpr void add_hosts(cluster_builder& b, std::uint32_t hosts, view<sim_host> of) {
  for (std::uint32_t h = 0; h < hosts; ++h) b.add_host(of[of.size() == 1 ? 0 : h]);
}
// Adds the routes between all pairs; `links(from, to, out)` lists those of one pair.
template <class Links>
constexpr sim_cluster with_routes(cluster_builder& b, std::uint32_t hosts, Links&& links) {
  table<std::uint32_t> path;
  for (std::uint32_t from = 0; from < hosts; ++from)
    for (std::uint32_t to = 0; to < hosts; ++to) {
      path.clear();
      if (from != to) links(from, to, path);
      b.add_route(path);
    }
  return {b.take(), hosts};
}

/// The switches and links of a fat tree.
class fat_tree_shape {
 public:
  constexpr fat_tree_shape(view<std::uint32_t> down, view<std::uint32_t> up,
                           view<std::uint32_t> copies)
      : down_(down), up_(up), copies_(copies) {}

  constexpr std::uint32_t levels() const { return static_cast<std::uint32_t>(down_.size()); }
  // Number of nodes of a level; level 0 are the hosts.
  constexpr std::uint32_t nodes(std::uint32_t level) const {
    std::uint32_t n = 1;
    for (std::uint32_t i = 0; i < levels(); ++i) n *= digits(level, i);
    return n;
  }
  // Number of links from a level to the next one.
  constexpr std::uint32_t links(std::uint32_t level) const {
    return nodes(level) * up_[level] * copies_[level];
  }
  // Index of a copy of the link from a node to its parent, among those of the level.
  constexpr std::uint32_t link(std::uint32_t level, std::uint32_t node, std::uint32_t parent,
                               std::uint32_t copy) const {
    return (node * up_[level] + parent) * copies_[level] + copy;
  }
  constexpr std::uint32_t digit(std::uint32_t level, std::uint32_t node, std::uint32_t i) const {
    for (std::uint32_t k = 0; k < i; ++k) node /= digits(level, k);
    return node % digits(level, i);
  }
  // The parent or child with that digit: nodes of neighbouring levels are connected if they differ
  // in the digit of the lower level only.
  constexpr std::uint32_t neighbour(std::uint32_t level, std::uint32_t node, std::uint32_t i,
                                    std::uint32_t digit_there, std::uint32_t level_there) const {
    std::uint32_t out = 0, weight = 1;
    for (std::uint32_t k = 0; k < levels(); ++k) {
      out += weight * (k == i ? digit_there : digit(level, node, k));
      weight *= digits(level_there, k);
    }
    return out;
  }
  // True if the host lies below the node.
  constexpr bool is_below(std::uint32_t host, std::uint32_t level, std::uint32_t node) const {
    for (std::uint32_t i = level; i < levels(); ++i)
      if (digit(level, node, i) != digit(0, host, i)) return false;
    return true;
  }
  constexpr std::uint32_t up(std::uint32_t level) const { return up_[level]; }
  constexpr std::uint32_t copies(std::uint32_t level) const { return copies_[level]; }

 private:
  // The range of the i-th digit of the nodes of a level.
  constexpr std::uint32_t digits(std::uint32_t level, std::uint32_t i) const {
    return i < level ? up_[i] : down_[i];
  }
  view<std::uint32_t> down_, up_, copies_;
};

}  // namespace detail

/// A star: every host has a link to the centre, which is a backbone or nothing. `hosts_of` and
/// `links_of` have one entry for all, or one for each host.
constexpr sim_cluster make_star(std::uint32_t hosts, view<sim_host> hosts_of,
                                view<sim_link> links_of, double ticks_per_second,
                                const sim_link* backbone = nullptr) {
  cluster_builder b(ticks_per_second);
  detail::add_hosts(b, hosts, hosts_of);
  table<sim_duplex> links;
  for (std::uint32_t h = 0; h < hosts; ++h)
    links.push_back(b.add_duplex(links_of[links_of.size() == 1 ? 0 : h]));
  const std::uint32_t centre = backbone == nullptr ? 0 : b.add_link(*backbone);
  return detail::with_routes(b, hosts, [&](std::uint32_t from, std::uint32_t to, auto& path) {
    path.push_back(links[from].up);
    if (backbone != nullptr) path.push_back(centre);
    path.push_back(links[to].down);
  });
}

/// A torus of any dimension (`extents`, the first one innermost); each host has a link to its next
/// neighbour in each dimension. Routes go dimension by dimension, the first one first, the shorter
/// way round; at equal length upwards if that does not pass the end, or if it passes only it.
constexpr sim_cluster make_torus(view<std::uint32_t> extents, view<sim_host> hosts_of,
                                 const sim_link& link, double ticks_per_second) {
  std::uint32_t hosts = 1;
  for (const std::uint32_t e : extents) hosts *= e;
  cluster_builder b(ticks_per_second);
  detail::add_hosts(b, hosts, hosts_of);
  const auto dimensions = static_cast<std::uint32_t>(extents.size());
  table<sim_duplex> links;  // of host h in dimension d: at h * dimensions + d
  for (std::uint32_t k = 0; k < hosts * dimensions; ++k) links.push_back(b.add_duplex(link));
  return detail::with_routes(b, hosts, [&](std::uint32_t from, std::uint32_t to, auto& path) {
    std::uint32_t stride = 1;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const std::uint32_t n = extents[d], wanted = to / stride % n;
      for (std::uint32_t at = from / stride % n; at != wanted; at = from / stride % n) {
        const bool upwards =
            (wanted > at && wanted <= at + n / 2) || (at > n / 2 && (at + n / 2) % n >= wanted);
        const std::uint32_t next = upwards ? (at + 1) % n : (at + n - 1) % n;
        const std::uint32_t there = from - at * stride + next * stride;
        path.push_back(upwards ? links[from * dimensions + d].up
                               : links[there * dimensions + d].down);
        from = there;
      }
      stride *= n;
    }
  });
}

/// A fat tree of switches with the hosts at its leaves (an extended generalised fat tree): a node
/// of level i has `down[i - 1]` children and `up[i]` parents, over `copies[i]` links each. Routes
/// climb until the destination lies below, by the digits of the destination (d-mod-k); of the
/// copies on the way down, by the source. Source of the structure: Öhring, Ibel, Das and Kumar, "On
/// generalized fat trees", IPPS 1995; of the routes: Zahavi, "Fat-tree routing and node ordering
/// providing contention free traffic for MPI global collectives", JPDC 2012.
constexpr sim_cluster make_fat_tree(view<std::uint32_t> down, view<std::uint32_t> up,
                                    view<std::uint32_t> copies, view<sim_host> hosts_of,
                                    const sim_link& link, double ticks_per_second) {
  const detail::fat_tree_shape shape(down, up, copies);
  const std::uint32_t hosts = shape.nodes(0);
  cluster_builder b(ticks_per_second);
  detail::add_hosts(b, hosts, hosts_of);
  table<std::uint32_t> first;  // link of each level
  table<sim_duplex> links;
  for (std::uint32_t l = 0; l < shape.levels(); ++l) {
    first.push_back(static_cast<std::uint32_t>(links.size()));
    for (std::uint32_t k = 0; k < shape.links(l); ++k) links.push_back(b.add_duplex(link));
  }
  return detail::with_routes(b, hosts, [&](std::uint32_t from, std::uint32_t to, auto& path) {
    std::uint32_t level = 0, node = from, target = to;
    for (; !shape.is_below(to, level, node); ++level) {
      const std::uint32_t port = target % (shape.up(level) * shape.copies(level));
      const std::uint32_t parent = port % shape.up(level), copy = port / shape.up(level);
      path.push_back(links[first[level] + shape.link(level, node, parent, copy)].up);
      node = shape.neighbour(level, node, level, parent, level + 1);
      target /= shape.up(level);
    }
    for (; level > 0; --level) {
      const std::uint32_t parent = shape.digit(level, node, level - 1);
      const std::uint32_t child =
          shape.neighbour(level, node, level - 1, shape.digit(0, to, level - 1), level - 1);
      const std::uint32_t copy = from % shape.copies(level - 1);
      path.push_back(links[first[level - 1] + shape.link(level - 1, child, parent, copy)].down);
      node = child;
    }
  });
}

/// A mesh of rows and columns without ends that meet: each host has a link to its neighbours;
/// routes go along the row first, then along the column.
constexpr sim_cluster make_mesh(std::uint32_t rows, std::uint32_t columns, view<sim_host> hosts_of,
                                const sim_link& link, double ticks_per_second) {
  cluster_builder b(ticks_per_second);
  detail::add_hosts(b, rows * columns, hosts_of);
  table<sim_duplex> links;  // of each host: to the next column, to the next row
  for (std::uint32_t k = 0; k < 2 * rows * columns; ++k) links.push_back(b.add_duplex(link));
  return detail::with_routes(
      b, rows * columns, [&](std::uint32_t from, std::uint32_t to, auto& path) {
        for (const std::uint32_t d : {0u, 1u}) {
          const std::uint32_t step = d == 0 ? 1 : columns, n = d == 0 ? columns : rows;
          while (from / step % n < to / step % n) {
            path.push_back(links[2 * from + d].up);
            from += step;
          }
          while (from / step % n > to / step % n) {
            from -= step;
            path.push_back(links[2 * from + d].down);
          }
        }
      });
}

}  // namespace wf
