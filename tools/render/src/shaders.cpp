#include "shaders.hpp"

namespace sinew::render::shaders {

// Shared by surfaces and ground: how much of the key light arrives, from a depth map seen from the
// light, averaged over 4 x 4 places (each itself a 2 x 2 average) to soften the edge.
const char* const kShadowCode = R"(
uniform sampler2DShadow u_shadow_map;
uniform mat4 u_shadow;
uniform float u_shadow_step;    // between samples, share of the map
uniform float u_shadow_offset;  // along the normal, metres
float key_visibility(vec3 world, vec3 normal) {
  vec3 p = (u_shadow * vec4(world + normal * u_shadow_offset, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      vec2 at = p.xy + (vec2(float(x), float(y)) - 1.5) * u_shadow_step;
      sum += texture(u_shadow_map, vec3(at, p.z));
    }
  }
  return sum * (1.0 / 16.0);
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
// compressed toward white. After the "PBR Neutral" curve of the Khronos group.
vec3 tone_map(vec3 c) {
  float low = min(c.r, min(c.g, c.b));
  c -= low < 0.08 ? low - 6.25 * low * low : 0.04;
  float peak = max(c.r, max(c.g, c.b));
  if (peak < 0.76) return c;
  float d = 1.0 - 0.76;
  float squeezed = 1.0 - d * d / (peak + d - 0.76);
  c *= squeezed / peak;
  return mix(vec3(squeezed), c, 1.0 / (0.15 * (peak - squeezed) + 1.0));
}
vec3 to_srgb(vec3 c) {
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
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
  float visible = aligned > -0.2 ? key_visibility(v_world, n) : 0.0;
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
  float rim = pow(1.0 - facing, 3.0);
  vec3 light = ambient * (0.42 + 0.16 * facing) + u_key * (1.02 * key * visible);
  vec3 half_way = normalize(to_eye + u_to_light);
  float gloss = pow(max(dot(n, half_way), 0.0), 24.0) * visible * max(aligned, 0.0);
  vec3 color = base.rgb * light + u_key * (0.07 * gloss) + ambient * (0.10 * rim * up);
  o_color = vec4(to_srgb(tone_map(color)), base.a);
}
)";

const char* const kGroundFragment = R"(
in vec3 v_world;
in vec3 v_normal;
out vec4 o_color;
uniform vec3 u_eye;
uniform vec3 u_to_light;
uniform float u_key_level;
uniform float u_ambient;
uniform vec3 u_ground;
uniform vec4 u_lines;      // colour and opacity
uniform float u_step;      // 0: no grid
uniform float u_axes;
uniform vec3 u_centre;
uniform float u_radius;
uniform vec3 u_horizon;
uniform sampler2D u_contact_map;
uniform vec4 u_contact;    // world x, z -> map: xy scale, zw offset; scale 0: none

// Coverage of lines at whole numbers, `width` wide, in the two directions; never thinner than a
// pixel, but fainter instead, and a mere tone where lines come closer than pixels.
vec2 lines(vec2 at, vec2 pixel, float width) {
  vec2 distance = abs(fract(at - 0.5) - 0.5);
  vec2 drawn = max(vec2(width), pixel);
  vec2 cover = 1.0 - smoothstep(0.5 * drawn - 0.5 * pixel, 0.5 * drawn + 0.5 * pixel, distance);
  cover *= width / drawn;
  return mix(cover, vec2(width), clamp(pixel * 2.0 - 0.6, 0.0, 1.0));
}

void main() {
#ifdef TERRAIN
  vec3 n = dot(v_normal, v_normal) > 0.01 ? v_normal : cross(dFdx(v_world), dFdy(v_world));
  n = normalize(n);
  if (dot(n, u_eye - v_world) < 0.0) n = -n;
#else
  const vec3 n = vec3(0.0, 1.0, 0.0);
#endif
  float away = length(v_world.xz - u_centre.xz);
  float fade = 1.0 - smoothstep(0.25 * u_radius, u_radius, away);
  float visible = key_visibility(v_world, n);
  // Relative to open flat ground, which has exactly the colour that was asked for.
  float ndotl = max(dot(n, u_to_light), 0.0);
  float shade = (u_ambient * (0.75 + 0.25 * n.y) + u_key_level * ndotl * visible) /
                (u_ambient + u_key_level * max(u_to_light.y, 0.0));
  vec3 color = u_ground * mix(vec3(shade), vec3(1.0), vec3(-0.02, 0.0, 0.06) * (1.0 - visible));
#ifndef TERRAIN
  if (u_contact.x > 0.0) {
    vec2 at = v_world.xz * u_contact.xy + u_contact.zw;
    if (all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(1.0)))) {
      color *= 1.0 - 0.62 * texture(u_contact_map, at).r;
    }
  }
#endif
  if (u_step > 0.0) {
    vec2 at = v_world.xz;
#ifdef TERRAIN
    vec3 a = abs(n);
    if (a.y < 0.6) at = a.x > a.z ? v_world.zy : v_world.xy;
#endif
    vec2 scaled = at / u_step;
    vec2 pixel = max(abs(dFdx(scaled)), abs(dFdy(scaled))) + 1e-6;
    vec2 fine = lines(scaled, pixel, 0.014);
    vec2 bold = lines(scaled / 5.0, pixel / 5.0, 0.006);
    float cover = max(max(fine.x, fine.y) * 0.75, max(bold.x, bold.y));
    color = mix(color, u_lines.rgb * mix(0.75, 1.0, shade), cover * u_lines.a);
#ifndef TERRAIN
    if (u_axes > 0.0) {
      vec2 width = max(vec2(0.02), 1.5 * pixel * u_step);
      vec2 axis = 1.0 - smoothstep(0.5 * width, 0.5 * width + pixel * u_step, abs(v_world.xz));
      color = mix(color, vec3(0.80, 0.33, 0.32), axis.y * 0.75 * u_lines.a);
      color = mix(color, vec3(0.26, 0.45, 0.80), axis.x * 0.75 * u_lines.a);
    }
#endif
  }
  o_color = vec4(mix(u_horizon, color, fade), 1.0);
}
)";

const char* const kDepthFragment = R"(
in vec2 v_uv;
in vec4 v_color;
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
in vec3 v_world;
out vec4 o_color;
uniform float u_ground_height;
uniform float u_reach;
void main() {
  float height = clamp((v_world.y - u_ground_height) / u_reach, 0.0, 1.0);
  float near = 1.0 - height;
  o_color = vec4(near * near * near);
}
)";

const char* const kBlurFragment = R"(
in vec2 v_screen;
out vec4 o_color;
uniform sampler2D u_image;
uniform vec2 u_direction;  // to the next sample
void main() {
  vec2 at = v_screen * 0.5 + 0.5;
  float sum = texture(u_image, at).r * 0.2;
  sum += (texture(u_image, at + u_direction).r + texture(u_image, at - u_direction).r) * 0.175;
  sum += (texture(u_image, at + 2.0 * u_direction).r +
          texture(u_image, at - 2.0 * u_direction).r) * 0.125;
  sum += (texture(u_image, at + 3.0 * u_direction).r +
          texture(u_image, at - 3.0 * u_direction).r) * 0.07;
  sum += (texture(u_image, at + 4.0 * u_direction).r +
          texture(u_image, at - 4.0 * u_direction).r) * 0.03;
  o_color = vec4(sum);
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
