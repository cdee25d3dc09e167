# Sourced by ./run and ./test: installs what is missing, configures, builds.
# shellcheck shell=bash

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# The packages of the list, up to the section of ./test if the argument is "run".
wanted_packages() {
  local name unless command
  while read -r name unless command; do
    case "$name" in
      '' ) continue ;;
      '#' ) [[ "$1" == run && "$unless $command" == "./test "* ]] && return; continue ;;
    esac
    [[ "$unless" == unless ]] && command -v "$command" > /dev/null && continue
    printf '%s\n' "$name"
  done < tools/setup/packages.txt
}

install_packages() {
  local purpose=$1 stamp=build/.packages-$1
  local sum
  sum=$(cksum < tools/setup/packages.txt)
  [[ -f "$stamp" && "$(cat "$stamp")" == "$sum" ]] && return
  local missing=() name
  while read -r name; do
    [[ "$(dpkg-query -W -f '${Status}' "$name" 2> /dev/null)" == "install ok installed" ]] || missing+=("$name")
  done < <(wanted_packages "$purpose")
  if (( ${#missing[@]} )); then
    command -v apt-get > /dev/null || fail "this set-up needs Debian's apt-get; install by hand: ${missing[*]}"
    local as_root=()
    if [[ $(id -u) != 0 ]]; then
      command -v sudo > /dev/null || fail "installing packages needs root: run this as root or with sudo at hand"
      sudo -v || fail "installing packages needs root, and sudo refused"
      as_root=(sudo)
    fi
    say "installing ${#missing[@]} packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq || fail "apt-get update failed; is there a network?"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
      > build/apt.log 2>&1 || { tail -20 build/apt.log >&2; fail "apt-get install failed (whole log: build/apt.log)"; }
  fi
  printf '%s' "$sum" > "$stamp"
}

# configure PRESET [NAME=VALUE...]: only where it has not been done yet, or with other values.
configure() {
  local preset=$1 wanted done=yes
  shift
  for wanted in "$@"; do
    grep -qs "^${wanted%%=*}:[A-Z]*=${wanted#*=}$" "build/$preset/CMakeCache.txt" || done=no
  done
  # A clean build in batches takes a third of the time.
  [[ " $*" == *" SINEW_UNITY="* ]] || set -- SINEW_UNITY=ON "$@"
  set -- "${@/#/-D}"
  if [[ ! -f build/$preset/build.ninja || $done == no ]]; then
    cmake --preset "$preset" "$@" > "build/configure-$preset.log" 2>&1 ||
      { tail -20 "build/configure-$preset.log" >&2; fail "configuring $preset failed"; }
  fi
}

# build PRESET [target...]: quiet unless it fails; the progress of ninja on a terminal.
build() {
  local preset=$1
  shift
  local targets=()
  (( $# )) && targets=(--target "$@")
  if [[ -t 2 ]]; then
    cmake --build "build/$preset" -j "$jobs" "${targets[@]}" >&2 || fail "the build of $preset failed"
  else
    cmake --build "build/$preset" -j "$jobs" "${targets[@]}" > "build/build-$preset.log" 2>&1 ||
      { grep -v '^\[' "build/build-$preset.log" | head -60 >&2; fail "the build of $preset failed (whole log: build/build-$preset.log)"; }
  fi
}

export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
jobs=$(nproc)
mkdir -p build
