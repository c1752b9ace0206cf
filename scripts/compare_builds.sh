#!/usr/bin/env bash
# compare_builds.sh FOLDER_A FOLDER_B: cooks every fixture with the program of either build folder; the packages must be
# equal byte by byte.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
a=${1:?usage: scripts/compare_builds.sh FOLDER_A FOLDER_B}/cli/sinter b=${2:?}/cli/sinter
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t inputs < <(git ls-files -- fixtures | grep -E '\.(gltf|glb|obj|ply|fbx|dae|stl)$' | grep -v '^fixtures/malformed/' || true)
if [ ${#inputs[@]} = 0 ]; then echo "    no fixtures to compare the builds by"; exit 0; fi
mkdir "$work/a" "$work/b"
for input in "${inputs[@]}"; do
    "$a" cook -q "$input" -o "$work/a.sinter"
    "$b" cook -q "$input" -o "$work/b.sinter"
    cmp "$work/a.sinter" "$work/b.sinter" || { echo "$input: the packages of $1 and $2 differ"; exit 1; }
done
echo "    ${#inputs[@]} fixtures cook to the same bytes"
