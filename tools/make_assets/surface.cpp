#include "surface.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sinew::make_assets {
namespace {

// Surface nets: one vertex per cell that the surface crosses, one quad per crossed grid edge.
// Source: Gibson, "Constrained elastic surface nets" (1998), without the relaxation.
class SurfaceNets {
 public:
  SurfaceNets(const BodyShape& shape, float cell) : shape_(shape), cell_(cell) {
    // Half a cell beyond the middle plane, so that the cut at x = 0 meets whole cells.
    low_ = {-3.5f * cell, -2.5f * cell, -0.30f};
    const Vec3 high{0.78f, 1.84f, 0.30f};
    for (int axis = 0; axis < 3; ++axis) {
      n_[axis] = static_cast<int>((high[axis] - low_[axis]) / cell) + 2;
    }
    values_.assign(static_cast<std::size_t>(n_[0] * n_[1] * n_[2]), 1.0f);
  }

  Surface extract() {
    sample();
    place_vertices();
    connect();
    surface_.labels.assign(surface_.triangles.size(), 0);
    return std::move(surface_);
  }

 private:
  std::size_t id(int x, int y, int z) const {
    return static_cast<std::size_t>((z * n_[1] + y) * n_[0] + x);
  }
  Vec3 corner(int x, int y, int z) const {
    return low_ + Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} * cell_;
  }

  // Block by block; a block whose centre is far from the surface needs no samples.
  void sample() {
    constexpr int kBlock = 6;
    const float reach = 0.5f * 1.7320508f * cell_ * static_cast<float>(kBlock + 1);
    for (int z = 0; z < n_[2]; z += kBlock) {
      for (int y = 0; y < n_[1]; y += kBlock) {
        for (int x = 0; x < n_[0]; x += kBlock) {
          const float half = 0.5f * static_cast<float>(kBlock - 1) * cell_;
          const float centre = shape_.distance(corner(x, y, z) + Vec3{half, half, half});
          // The distance is a bound of first order only: twice the reach is safe.
          const bool far = abs(centre) > 2 * reach;
          fill(x, y, z, kBlock, far, centre);
        }
      }
    }
  }

  void fill(int x0, int y0, int z0, int size, bool far, float value) {
    for (int z = z0; z < std::min(z0 + size, n_[2]); ++z) {
      for (int y = y0; y < std::min(y0 + size, n_[1]); ++y) {
        for (int x = x0; x < std::min(x0 + size, n_[0]); ++x) {
          values_[id(x, y, z)] = far ? value : shape_.distance(corner(x, y, z));
        }
      }
    }
  }

  void place_vertices() {
    vertex_.assign(values_.size(), -1);
    for (int z = 0; z + 1 < n_[2]; ++z) {
      for (int y = 0; y + 1 < n_[1]; ++y) {
        for (int x = 0; x + 1 < n_[0]; ++x) place_vertex(x, y, z);
      }
    }
  }

  void place_vertex(int x, int y, int z) {
    float value[8];
    int inside = 0;
    for (int c = 0; c < 8; ++c) {
      value[c] = values_[id(x + (c & 1), y + ((c >> 1) & 1), z + ((c >> 2) & 1))];
      if (value[c] < 0) ++inside;
    }
    if (inside == 0 || inside == 8) return;
    Vec3 sum;
    float count = 0;
    for (int a = 0; a < 8; ++a) {
      for (int bit = 1; bit < 8; bit <<= 1) {
        const int b = a | bit;
        if (b == a || (value[a] < 0) == (value[b] < 0)) continue;
        const float t = value[a] / (value[a] - value[b]);
        const Vec3 pa = corner(x + (a & 1), y + ((a >> 1) & 1), z + ((a >> 2) & 1));
        const Vec3 pb = corner(x + (b & 1), y + ((b >> 1) & 1), z + ((b >> 2) & 1));
        sum += lerp(pa, pb, t);
        count += 1;
      }
    }
    vertex_[id(x, y, z)] = static_cast<int>(surface_.positions.size());
    const Vec3 low = corner(x, y, z), margin{0.2f * cell_, 0.2f * cell_, 0.2f * cell_};
    surface_.positions.push_back(
        onto_surface(sum / count, low - margin, corner(x + 1, y + 1, z + 1) + margin));
  }

  // Two Newton steps along the gradient, kept near the cell.
  Vec3 onto_surface(Vec3 p, Vec3 low, Vec3 high) const {
    for (int step = 0; step < 2; ++step) {
      const Vec3 g = shape_.gradient(p);
      const float g2 = length_squared(g);
      if (g2 < 0.05f) break;
      p = max(low, min(high, p - g * (shape_.distance(p) / g2)));
    }
    return p;
  }

  void connect() {
    for (int z = 1; z + 1 < n_[2]; ++z) {
      for (int y = 1; y + 1 < n_[1]; ++y) {
        for (int x = 1; x + 1 < n_[0]; ++x) {
          const bool in = values_[id(x, y, z)] < 0;
          if (in != (values_[id(x + 1, y, z)] < 0)) {
            quad(in, id(x, y, z), id(x, y - 1, z), id(x, y - 1, z - 1), id(x, y, z - 1));
          }
          if (in != (values_[id(x, y + 1, z)] < 0)) {
            quad(in, id(x, y, z), id(x, y, z - 1), id(x - 1, y, z - 1), id(x - 1, y, z));
          }
          if (in != (values_[id(x, y, z + 1)] < 0)) {
            quad(in, id(x, y, z), id(x - 1, y, z), id(x - 1, y - 1, z), id(x, y - 1, z));
          }
        }
      }
    }
  }

  void quad(bool inside, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    std::uint32_t v[4] = {vertex(a), vertex(b), vertex(c), vertex(d)};
    if (!inside) std::swap(v[1], v[3]);
    const auto& p = surface_.positions;
    // The shorter diagonal.
    if (distance(p[v[0]], p[v[2]]) <= distance(p[v[1]], p[v[3]])) {
      surface_.triangles.push_back({v[0], v[1], v[2]});
      surface_.triangles.push_back({v[0], v[2], v[3]});
    } else {
      surface_.triangles.push_back({v[0], v[1], v[3]});
      surface_.triangles.push_back({v[1], v[2], v[3]});
    }
  }
  std::uint32_t vertex(std::size_t cell) const { return static_cast<std::uint32_t>(vertex_[cell]); }

  const BodyShape& shape_;
  float cell_;
  Vec3 low_;
  int n_[3] = {};
  std::vector<float> values_;
  std::vector<int> vertex_;
  Surface surface_;
};

// Splits triangles where their corners have different labels. `zero(a, b)`: the point of the edge
// where one label changes to the other.
template <class Zero>
void cut(Surface& surface, const std::vector<int>& vertex_labels, Zero zero) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cuts;
  const auto cut_edge = [&](std::uint32_t a, std::uint32_t b) {
    const auto key = std::minmax(a, b);
    const auto known = cuts.find(key);
    if (known != cuts.end()) return known->second;
    const auto made = static_cast<std::uint32_t>(surface.positions.size());
    surface.positions.push_back(zero(key.first, key.second));
    cuts.emplace(key, made);
    return made;
  };
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<int> labels;
  for (const auto& t : surface.triangles) {
    int l[3];
    for (std::size_t i = 0; i < 3; ++i) l[i] = vertex_labels[t[i]];
    if (l[0] != l[1] && l[1] != l[2] && l[0] != l[2]) {  // three parts meet in a point
      const auto middle = static_cast<std::uint32_t>(surface.positions.size());
      const auto& p = surface.positions;
      surface.positions.push_back((p[t[0]] + p[t[1]] + p[t[2]]) / 3.0f);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const std::uint32_t between = cut_edge(t[i], t[j]);
        triangles.push_back({t[i], between, middle});
        triangles.push_back({between, t[j], middle});
        labels.insert(labels.end(), {l[i], l[j]});
      }
      continue;
    }
    if (l[0] == l[1] && l[1] == l[2]) {
      triangles.push_back(t);
      labels.push_back(l[0]);
      continue;
    }
    // Turn it so that corner 0 is the odd one out.
    const std::size_t odd = l[1] == l[2] ? 0 : (l[0] == l[2] ? 1 : 2);
    const std::uint32_t a = t[odd], b = t[(odd + 1) % 3], c = t[(odd + 2) % 3];
    const int la = l[odd], lb = l[(odd + 1) % 3];
    const std::uint32_t ab = cut_edge(a, b), ac = cut_edge(a, c);
    triangles.push_back({a, ab, ac});
    triangles.push_back({ab, b, c});
    triangles.push_back({ab, c, ac});
    labels.insert(labels.end(), {la, lb, lb});
  }
  surface.triangles = std::move(triangles);
  surface.labels = std::move(labels);
}

void drop_unused(Surface& surface) {
  std::vector<int> to(surface.positions.size(), -1);
  std::vector<Vec3> kept;
  for (auto& triangle : surface.triangles) {
    for (std::uint32_t& v : triangle) {
      if (to[v] < 0) {
        to[v] = static_cast<int>(kept.size());
        kept.push_back(surface.positions[v]);
      }
      v = static_cast<std::uint32_t>(to[v]);
    }
  }
  surface.positions = std::move(kept);
}

void keep_left_half(Surface& surface, float cell) {
  // Corners on or near the plane are moved onto it, so that the cut leaves no slivers.
  std::vector<int> side;
  for (Vec3& p : surface.positions) {
    if (abs(p.x) < 0.25f * cell) p.x = 0;
    side.push_back(p.x < 0 ? 1 : 0);
  }
  cut(surface, side, [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 pa = surface.positions[a], pb = surface.positions[b];
    Vec3 p = lerp(pa, pb, pa.x / (pa.x - pb.x));
    p.x = 0;
    return p;
  });
  std::vector<std::array<std::uint32_t, 3>> kept;
  for (const auto& t : surface.triangles) {
    const auto& p = surface.positions;
    const float widest = std::max({p[t[0]].x, p[t[1]].x, p[t[2]].x});
    const float least = std::min({p[t[0]].x, p[t[1]].x, p[t[2]].x});
    if (widest <= 0 || least < 0) continue;
    if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2]) continue;
    kept.push_back(t);
  }
  surface.triangles = std::move(kept);
  surface.labels.assign(surface.triangles.size(), 0);
  drop_unused(surface);
}

void cut_seams(Surface& surface, const BodyShape& shape) {
  std::vector<int> part;
  for (Vec3 p : surface.positions) part.push_back(static_cast<int>(shape.part_at(p)));
  cut(surface, part, [&](std::uint32_t a, std::uint32_t b) {
    const auto pa = static_cast<Part>(part[a]), pb = static_cast<Part>(part[b]);
    const auto change = [&](Vec3 p) {
      if (pa == Part::kSole) return p.y - kSoleHeight;
      if (pb == Part::kSole) return kSoleHeight - p.y;
      return shape.part_distance(pa, p) - shape.part_distance(pb, p);
    };
    Vec3 low = surface.positions[a], high = surface.positions[b];
    for (int i = 0; i < 12; ++i) {  // bisection: `change` is below 0 at low
      const Vec3 middle = lerp(low, high, 0.5f);
      (change(middle) < 0 ? low : high) = middle;
    }
    // Not onto a corner itself.
    const float whole = distance(surface.positions[a], surface.positions[b]);
    const float share =
        clamp(distance(surface.positions[a], low) / max(whole, 1e-9f), 0.05f, 0.95f);
    return lerp(surface.positions[a], surface.positions[b], share);
  });
}

}  // namespace

Surface half_surface(const BodyShape& shape, float cell) {
  Surface surface = SurfaceNets(shape, cell).extract();
  keep_left_half(surface, cell);
  cut_seams(surface, shape);
  return surface;
}

Surface mirror_join(const Surface& half) {
  Surface out = half;
  std::vector<std::uint32_t> partner;
  for (std::size_t v = 0; v < half.positions.size(); ++v) {
    const Vec3 p = half.positions[v];
    if (p.x == 0) {
      partner.push_back(static_cast<std::uint32_t>(v));
      continue;
    }
    partner.push_back(static_cast<std::uint32_t>(out.positions.size()));
    out.positions.push_back({-p.x, p.y, p.z});
  }
  for (std::size_t i = 0; i < half.triangles.size(); ++i) {
    const auto& t = half.triangles[i];
    out.triangles.push_back({partner[t[0]], partner[t[2]], partner[t[1]]});
    out.labels.push_back(half.labels[i]);
  }
  return out;
}

}  // namespace sinew::make_assets
