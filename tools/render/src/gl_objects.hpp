// OpenGL names that delete themselves, and the few calls that every pass makes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <epoxy/gl.h>

#include <sinew/base/result.hpp>
#include <sinew/math/transform.hpp>

#include "mat4.hpp"

namespace sinew::render {

// An OpenGL name with its own deleter. The context must be current when it dies.
template <class Deleter>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint name) : name_(name) {}
  GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlName() {
    if (name_ != 0) Deleter()(name_);
  }
  GLuint get() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

struct DeleteBuffer {
  void operator()(GLuint n) const { glDeleteBuffers(1, &n); }
};
struct DeleteArray {
  void operator()(GLuint n) const { glDeleteVertexArrays(1, &n); }
};
struct DeleteTexture {
  void operator()(GLuint n) const { glDeleteTextures(1, &n); }
};
struct DeleteTarget {
  void operator()(GLuint n) const { glDeleteFramebuffers(1, &n); }
};
struct DeleteRenderbuffer {
  void operator()(GLuint n) const { glDeleteRenderbuffers(1, &n); }
};
struct DeleteProgram {
  void operator()(GLuint n) const { glDeleteProgram(n); }
};
using GlBuffer = GlName<DeleteBuffer>;
using GlVertexArray = GlName<DeleteArray>;
using GlTexture = GlName<DeleteTexture>;
using GlFramebuffer = GlName<DeleteTarget>;
using GlRenderbuffer = GlName<DeleteRenderbuffer>;

GlBuffer make_buffer();
GlVertexArray make_vertex_array();
GlFramebuffer make_framebuffer();
// One level, linear filter, clamped to the edge.
GlTexture make_texture(GLint internal_format, int width, int height, GLenum format, GLenum type);
GlRenderbuffer make_renderbuffer(GLenum format, int width, int height, int samples);

// A linked pair of shaders. Uniforms that the compiler removed are skipped silently.
class GlProgram {
 public:
  GlProgram() = default;
  // `defines` go behind the version line of both. Errors: the compiler's message.
  static Result<GlProgram> build(std::string_view name, std::string_view vertex,
                                 std::string_view fragment, std::string_view defines = {});
  void use() const { glUseProgram(name_.get()); }

  // For the program in use.
  void set(const char* uniform, int value) const { glUniform1i(at(uniform), value); }
  void set(const char* uniform, float value) const { glUniform1f(at(uniform), value); }
  void set(const char* uniform, Vec2 v) const { glUniform2f(at(uniform), v.x, v.y); }
  void set(const char* uniform, Vec3 v) const { glUniform3f(at(uniform), v.x, v.y, v.z); }
  void set(const char* uniform, Vec4 v) const { glUniform4f(at(uniform), v.x, v.y, v.z, v.w); }
  void set(const char* uniform, const Mat4& m) const {
    glUniformMatrix4fv(at(uniform), 1, GL_FALSE, m.m.data());
  }

 private:
  GLint at(const char* uniform) const { return glGetUniformLocation(name_.get(), uniform); }
  GlName<DeleteProgram> name_;
};

}  // namespace sinew::render
