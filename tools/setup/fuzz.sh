#!/usr/bin/env bash
# Runs each fuzz target on its corpus for the given number of seconds (20 by default).
# A crash leaves its input in build/fuzz and fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/setup/setup.sh
seconds=${1:-20}
shift || true
configure fuzz
say "building the fuzz targets"
build fuzz
for target in build/fuzz/bin/fuzz_*; do
  [[ -x $target ]] || continue
  name=$(basename "$target")
  (( $# )) && [[ " $* " != *" $name "* ]] && continue
  say "$name for $seconds s"
  mkdir -p "build/fuzz/corpus/$name"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
    -artifact_prefix="build/fuzz/" "build/fuzz/corpus/$name" "tests/fuzz/corpus/${name#fuzz_}" > "build/fuzz/$name.log" 2>&1 ||
    { tail -30 "build/fuzz/$name.log" >&2; fail "$name failed; its input lies in build/fuzz"; }
done
