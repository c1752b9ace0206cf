#!/usr/bin/env bash
# tidy.sh [FILE...]: clang-tidy over these source files, or over all that build/tidy compiles, on all cores.
# Prints what it finds; exit code 1 when there is something. Needs `cmake --preset tidy` and generated headers:
# both are made here.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
root=$PWD
[ -e build/tidy/build.ninja ] || cmake --preset tidy > /dev/null
# Generated headers (the FlatBuffers schema) must be there; nothing else is compiled.
mapfile -t generated < <(ninja -C build/tidy -t targets all | sed -n 's/^\([^ :]*_generated\.h\): .*/\1/p')
if [ ${#generated[@]} != 0 ]; then ninja -C build/tidy "${generated[@]}" > /dev/null; fi
if [ $# = 0 ]; then
    # Our own files only: build/ and .sinter/ hold third-party ones.
    mapfile -t files < <(sed -n "s|^ *\"file\": \"$root/\(.*\.cpp\)\",*$|\1|p" build/tidy/compile_commands.json |
        grep -v '^build/\|^\.sinter/' | sort -u)
    set -- "${files[@]}"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
printf '%s\n' "$@" | xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy-19 -p build/tidy --quiet > "$log" 2> /dev/null || status=$?
grep -v '^$' "$log" | awk '!seen[$0]++' || true
if [ $status != 0 ]; then exit 1; fi
echo "    $# files"
