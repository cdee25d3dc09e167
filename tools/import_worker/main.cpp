// sinew-import-worker FILE SECONDS BYTES
//
// Reads a Collada file with assimp under limits of processor time and memory and writes what it
// found to standard output, in the form of worker_scene.hpp. Started by the importer, not by
// people: assimp is not safe on hostile files, so that it lives in a process which may die.
#include <cstdlib>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "read_scene.hpp"

namespace {

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  ::setrlimit(resource, &value);
}

void set_limits(const char* seconds, const char* bytes) {
  limit(RLIMIT_CPU, static_cast<rlim_t>(std::strtoul(seconds, nullptr, 10)));
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);  // of files: pipes are free
  // The address sanitizer reserves far more than it uses.
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_AS, static_cast<rlim_t>(std::strtoull(bytes, nullptr, 10)));
#else
  (void)bytes;
#endif
}

bool write_all(const std::string& bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  set_limits(argv[2], argv[3]);
  return write_all(sinew::read_scene_file(argv[1])) ? 0 : 1;
}
