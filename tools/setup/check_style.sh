#!/usr/bin/env bash
# clang-format over all sources; --fix formats them, --tidy runs clang-tidy as well, --analyze also its
# slow path-sensitive checks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/setup/setup.sh

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' '*.h')
if [[ "${1:-}" == --fix ]]; then
  clang-format-19 -i "${sources[@]}"
  exit
fi
say "checking the format of ${#sources[@]} files"
clang-format-19 --dry-run --Werror "${sources[@]}" 2>&1 | head -40 || true
clang-format-19 --dry-run --Werror "${sources[@]}" > /dev/null 2>&1 ||
  fail "format differs; mend it with tools/setup/check_style.sh --fix"

# Nothing in the repository speaks of the machine that it was written on.
if git grep -nE '/(home|work|root)/[a-z]' -- . ':!tools/setup/check_style.sh'; then
  fail "an absolute path stands in the lines above"
fi

checks=()
case "${1:-}" in
  --tidy) checks=('--checks=-clang-analyzer-*') ;;
  --analyze) ;;
  *) exit 0 ;;
esac
# The build in batches does not list the single files; the clang one does.
configure clang SINEW_UNITY=OFF SINEW_TOOLS=OFF
say "clang-tidy"
mapfile -t units < <(git ls-files 'src/*.cpp')
printf '%s\n' "${units[@]}" |
  xargs -P "$jobs" -n 4 clang-tidy-19 -p build/clang --quiet "${checks[@]}" 2> build/tidy.err > build/tidy.log ||
  { grep -E 'error|warning' build/tidy.log | sort -u | head -40 >&2; fail "clang-tidy found the lines above (whole log: build/tidy.log)"; }
