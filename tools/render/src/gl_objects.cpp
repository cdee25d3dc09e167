#include "gl_objects.hpp"

#include <vector>

namespace sinew::render {
namespace {

Result<GLuint> compile(GLenum stage, std::string_view name, std::string_view defines,
                       std::string_view text) {
  const std::string source =
      "#version 330 core\n" + std::string(defines) + "\n" + std::string(text);
  const GLuint shader = glCreateShader(stage);
  const char* pointer = source.c_str();
  glShaderSource(shader, 1, &pointer, nullptr);
  glCompileShader(shader);
  GLint fine = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine != 0) return shader;
  std::vector<char> log(2048);
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  return make_error(ErrorCode::kInternal, log.data(), "shader " + std::string(name));
}

}  // namespace

GlBuffer make_buffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return GlBuffer(name);
}

GlVertexArray make_vertex_array() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return GlVertexArray(name);
}

GlFramebuffer make_framebuffer() {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  return GlFramebuffer(name);
}

GlTexture make_texture(GLint internal_format, int width, int height, GLenum format, GLenum type) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexImage2D(GL_TEXTURE_2D, 0, internal_format, width, height, 0, format, type, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return GlTexture(name);
}

GlRenderbuffer make_renderbuffer(GLenum format, int width, int height, int samples) {
  GLuint name = 0;
  glGenRenderbuffers(1, &name);
  glBindRenderbuffer(GL_RENDERBUFFER, name);
  if (samples > 1) {
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  } else {
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
  }
  return GlRenderbuffer(name);
}

Result<GlProgram> GlProgram::build(std::string_view name, std::string_view vertex,
                                   std::string_view fragment, std::string_view defines) {
  auto v = compile(GL_VERTEX_SHADER, name, defines, vertex);
  if (!v) return v.error();
  auto f = compile(GL_FRAGMENT_SHADER, name, defines, fragment);
  if (!f) {
    glDeleteShader(*v);
    return f.error();
  }
  GlProgram program;
  program.name_ = GlName<DeleteProgram>(glCreateProgram());
  const GLuint handle = program.name_.get();
  glAttachShader(handle, *v);
  glAttachShader(handle, *f);
  glLinkProgram(handle);
  glDeleteShader(*v);
  glDeleteShader(*f);
  GLint fine = 0;
  glGetProgramiv(handle, GL_LINK_STATUS, &fine);
  if (fine != 0) return program;
  std::vector<char> log(2048);
  glGetProgramInfoLog(handle, static_cast<GLsizei>(log.size()), nullptr, log.data());
  return make_error(ErrorCode::kInternal, log.data(), "shader " + std::string(name));
}

}  // namespace sinew::render
