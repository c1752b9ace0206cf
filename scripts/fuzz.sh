#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: runs the libFuzzer targets of build/fuzz, each from its committed corpus
# tests/fuzz/corpus/TARGET. New inputs go to build/fuzz/corpus/TARGET and are not committed; a crash is kept as
# build/fuzz/crash-*, and fails.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
if [ $# = 0 ]; then mapfile -t programs < <(find build/fuzz/tests/fuzz -maxdepth 1 -type f -perm -u+x | sort)
else programs=("${@/#/build/fuzz/tests/fuzz/}"); fi
[ ${#programs[@]} != 0 ] || { echo "no fuzz target is built in build/fuzz/tests/fuzz" >&2; exit 1; }
for program in "${programs[@]}"; do
    name=${program##*/}
    corpus=tests/fuzz/corpus/$name
    mkdir -p "build/fuzz/corpus/$name"
    folders=("build/fuzz/corpus/$name")
    if [ -d "$corpus" ]; then folders+=("$corpus"); fi
    log=build/fuzz/$name.log
    if ! "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix=build/fuzz/crash- \
        -print_final_stats=1 "${folders[@]}" > "$log" 2>&1; then
        tail -n 60 "$log"
        exit 1
    fi
    echo "    $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
done
