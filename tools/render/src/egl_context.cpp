#include "egl_context.hpp"

#include <cstring>
#include <string_view>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

namespace sinew::render {
namespace {

bool has_word(const char* list, std::string_view word) {
  const std::string_view all = list != nullptr ? list : "";
  for (std::size_t at = all.find(word); at != std::string_view::npos; at = all.find(word, at + 1)) {
    const bool starts = at == 0 || all[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (starts && (end == all.size() || all[end] == ' ')) return true;
  }
  return false;
}

// Displays worth trying, best first.
std::vector<EGLDisplay> displays(const char* extensions) {
  std::vector<EGLDisplay> found;
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (get_display == nullptr) return found;
  if (has_word(extensions, "EGL_MESA_platform_surfaceless")) {
    found.push_back(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  const auto query =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  if (query != nullptr && has_word(extensions, "EGL_EXT_platform_device")) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (query(16, devices, &count) == EGL_TRUE) {
      for (EGLint i = 0; i < count; ++i) {
        found.push_back(get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
      }
    }
  }
  return found;
}

EGLContext make_context(EGLDisplay display) {
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (!has_word(extensions, "EGL_KHR_surfaceless_context")) return EGL_NO_CONTEXT;
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return EGL_NO_CONTEXT;
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!has_word(extensions, "EGL_KHR_no_config_context")) {
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLint count = 0;
    if (eglChooseConfig(display, wanted, &config, 1, &count) != EGL_TRUE || count == 0) {
      return EGL_NO_CONTEXT;
    }
  }
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

}  // namespace

Result<std::unique_ptr<EglContext>> EglContext::create() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const std::vector<EGLDisplay> tried = displays(extensions);
  for (EGLDisplay display : tried) {
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) continue;
    EGLContext handle = make_context(display);
    if (handle == EGL_NO_CONTEXT) continue;
    std::unique_ptr<EglContext> context(new EglContext(display, handle));
    if (context->make_current()) return context;
  }
  return make_error(ErrorCode::kUnsupported,
                    "no OpenGL 3.3 without a display (" + std::to_string(tried.size()) +
                        " EGL platforms tried); install the package 'libgl1-mesa-dri'");
}

EglContext::~EglContext() {
  if (eglGetCurrentContext() == context_) {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  // The display stays initialized: it is shared by all contexts of the process.
  eglDestroyContext(display_, context_);
}

bool EglContext::make_current() {
  if (eglGetCurrentContext() == context_) return true;
  return eglBindAPI(EGL_OPENGL_API) == EGL_TRUE &&
         eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
}

}  // namespace sinew::render
