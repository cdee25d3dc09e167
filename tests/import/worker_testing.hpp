// Tests that need the import worker, and what they say where it is not built.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#if !defined(SINEW_IMPORT_WORKER_PATH)
#define SINEW_IMPORT_WORKER_PATH ""
#endif

#define SINEW_SKIP_WITHOUT_WORKER()                                          \
  do {                                                                       \
    if (std::string_view(SINEW_IMPORT_WORKER_PATH).empty()) {                \
      GTEST_SKIP() << "the import worker is not built (SINEW_TOOLS is off)"; \
    }                                                                        \
  } while (false)
