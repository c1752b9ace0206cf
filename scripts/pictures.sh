#!/usr/bin/env bash
# pictures.sh [FOLDER]: draws the pictures of README.md and docs/ anew, on the CPU, from fixtures; into docs/pictures.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
sinter=$root/build/release/cli/sinter
out=${1:-$root/docs/pictures}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$sinter" cook "$root/fixtures/creature.glb" -q -o "$work/creature.sinter"
draw() { "$sinter" render "$work/creature.sinter" -q --device cpu --camera 30,12 "$@"; }
draw -o "$out/modes.png" --sheet modes --lod-error 2 --size 320x240
draw -o "$out/levels.png" --sheet levels --mode wire --size 320x240
draw -o "$out/walk.png" --sheet clip --clip walk --size 320x240
