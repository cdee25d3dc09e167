#include "encoder.hpp"

#include <algorithm>
#include <cassert>

#include <sinew/base/text.hpp>

namespace sinew::codec {
namespace {

// Share of the allowed error that a channel may move and still count as constant.
constexpr double kConstantShare = 0.02;
constexpr double kRigidLever = 0.3;  // metres, for that purpose
// A rotation whose w falls below this somewhere cannot be kept without it.
constexpr double kSmallestW = 0.25;
// Share of the allowed error that rebuilding w after interpolation may cost between two keys.
constexpr double kInterpolationShare = 0.25;
constexpr std::size_t kSearchSamples = 1536;

double& component(Vec3d& v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }

std::int32_t nearest(double x) {
  const double r = x < 0 ? x - 0.5 : x + 0.5;
  return static_cast<std::int32_t>(std::clamp(r, -8388607.0, 8388607.0));
}

double decoded_value(std::int32_t q, float step) {
  return static_cast<double>(static_cast<float>(q) * step);  // in float, as the decoder does
}

}  // namespace

Encoder::Encoder(const Clip& clip, const Skeleton& skeleton, const CompressionSettings& settings)
    : clip_(clip), skeleton_(skeleton), settings_(settings) {
  const auto n = static_cast<std::size_t>(skeleton.joint_count());
  plans_.resize(n);
  subtree_.resize(n);
  joint_error_.assign(n, 0);
  joint_error_sample_.assign(n, 0);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    for (int at = j; at != kNoJoint; at = skeleton.parent(at))
      subtree_[static_cast<std::size_t>(at)].push_back(j);
  }
  plan();
}

Transform Encoder::source(int sample, int joint) const {
  const int slot = skeleton_.slot(joint);
  return get_lane(clip_.sample(sample)[static_cast<std::size_t>(slot / 4)], slot % 4);
}

void Encoder::plan() {
  for (int j = 0; j < skeleton_.joint_count(); ++j) plan_joint(j);
  find_levers();
}

void Encoder::plan_joint(int joint) {
  JointPlan& plan = plans_[static_cast<std::size_t>(joint)];
  const double bound = static_cast<double>(settings_.max_error) * kConstantShare;
  const Transform first = source(0, joint);
  double moved = 0, turned = 0, scaled = 0;
  for (int i = 1; i < clip_.sample_count(); ++i) {
    const Transform now = source(i, joint);
    moved = std::max(moved, length(to_double(now.translation) - to_double(first.translation)));
    const Quatd d = conjugate(to_double(first.rotation)) * to_double(now.rotation);
    turned = std::max(turned, 2.0 * length({d.x, d.y, d.z}));
    scaled = std::max(scaled, length(to_double(now.scale) - to_double(first.scale)));
  }
  plan.constant = first;
  // Constant rotations are kept without w.
  if (plan.constant.rotation.w < 0) plan.constant.rotation = -plan.constant.rotation;
  const Quat c = plan.constant.rotation;
  plan.constant.rotation.w = sqrt(max(0.0f, 1.0f - (c.x * c.x + c.y * c.y + c.z * c.z)));
  const auto add = [&](int kind) {
    Track track;
    track.joint = joint;
    track.kind = kind;
    if (has_mean(kind)) make_mean(track);
    tracks_.push_back(std::move(track));
    return static_cast<int>(tracks_.size()) - 1;
  };
  if (turned * kRigidLever > bound) plan.rotation = add(kRotation);
  if (moved > bound) plan.translation = add(kTranslation);
  if (scaled * kRigidLever > bound) plan.scale = add(kScale);
}

void Encoder::make_mean(Track& track) {
  Quatd sum{0, 0, 0, 0};
  for (int i = 0; i < clip_.sample_count(); ++i) {
    const Quatd q = to_double(source(i, track.joint).rotation);
    const double sign = dot(sum, q) < 0 ? -1.0 : 1.0;
    sum = {sum.x + sign * q.x, sum.y + sign * q.y, sum.z + sign * q.z, sum.w + sign * q.w};
  }
  Quatd mean = normalize(sum);
  if (mean.w < 0) mean = {-mean.x, -mean.y, -mean.z, -mean.w};
  const double v[3] = {mean.x, mean.y, mean.z};
  for (int c = 0; c < 3; ++c)
    track.mean_bits[c] = static_cast<std::int16_t>(nearest(v[c] * 32767.0));
  track.mean = unpack_mean(track.mean_bits);
  double smallest = 1;
  for (int i = 0; i < clip_.sample_count(); ++i) {
    smallest = std::min(
        smallest, std::abs(dot(to_double(track.mean), to_double(source(i, track.joint).rotation))));
  }
  if (smallest < kSmallestW) track.kind = kWholeRotation;
}

// How far a unit of each component moves the farthest point that rides on it rigidly: the joint's
// own shell, children at constant offsets, and what hangs on these without turning.
void Encoder::find_levers() {
  const auto n = static_cast<std::size_t>(skeleton_.joint_count());
  const auto shell = static_cast<double>(settings_.shell_distance);
  std::vector<std::vector<Vec3d>> rigid(n);  // points in the joint's frame
  for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
    JointPlan& plan = plans_[static_cast<std::size_t>(j)];
    auto& points = rigid[static_cast<std::size_t>(j)];
    const int parent = skeleton_.parent(j);
    if (parent == kNoJoint || plan.translation >= 0) continue;
    auto& above = rigid[static_cast<std::size_t>(parent)];
    const Vec3d offset = to_double(plan.constant.translation);
    above.push_back(offset);
    if (plan.rotation < 0) {
      for (const Vec3d& p : points)
        above.push_back(offset + rotate(to_double(plan.constant.rotation), p));
    }
    JointPlan& parent_plan = plans_[static_cast<std::size_t>(parent)];
    const double size = length(offset);
    const double best =
        parent_plan.aim_child == kNoJoint
            ? shell * 0.5
            : length(to_double(
                  plans_[static_cast<std::size_t>(parent_plan.aim_child)].constant.translation));
    if (size > best) parent_plan.aim_child = j;
  }
  for (Track& track : tracks_) {
    const auto& points = rigid[static_cast<std::size_t>(track.joint)];
    const double scale = 1.0;
    double farthest = shell;
    double about[3] = {shell, shell, shell};
    for (const Vec3d& p : points) {
      farthest = std::max(farthest, length(p) * scale);
      about[0] = std::max(about[0], std::sqrt(p.y * p.y + p.z * p.z));
      about[1] = std::max(about[1], std::sqrt(p.x * p.x + p.z * p.z));
      about[2] = std::max(about[2], std::sqrt(p.x * p.x + p.y * p.y));
    }
    for (int c = 0; c < 4; ++c) {
      switch (track.kind) {
        case kRotation:
        case kFastRotation:
          track.lever[c] = 2.0 * about[c < 3 ? c : 2];
          break;
        case kWholeRotation:
          track.lever[c] = 2.0 * farthest;
          break;
        case kTranslation:
          track.lever[c] = 1.0;
          break;
        default:
          track.lever[c] = farthest;
          break;
      }
    }
    if (track.kind == kRotation) choose_interpolation(track, 2.0 * farthest);
  }
}

// Where w may be rebuilt after interpolation: the chord between two keys is then projected along w
// instead of toward the centre.
void Encoder::choose_interpolation(Track& track, double lever) {
  const Quatd inverse_mean = conjugate(to_double(track.mean));
  const auto relative = [&](int sample) {
    const Quatd r = inverse_mean * normalize(to_double(source(sample, track.joint).rotation));
    return r.w < 0 ? Quatd{-r.x, -r.y, -r.z, -r.w} : r;
  };
  Quatd a = relative(0);
  double largest = 0;
  for (int i = 1; i < clip_.sample_count(); ++i) {
    const Quatd b = relative(i);
    const Vec3d v = (Vec3d{a.x, a.y, a.z} + Vec3d{b.x, b.y, b.z}) * 0.5;
    const Quatd middle = normalize({v.x, v.y, v.z, 0.5 * (a.w + b.w)});
    largest = std::max(largest,
                       length(v - Vec3d{middle.x, middle.y, middle.z}) / std::max(0.1, middle.w));
    a = b;
  }
  if (largest * lever > kInterpolationShare * static_cast<double>(settings_.max_error))
    track.kind = kFastRotation;
}

void Encoder::apply_steps(Track& track, double scale) {
  for (int c = 0; c < 4; ++c) {
    track.step[c] = static_cast<float>(scale * track.share *
                                       static_cast<double>(settings_.max_error) / track.lever[c]);
  }
}

void Encoder::load(std::vector<int> samples) {
  loaded_ = std::move(samples);
  const auto n = static_cast<std::size_t>(skeleton_.joint_count());
  truth_.resize(loaded_.size() * n);
  truth_rotation_.resize(loaded_.size() * n);
  decoded_.resize(loaded_.size() * n);
  for (std::size_t row = 0; row < loaded_.size(); ++row) {
    for (std::size_t j = 0; j < n; ++j) {
      const Transform t = source(loaded_[row], static_cast<int>(j));
      const Quatd q = normalize(to_double(t.rotation));
      const Affine local = make_affine(to_double(t.translation), q, to_double(t.scale));
      const int parent = skeleton_.parent(static_cast<int>(j));
      const std::size_t at = row * n + j;
      if (parent == kNoJoint) {
        truth_[at] = local;
        truth_rotation_[at] = q;
      } else {
        const std::size_t above = row * n + static_cast<std::size_t>(parent);
        truth_[at] = truth_[above] * local;
        truth_rotation_[at] = truth_rotation_[above] * q;
      }
    }
  }
  for (Track& track : tracks_)
    track.q.resize(static_cast<std::size_t>(clip_.sample_count()) *
                   static_cast<std::size_t>(components(track.kind)));
}

Quatd Encoder::quantize_rotation(Track& track, Quatd wanted, std::size_t row) {
  const auto sample = static_cast<std::size_t>(loaded_[row]);
  if (track.kind == kWholeRotation) {
    // Signs follow the source, whose neighbours lie on one half sphere.
    if (dot(wanted, to_double(source(static_cast<int>(sample), track.joint).rotation)) < 0) {
      wanted = {-wanted.x, -wanted.y, -wanted.z, -wanted.w};
    }
    const double v[4] = {wanted.x, wanted.y, wanted.z, wanted.w};
    double d[4];
    for (std::size_t c = 0; c < 4; ++c) {
      const std::int32_t q = nearest(v[c] / static_cast<double>(track.step[0]));
      track.q[sample * 4 + c] = q;
      d[c] = decoded_value(q, track.step[0]);
    }
    return normalize({d[0], d[1], d[2], d[3]});
  }
  const Quatd mean = to_double(track.mean);
  Quatd r = conjugate(mean) * wanted;
  if (r.w < 0) r = {-r.x, -r.y, -r.z, -r.w};
  const double v[3] = {r.x, r.y, r.z};
  double d[3];
  for (std::size_t c = 0; c < 3; ++c) {
    const std::int32_t q = nearest(v[c] / static_cast<double>(track.step[c]));
    track.q[sample * 3 + c] = q;
    d[c] = decoded_value(q, track.step[c]);
  }
  const double rest = 1.0 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  return mean * normalize({d[0], d[1], d[2], std::sqrt(std::max(0.0, rest))});
}

Vec3d Encoder::quantize_vector(Track& track, Vec3d wanted, std::size_t row) {
  const auto sample = static_cast<std::size_t>(loaded_[row]);
  Vec3d out;
  for (int c = 0; c < 3; ++c) {
    const std::int32_t q = nearest(component(wanted, c) / static_cast<double>(track.step[c]));
    track.q[sample * 3 + static_cast<std::size_t>(c)] = q;
    component(out, c) = decoded_value(q, track.step[c]);
  }
  return out;
}

// Encodes one joint over the loaded samples, its parent being done; returns its largest error.
double Encoder::encode_joint(int joint) {
  const auto n = static_cast<std::size_t>(skeleton_.joint_count());
  const JointPlan& plan = plans_[static_cast<std::size_t>(joint)];
  const int parent = skeleton_.parent(joint);
  const auto shell = static_cast<double>(settings_.shell_distance);
  double worst = 0;
  int worst_sample = 0;
  for (std::size_t row = 0; row < loaded_.size(); ++row) {
    const std::size_t at = row * n + static_cast<std::size_t>(joint);
    const Affine& truth = truth_[at];
    Decoded above;
    if (parent != kNoJoint) above = decoded_[row * n + static_cast<std::size_t>(parent)];

    Vec3d translation = to_double(plan.constant.translation);
    if (plan.translation >= 0) {
      const Vec3d wanted = solve(above.model, truth.t - above.model.t);
      translation =
          quantize_vector(tracks_[static_cast<std::size_t>(plan.translation)], wanted, row);
    }
    const Vec3d position = above.model.t + linear(above.model, translation);

    Quatd rotation = to_double(plan.constant.rotation);
    if (plan.rotation >= 0) {
      Quatd wanted = truth_rotation_[at];
      if (plan.aim_child != kNoJoint) {
        const Vec3d child = truth_[row * n + static_cast<std::size_t>(plan.aim_child)].t;
        const Vec3d from = child - truth.t, to = child - position;
        const double size = length(from) * length(to);
        if (size > 1e-12) {
          const Vec3d axis = cross(from, to);
          wanted = normalize(Quatd{axis.x, axis.y, axis.z, size + dot(from, to)}) * wanted;
        }
      }
      rotation = quantize_rotation(tracks_[static_cast<std::size_t>(plan.rotation)],
                                   conjugate(above.rotation) * wanted, row);
    }
    Vec3d scale = to_double(plan.constant.scale);
    if (plan.scale >= 0) {
      const Vec3d wanted = to_double(source(loaded_[row], joint).scale);
      scale = quantize_vector(tracks_[static_cast<std::size_t>(plan.scale)], wanted, row);
    }
    Decoded& out = decoded_[at];
    out.rotation = above.rotation * rotation;
    out.model = above.model * make_affine(translation, rotation, scale);
    const Vec3d d = out.model.t - truth.t;
    for (const Vec3d axis : {out.model.x - truth.x, out.model.y - truth.y, out.model.z - truth.z}) {
      const double e = length(d + axis * shell);
      if (e > worst) {
        worst = e;
        worst_sample = loaded_[row];
      }
    }
  }
  joint_error_[static_cast<std::size_t>(joint)] = worst;
  joint_error_sample_[static_cast<std::size_t>(joint)] = worst_sample;
  return worst;
}

double Encoder::encode(const std::vector<int>& joints) {
  double worst = 0;
  for (int joint : joints) worst = std::max(worst, encode_joint(joint));
  return worst;
}

// Raises the steps of one track after another, leaves first, as long as the error allows.
void Encoder::refine(double scale) {
  const auto bound = static_cast<double>(settings_.max_error);
  for (double factor : {1.6, 1.3, 1.15, 1.07}) {
    for (std::size_t i = tracks_.size(); i-- > 0;) {
      Track& track = tracks_[i];
      const auto& affected = subtree_[static_cast<std::size_t>(track.joint)];
      const double before = track.share;
      track.share = before * factor;
      apply_steps(track, scale);
      double worst = 0;
      for (int joint : affected) {
        worst = std::max(worst, encode_joint(joint));
        if (worst > bound) break;
      }
      if (worst > bound) {
        track.share = before;
        apply_steps(track, scale);
        encode(affected);
      }
    }
  }
}

bool Encoder::search() {
  std::vector<int> all(static_cast<std::size_t>(skeleton_.joint_count()));
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<int>(j);
  const auto bound = static_cast<double>(settings_.max_error);
  const auto error_at = [&](double scale) {
    for (Track& track : tracks_) apply_steps(track, scale);
    return encode(all);
  };
  double low = 0, high = 4;
  for (int i = 0; i < 14; ++i) {
    const double middle = low == 0 && i < 8 ? high * 0.5 : 0.5 * (low + high);
    (error_at(middle) <= bound ? low : high) = middle;
  }
  if (low == 0) return false;
  error_at(low);
  refine(low);
  for (Track& track : tracks_) track.share *= low;
  return true;
}

Status Encoder::run() {
  if (tracks_.empty()) return {};
  std::vector<int> samples;
  const auto count = static_cast<std::size_t>(clip_.sample_count());
  const std::size_t stride =
      std::max<std::size_t>(1, (count + kSearchSamples - 1) / kSearchSamples);
  for (std::size_t i = 0; i < count; i += stride) samples.push_back(static_cast<int>(i));
  load(samples);
  if (!search()) {
    return make_error(
        ErrorCode::kLimit,
        format_text("an error of %g mm is finer than single precision allows at this extent",
                    static_cast<double>(settings_.max_error) * 1000.0),
        "clip '" + clip_.name() + "'");
  }
  std::vector<int> all(static_cast<std::size_t>(skeleton_.joint_count()));
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<int>(j);
  // What the search did not see may err more: then all steps shrink a little and it is done again.
  for (double scale = 1.0; scale > 0.05; scale *= 0.96) {
    for (Track& track : tracks_) apply_steps(track, scale);
    worst_ = {};
    for (std::size_t first = 0; first < count; first += kSearchSamples) {
      std::vector<int> stretch;
      for (std::size_t i = first; i < std::min(count, first + kSearchSamples); ++i)
        stretch.push_back(static_cast<int>(i));
      load(std::move(stretch));
      encode(all);
      for (int j : all) {
        const double e = joint_error_[static_cast<std::size_t>(j)];
        if (e > worst_.error) worst_ = {e, j, joint_error_sample_[static_cast<std::size_t>(j)]};
      }
    }
    if (worst_.error <= static_cast<double>(settings_.max_error)) return {};
  }
  return make_error(ErrorCode::kLimit, "the error asked for cannot be met",
                    "clip '" + clip_.name() + "'");
}

}  // namespace sinew::codec
