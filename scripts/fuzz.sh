#!/usr/bin/env bash
# fuzz.sh SECONDS [NAME...]: runs the libFuzzer programs NAME_fuzzer of build/fuzz, each from its committed corpus
# tests/fuzz/corpus/NAME. New inputs go to build/fuzz/corpus/NAME and are not committed; a crash is kept as
# build/fuzz/crash-*, and fails.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
folder=build/fuzz/tests/fuzz
if [ $# = 0 ]; then
    mapfile -t programs < <(find "$folder" -maxdepth 1 -type f -name '*_fuzzer' | sort)
else
    programs=("${@/#/$folder/}")
    programs=("${programs[@]/%/_fuzzer}")
fi
[ ${#programs[@]} != 0 ] || { echo "no fuzz program is built in $folder" >&2; exit 1; }
for program in "${programs[@]}"; do
    name=$(basename "$program" _fuzzer)
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
