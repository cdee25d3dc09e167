#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "surface.hpp"

namespace sinew::make_assets {
namespace {

struct Vec3d {
  double x = 0, y = 0, z = 0;
};
Vec3d to_double(Vec3 v) { return {v.x, v.y, v.z}; }

// Sum of squared distances to planes, weighted: p^T A p + 2 b^T p + c.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, bx = 0, by = 0, bz = 0, c = 0;

  void add_plane(Vec3d n, double d, double weight) {
    xx += weight * n.x * n.x;
    xy += weight * n.x * n.y;
    xz += weight * n.x * n.z;
    yy += weight * n.y * n.y;
    yz += weight * n.y * n.z;
    zz += weight * n.z * n.z;
    bx += weight * n.x * d;
    by += weight * n.y * d;
    bz += weight * n.z * d;
    c += weight * d * d;
  }
  void add(const Quadric& o) {
    xx += o.xx, xy += o.xy, xz += o.xz, yy += o.yy, yz += o.yz, zz += o.zz;
    bx += o.bx, by += o.by, bz += o.bz, c += o.c;
  }
  double at(Vec3d p) const {
    return p.x * (xx * p.x + 2 * (xy * p.y + xz * p.z + bx)) +
           p.y * (yy * p.y + 2 * (yz * p.z + by)) + p.z * (zz * p.z + 2 * bz) + c;
  }
  // The least point, drawn a little toward `near`, so that flat places have one.
  Vec3d least(Vec3d near) const {
    const double pull = 1e-3 * (xx + yy + zz) + 1e-18;
    const double a = xx + pull, e = yy + pull, i = zz + pull;
    const double rx = pull * near.x - bx, ry = pull * near.y - by, rz = pull * near.z - bz;
    const double c00 = e * i - yz * yz, c01 = xz * yz - xy * i, c02 = xy * yz - e * xz;
    const double det = a * c00 + xy * c01 + xz * c02;
    const double c11 = a * i - xz * xz, c12 = xy * xz - a * yz, c22 = a * e - xy * xy;
    return {(c00 * rx + c01 * ry + c02 * rz) / det, (c01 * rx + c11 * ry + c12 * rz) / det,
            (c02 * rx + c12 * ry + c22 * rz) / det};
  }
};

using Edge = std::pair<std::uint32_t, std::uint32_t>;

struct Collapse {
  double cost = 0;
  Edge edge;
  std::uint32_t stamp[2] = {};
  Vec3 target;
  // Cheapest first; equal costs by index, so that the result is always the same.
  bool operator<(const Collapse& o) const { return cost != o.cost ? cost > o.cost : edge > o.edge; }
};

class Simplifier {
 public:
  Simplifier(Surface& surface, const std::vector<DensePoint>& dense)
      : s_(surface),
        dense_(dense),
        quadrics_(surface.positions.size()),
        around_(surface.positions.size()),
        stamp_(surface.positions.size(), 0),
        feature_count_(surface.positions.size(), 0),
        alive_(surface.triangles.size(), true) {
    build();
  }

  void run(std::size_t triangle_count) {
    std::size_t left = s_.triangles.size();
    for (const auto& [edge, count] : edges_) push(edge);
    while (left > triangle_count && !queue_.empty()) {
      const Collapse next = queue_.top();
      queue_.pop();
      const auto [u, v] = next.edge;
      if (stamp_[u] != next.stamp[0] || stamp_[v] != next.stamp[1]) continue;
      if (!allowed(next)) continue;
      left -= collapse(next);
    }
    compact();
  }

 private:
  static Edge make_edge(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
  }
  bool is_feature(Edge e) const {
    const auto it = features_.find(e);
    return it != features_.end();
  }

  void build() {
    std::map<Edge, std::vector<std::size_t>> faces;
    for (std::size_t t = 0; t < s_.triangles.size(); ++t) {
      const auto& tri = s_.triangles[t];
      const Vec3 n2 = normal2(tri);
      const float area2 = length(n2);
      const Vec3d n = to_double(normalize_or(n2, kAxisY));
      const Vec3d p = to_double(s_.positions[tri[0]]);
      const double d = -(n.x * p.x + n.y * p.y + n.z * p.z);
      for (std::size_t i = 0; i < 3; ++i) {
        quadrics_[tri[i]].add_plane(n, d, area2 / 6.0);
        around_[tri[i]].push_back(t);
        faces[make_edge(tri[i], tri[(i + 1) % 3])].push_back(t);
      }
    }
    for (const auto& [edge, list] : faces) {
      edges_[edge] = 1;
      const bool seam = list.size() == 2 && s_.labels[list[0]] != s_.labels[list[1]];
      if (list.size() == 2 && !seam) continue;
      features_[edge] = 1;
      ++feature_count_[edge.first];
      ++feature_count_[edge.second];
      for (std::size_t t : list) add_wall(edge, t);
    }
  }

  // A plane through the edge, at right angles to the triangle: keeps features in place.
  void add_wall(Edge edge, std::size_t t) {
    const Vec3 a = s_.positions[edge.first], b = s_.positions[edge.second];
    const Vec3 n = normalize_or(cross(b - a, normal2(s_.triangles[t])), Vec3{});
    const double weight = 2.0 * static_cast<double>(length_squared(b - a));
    const Vec3d nd = to_double(n), pd = to_double(a);
    const double d = -(nd.x * pd.x + nd.y * pd.y + nd.z * pd.z);
    quadrics_[edge.first].add_plane(nd, d, weight);
    quadrics_[edge.second].add_plane(nd, d, weight);
  }

  Vec3 normal2(const std::array<std::uint32_t, 3>& t) const {
    const auto& p = s_.positions;
    return cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
  }

  float density(Vec3 p) const {
    float most = 1;
    for (const DensePoint& d : dense_) {
      const float t = 1 - clamp01(distance(p, d.centre) / d.radius);
      most = max(most, 1 + 7 * t * t * (3 - 2 * t));
    }
    return most;
  }

  void push(Edge edge) {
    const auto [u, v] = edge;
    const Vec3 pu = s_.positions[u], pv = s_.positions[v];
    const int fu = feature_count_[u], fv = feature_count_[v];
    // Features collapse only along themselves; where several meet, the vertex stays.
    if (fu > 0 && fv > 0 && !is_feature(edge)) return;
    const bool fixed_u = fu > 0 && fu != 2, fixed_v = fv > 0 && fv != 2;
    if (fixed_u && fixed_v) return;
    Quadric q = quadrics_[u];
    q.add(quadrics_[v]);
    const Vec3 middle = lerp(pu, pv, 0.5f);
    Vec3 target;
    if (fixed_u || (fu > 0 && fv == 0)) {
      target = pu;
    } else if (fixed_v || (fv > 0 && fu == 0)) {
      target = pv;
    } else {
      const Vec3d best = q.least(to_double(middle));
      target = {static_cast<float>(best.x), static_cast<float>(best.y), static_cast<float>(best.z)};
      if (distance(target, middle) > distance(pu, pv)) target = middle;
    }
    if (pu.x == 0 || pv.x == 0) target.x = 0;
    const double span = length_squared(pu - pv);
    Collapse c;
    c.cost = max_of(q.at(to_double(target)), 0.0) +
             1.0e-3 * static_cast<double>(density(target)) * span * span;
    c.edge = edge;
    c.stamp[0] = stamp_[u];
    c.stamp[1] = stamp_[v];
    c.target = target;
    queue_.push(c);
  }
  static double max_of(double a, double b) { return a > b ? a : b; }

  std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> out;
    for (std::size_t t : around_[v]) {
      if (!alive_[t]) continue;
      for (std::uint32_t w : s_.triangles[t]) {
        if (w != v) out.push_back(w);
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  static bool has(const std::array<std::uint32_t, 3>& t, std::uint32_t v) {
    return t[0] == v || t[1] == v || t[2] == v;
  }

  // The surface stays closed (link condition), no triangle turns over or becomes a sliver.
  bool allowed(const Collapse& c) const {
    const auto [u, v] = c.edge;
    const auto nu = neighbours(u), nv = neighbours(v);
    std::vector<std::uint32_t> both;
    std::set_intersection(nu.begin(), nu.end(), nv.begin(), nv.end(), std::back_inserter(both));
    std::size_t shared = 0;
    for (std::size_t t : around_[u]) {
      if (alive_[t] && has(s_.triangles[t], v)) ++shared;
    }
    if (shared == 0 || both.size() != shared) return false;
    if (nu.size() + nv.size() - both.size() > 14) return false;
    // An edge beside the collapsing one must not be a feature on both of its sides.
    for (std::uint32_t w : both) {
      if (is_feature(make_edge(u, w)) && is_feature(make_edge(v, w))) return false;
    }
    return keeps_shape(u, v, c.target) && keeps_shape(v, u, c.target);
  }

  bool keeps_shape(std::uint32_t moved, std::uint32_t other, Vec3 target) const {
    for (std::size_t t : around_[moved]) {
      if (!alive_[t] || has(s_.triangles[t], other)) continue;
      const auto& tri = s_.triangles[t];
      Vec3 p[3];
      for (std::size_t i = 0; i < 3; ++i) p[i] = tri[i] == moved ? target : s_.positions[tri[i]];
      const Vec3 before = normal2(tri), after = cross(p[1] - p[0], p[2] - p[0]);
      const float la = length(after), lb = length(before);
      if (la < 1e-9f) return false;
      if (lb > 1e-9f && dot(before, after) < 0.5f * la * lb) return false;
      const float longest = max(length_squared(p[1] - p[0]),
                                max(length_squared(p[2] - p[1]), length_squared(p[0] - p[2])));
      if (la < 0.15f * longest &&
          la * length_squared(s_.positions[tri[0]] - s_.positions[tri[1]]) < lb * longest * 0.3f) {
        return false;
      }
    }
    return true;
  }

  // u stays, v goes. Returns the number of triangles gone.
  std::size_t collapse(const Collapse& c) {
    const auto [u, v] = c.edge;
    move_features(u, v);
    s_.positions[u] = c.target;
    quadrics_[u].add(quadrics_[v]);
    std::size_t gone = 0;
    for (std::size_t t : around_[v]) {
      if (!alive_[t]) continue;
      auto& tri = s_.triangles[t];
      if (has(tri, u)) {
        alive_[t] = false;
        ++gone;
        continue;
      }
      for (std::uint32_t& w : tri) {
        if (w == v) w = u;
      }
      around_[u].push_back(t);
    }
    around_[v].clear();
    std::erase_if(around_[u], [&](std::size_t t) { return !alive_[t]; });
    ++stamp_[u];
    ++stamp_[v];
    for (std::uint32_t w : neighbours(u)) push(make_edge(u, w));
    return gone;
  }

  void move_features(std::uint32_t u, std::uint32_t v) {
    if (feature_count_[v] == 0) return;
    const bool along = features_.erase(make_edge(u, v)) > 0;
    if (along) {
      --feature_count_[u];
      --feature_count_[v];
    }
    for (std::uint32_t w : neighbours(v)) {
      if (w == u || features_.erase(make_edge(v, w)) == 0) continue;
      features_[make_edge(u, w)] = 1;
      ++feature_count_[u];
    }
    feature_count_[v] = 0;
  }

  void compact() {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<int> labels;
    std::vector<int> to(s_.positions.size(), -1);
    std::vector<Vec3> positions;
    for (std::size_t t = 0; t < s_.triangles.size(); ++t) {
      if (!alive_[t]) continue;
      auto tri = s_.triangles[t];
      for (std::uint32_t& v : tri) {
        if (to[v] < 0) {
          to[v] = static_cast<int>(positions.size());
          positions.push_back(s_.positions[v]);
        }
        v = static_cast<std::uint32_t>(to[v]);
      }
      triangles.push_back(tri);
      labels.push_back(s_.labels[t]);
    }
    s_.positions = std::move(positions);
    s_.triangles = std::move(triangles);
    s_.labels = std::move(labels);
  }

  Surface& s_;
  const std::vector<DensePoint>& dense_;
  std::vector<Quadric> quadrics_;
  std::vector<std::vector<std::size_t>> around_;
  std::vector<std::uint32_t> stamp_;
  std::vector<int> feature_count_;
  std::vector<bool> alive_;
  std::map<Edge, char> edges_, features_;
  std::priority_queue<Collapse> queue_;
};

}  // namespace

void simplify(Surface& surface, std::size_t triangle_count, const std::vector<DensePoint>& dense) {
  Simplifier(surface, dense).run(triangle_count);
}

}  // namespace sinew::make_assets
