#!/usr/bin/env bash
# format.sh [FILE...]: lays out these files, or every C++ file of the repository, in place by .clang-format.
set -euo pipefail
if [ $# = 0 ]; then
    cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
    mapfile -t files < <(git ls-files -- '*.cpp' '*.hpp')
    set -- "${files[@]}"
fi
exec clang-format-19 -i "$@"
