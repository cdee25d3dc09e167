#include "shaders.hpp"

namespace sinew::render::shaders {

// Shared by surfaces and ground: how much of the key light arrives, from a depth map seen from the
// light, averaged over 4 x 4 places (each itself a 2 x 2 average) to soften the edge.
const char* const kShadowCode = R"(
uniform sampler2DShadow u_shadow_map;
uniform mat4 u_shadow;
uniform float u_shadow_step;    // between samples, share of the map
uniform float u_shadow_offset;  // along the normal, metres
// `side`: samples a side, 2 or 4; 0 where no light falls anyway.
float key_visibility(vec3 world, vec3 normal, int side) {
  float aside = u_shadow_offset * (side > 2 ? 2.4 : 1.0);  // wider filters see more of a slope
  vec3 p = (u_shadow * vec4(world + normal * aside, 1.0)).xyz * 0.5 + 0.5;
  bool outside = any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p, vec3(1.0)));
  // No branch but a loop of no rounds: Mesa's rasterizer runs both sides of a branch with masks, yet
  // leaves a loop as soon as no pixel needs it.
  int rows = outside ? 0 : side;
  float first = 0.5 - 0.5 * float(side);
  float sum = 0.0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < rows; ++x) {
      vec2 at = p.xy + (vec2(float(x), float(y)) + first) * u_shadow_step;
      sum += texture(u_shadow_map, vec3(at, p.z));
    }
  }
  return outside ? 1.0 : sum / float(max(side * side, 1));
}
)";

const char* const kMeshVertex = R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec2 a_uv;
layout(location = 3) in vec4 a_color;
uniform mat4 u_world;
uniform mat4 u_normal_map;
uniform mat4 u_view_proj;
out vec3 v_world;
out vec3 v_normal;
out vec2 v_uv;
out vec4 v_color;
void main() {
  vec4 world = u_world * vec4(a_position, 1.0);
  vec3 n = mat3(u_normal_map) * a_normal;
  float l = length(n);
  v_world = world.xyz;
  v_normal = l > 0.0 ? n / l : vec3(0.0);
  v_uv = a_uv;
  v_color = a_color;
  gl_Position = u_view_proj * world;
}
)";

const char* const kDepthVertex = R"(
layout(location = 0) in vec3 a_position;
layout(location = 2) in vec2 a_uv;
layout(location = 3) in vec4 a_color;
uniform mat4 u_world;
uniform mat4 u_view_proj;
#ifdef MASK
out vec2 v_uv;
out vec4 v_color;
#endif
#ifdef HEIGHT
out float v_height;
#endif
void main() {
  vec4 world = u_world * vec4(a_position, 1.0);
#ifdef MASK
  v_uv = a_uv;
  v_color = a_color;
#endif
#ifdef HEIGHT
  v_height = world.y;
#endif
  gl_Position = u_view_proj * world;
}
)";

const char* const kMeshFragment = R"(
in vec3 v_world;
in vec3 v_normal;
in vec2 v_uv;
in vec4 v_color;
out vec4 o_color;
uniform sampler2D u_image;
uniform vec4 u_base_color;
uniform float u_cutoff;
uniform vec3 u_eye;
uniform vec3 u_to_light;
uniform vec3 u_key;
uniform float u_ambient;
uniform float u_ground_height;

// Colours up to 0.76 stay as they are, so that textures look as painted; what is brighter is
// compressed toward white. The shoulder of the "PBR Neutral" curve of the Khronos group.
vec3 tone_map(vec3 c) {
  float low = min(c.r, min(c.g, c.b));
  c -= low < 0.08 ? 0.45 * (low - 6.25 * low * low) : 0.018;  // a little more contrast below
  float peak = max(c.r, max(c.g, c.b));
  if (peak < 0.76) return c;
  float d = 1.0 - 0.76;
  float squeezed = 1.0 - d * d / (peak + d - 0.76);
  c *= squeezed / peak;
  return mix(vec3(squeezed), c, 1.0 / (0.15 * (peak - squeezed) + 1.0));
}
// The sRGB curve fitted by roots, which are much cheaper than powers; within 1.7 / 255.
vec3 to_srgb(vec3 c) {
  vec3 a = sqrt(c), b = sqrt(a);
  return 1.2376653 * a + 0.0618143 * b - 0.0773340 * sqrt(b) - 0.2288146 * c;
}

void main() {
  vec4 base = texture(u_image, v_uv) * u_base_color * v_color;
#ifdef MASK
  if (base.a < u_cutoff) discard;
  base.a = 1.0;
#endif
  vec3 to_eye = normalize(u_eye - v_world);
  // The side that is seen counts, whichever way windings and normals run.
  vec3 flat_normal = cross(dFdx(v_world), dFdy(v_world));
  if (dot(flat_normal, to_eye) < 0.0) flat_normal = -flat_normal;
  vec3 n = dot(v_normal, v_normal) > 0.01 ? v_normal : flat_normal;
  if (dot(n, flat_normal) < 0.0) n = -n;
  n = normalize(n);

  float aligned = dot(n, u_to_light);
  float visible = key_visibility(v_world, n, aligned > -0.2 ? 2 : 0);
  // Wrapped a little around the body: a large studio light.
  float key = max((aligned + 0.2) / 1.2, 0.0);
  key *= key * 0.4 + 0.6;
  float up = n.y * 0.5 + 0.5;
  float low = clamp((v_world.y - u_ground_height) * 2.0 + 0.35, 0.0, 1.0);
  vec3 bounce = vec3(0.50, 0.47, 0.44) * mix(0.55, 1.0, low);
  vec3 ambient = mix(bounce, vec3(0.78, 0.83, 0.90), up) * u_ambient;
  // A faint light from the viewer keeps forms readable on the dark side, and a rim parts the
  // figure from what is behind it.
  float facing = max(dot(n, to_eye), 0.0);
  float rim = (1.0 - facing) * (1.0 - facing) * (1.0 - facing);
  vec3 light = ambient * (0.42 + 0.16 * facing) + u_key * (1.02 * key * visible);
  vec3 half_way = normalize(to_eye + u_to_light);
  float gloss = max(dot(n, half_way), 0.0);
  gloss *= gloss;
  gloss *= gloss;
  gloss *= gloss;
  gloss *= gloss * gloss * visible * max(aligned, 0.0);
  vec3 color = base.rgb * light + u_key * (0.07 * gloss) + ambient * (0.10 * rim * up);
  o_color = vec4(to_srgb(tone_map(color)), base.a);
}
)";

const char* const kGroundVertex = R"(
layout(location = 0) in vec3 a_position;
uniform mat4 u_view_proj;
out vec3 v_world;
void main() {
  v_world = a_position;
  gl_Position = u_view_proj * vec4(a_position, 1.0);
}
)";

const char* const kGroundFragment = R"(
in vec3 v_world;
#ifdef TERRAIN
in vec3 v_normal;
#endif
out vec4 o_color;
uniform vec3 u_eye;
uniform vec3 u_to_light;
uniform float u_key_level;
uniform float u_ambient;
uniform vec3 u_ground;
uniform vec4 u_lines;      // colour and opacity
uniform float u_per_step;  // lines a metre
uniform float u_axes;
uniform vec3 u_centre;
uniform float u_radius;
uniform vec3 u_horizon;
uniform sampler2D u_ground_map;  // shadow, contact shadow
uniform vec4 u_place;            // world x, z -> map: xy scale, zw offset

void main() {
#ifdef TERRAIN
  vec3 n = dot(v_normal, v_normal) > 0.01 ? v_normal : cross(dFdx(v_world), dFdy(v_world));
  n = normalize(n);
  if (dot(n, u_eye - v_world) < 0.0) n = -n;
  float visible = key_visibility(v_world, n, 4);
  float contact = 0.0;
#else
  const vec3 n = vec3(0.0, 1.0, 0.0);
  vec2 on_map = v_world.xz * u_place.xy + u_place.zw;
  // The map's edge is empty, so that clamping to it is right everywhere.
  vec2 shadow = texture(u_ground_map, on_map).rg;
  float visible = 1.0 - shadow.r;
  float contact = shadow.g;
#endif
  float away = length(v_world.xz - u_centre.xz);
  float fade = 1.0 - smoothstep(0.25 * u_radius, u_radius, away);
  // Relative to open flat ground, which has exactly the colour that was asked for.
  float ndotl = max(dot(n, u_to_light), 0.0);
  float shade = (u_ambient * (0.75 + 0.25 * n.y) + u_key_level * ndotl * visible) /
                (u_ambient + u_key_level * max(u_to_light.y, 0.0));
  vec3 color = u_ground * mix(vec3(shade), vec3(1.0), vec3(-0.02, 0.0, 0.06) * (1.0 - visible));
  color *= 1.0 - 0.62 * contact;
  // Grid lines, never thinner than a pixel, but fainter instead, and a mere tone where lines come
  // closer than pixels. Every fifth is bold; those through the origin are the axes.
  vec2 at = v_world.xz;
#ifdef TERRAIN
  vec3 a = abs(n);
  if (a.y < 0.6) at = a.x > a.z ? v_world.zy : v_world.xy;
#endif
  at *= u_per_step;
  vec2 pixel = max(abs(dFdx(at)), abs(dFdy(at))) + 1e-6;
  vec2 nearest = floor(at + 0.5);
  vec2 bold = step(abs(fract(nearest * 0.2 + 0.5) - 0.5), vec2(0.05));
  vec2 wide = mix(vec2(0.014), vec2(0.026), bold);
  vec2 drawn = max(wide, pixel);
  vec2 cover = clamp((0.5 * (drawn + pixel) - abs(at - nearest)) / pixel, 0.0, 1.0) * wide / drawn;
  cover = mix(cover, vec2(0.014), clamp(pixel * 2.0 - 0.6, 0.0, 1.0)) * mix(0.75, 1.0, max(bold.x, bold.y));
  vec3 line_color = u_lines.rgb * mix(0.75, 1.0, shade);
#ifndef TERRAIN
  vec2 axis = step(abs(nearest), vec2(0.25)) * u_axes;
  cover *= 1.0 + 0.35 * axis;
  vec3 along_z = mix(line_color, vec3(0.36, 0.51, 0.80), axis.x);
  vec3 along_x = mix(line_color, vec3(0.80, 0.41, 0.40), axis.y);
  line_color = cover.x > cover.y ? along_z : along_x;
#endif
  color = mix(color, line_color, min(max(cover.x, cover.y), 1.0) * u_lines.a);
  o_color = vec4(mix(u_horizon, color, fade), 1.0);
}
)";

const char* const kDepthFragment = R"(
#ifdef MASK
in vec2 v_uv;
in vec4 v_color;
#endif
uniform sampler2D u_image;
uniform vec4 u_base_color;
uniform float u_cutoff;
void main() {
#ifdef MASK
  if (texture(u_image, v_uv).a * u_base_color.a * v_color.a < u_cutoff) discard;
#endif
}
)";

const char* const kScreenVertex = R"(
out vec2 v_screen;
uniform float u_depth;
void main() {
  v_screen = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
  gl_Position = vec4(v_screen, u_depth, 1.0);
}
)";

const char* const kBackdropFragment = R"(
in vec2 v_screen;
out vec4 o_color;
uniform vec3 u_ray;        // of the picture's middle
uniform vec3 u_ray_x;      // to its right and lower edge (the picture is upside down)
uniform vec3 u_ray_y;
uniform vec3 u_horizon;
uniform vec3 u_zenith;
void main() {
  vec3 ray = normalize(u_ray + v_screen.x * u_ray_x + v_screen.y * u_ray_y);
  o_color = vec4(mix(u_horizon, u_zenith, smoothstep(0.0, 0.75, ray.y)), 1.0);
}
)";

const char* const kContactFragment = R"(
in float v_height;
out vec4 o_color;
uniform float u_ground_height;
uniform float u_reach;
void main() {  // nothing above the reach gets here: the projection clips it
  float height = clamp((v_height - u_ground_height) / u_reach, 0.0, 1.0);
  float near = 1.0 - height;
  o_color = vec4(near * near * near);
}
)";

const char* const kFlatFragment = R"(
out vec4 o_color;
void main() { o_color = vec4(1.0); }
)";

// Nine binomial weights by five samples, each between two pixels.
const char* const kBlurFragment = R"(
in vec2 v_screen;
out vec4 o_color;
uniform sampler2D u_image;
uniform vec2 u_direction;  // of one step
void main() {
  vec2 at = v_screen * 0.5 + 0.5;
  vec2 near = 1.3846154 * u_direction, far = 3.2307692 * u_direction;
  vec2 sum = texture(u_image, at).rg * 0.2270270;
  sum += (texture(u_image, at + near).rg + texture(u_image, at - near).rg) * 0.3162162;
  sum += (texture(u_image, at + far).rg + texture(u_image, at - far).rg) * 0.0702703;
  o_color = vec4(sum, 0.0, 0.0);
}
)";

const char* const kSolidVertex = R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_color;
uniform mat4 u_view_proj;
out vec3 v_world;
out vec3 v_normal;
out vec4 v_color;
void main() {
  v_world = a_position;
  v_normal = a_normal;
  v_color = a_color;
  gl_Position = u_view_proj * vec4(a_position, 1.0);
}
)";

const char* const kSolidFragment = R"(
in vec3 v_world;
in vec3 v_normal;
in vec4 v_color;
out vec4 o_color;
uniform vec3 u_eye;
uniform vec3 u_to_light;
void main() {
  vec3 to_eye = normalize(u_eye - v_world);
  vec3 n = normalize(v_normal);
  if (dot(n, to_eye) < 0.0) n = -n;
  float light = 0.55 + 0.30 * max(dot(n, u_to_light), 0.0) + 0.25 * max(dot(n, to_eye), 0.0);
  o_color = vec4(v_color.rgb * light, v_color.a);
}
)";

const char* const kMarkVertex = R"(
layout(location = 0) in vec4 a_clip;
layout(location = 1) in vec4 a_color;
layout(location = 2) in vec2 a_inside;
out vec4 v_color;
out vec2 v_inside;
void main() {
  v_color = a_color;
  v_inside = a_inside;
  gl_Position = a_clip;
}
)";

const char* const kMarkFragment = R"(
in vec4 v_color;
in vec2 v_inside;   // a disc of radius 1; lines stay at 0
out vec4 o_color;
uniform float u_opacity;
void main() {
  float r = length(v_inside);
  float w = fwidth(r);
  float cover = 1.0 - smoothstep(1.0 - w, 1.0, r);
  float border = smoothstep(0.62 - w, 0.62, r) * 0.45;
  o_color = vec4(v_color.rgb * (1.0 - border), v_color.a * cover * u_opacity);
}
)";

}  // namespace sinew::render::shaders
