// An OpenGL 3.3 context without a window.
#pragma once

#include <memory>

#include <sinew/base/result.hpp>

namespace sinew::render {

class EglContext {
 public:
  // Tries Mesa's surfaceless platform, then each EGL device.
  static Result<std::unique_ptr<EglContext>> create();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  // To be called before any OpenGL call of this thread; cheap.
  bool make_current();

 private:
  EglContext(void* display, void* context) : display_(display), context_(context) {}
  void* display_;
  void* context_;
};

}  // namespace sinew::render
