#!/usr/bin/env bash
# tidy.sh [FILE...]: clang-tidy over these source files, or over all that build/tidy compiles, on all cores.
# Prints what it finds; exit code 1 when there is something. Files that were clean before are not looked at again:
# the key of a clean file is the hash of its preprocessed text (comments kept: they hold NOLINT), of the rules and of
# the tool, and it lies in $XDG_CACHE_HOME/sinter/tidy.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
root=$PWD
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sinter/tidy
commands=build/tidy/compile_commands.json
mkdir -p "$cache"
. scripts/common.sh
configure tidy > /dev/null
# Generated headers (the FlatBuffers schema) must be there; nothing else is compiled.
mapfile -t generated < <(ninja -C build/tidy -t targets all | sed -n 's/^\([^ :]*_generated\.h\): .*/\1/p')
if [ ${#generated[@]} != 0 ]; then ninja -C build/tidy "${generated[@]}" > /dev/null; fi
rules=$({ clang-tidy-19 --version; cat .clang-tidy tests/.clang-tidy; } | sha256sum)

# compile_command FILE: the line of the database that compiles it.
compile_command() {
    awk -v file="\"file\": \"$root/$1\"" '/"command":/ { command = $0 } index($0, file) { print command; exit }' "$commands" |
        sed 's/^ *"command": "//; s/",$//; s/\\\\/\\/g; s/\\"/"/g'
}

# check FILE: prints what is wrong with it, as one block.
check() {
    local file=$1 command key output status=0
    command=$(compile_command "$file")
    [ -n "$command" ] || { echo "$file: build/tidy does not compile it"; return 1; }
    command="${command% -o *} -E -C -P -w $(printf %q "$root/$file")"
    key=$({ echo "$rules"; cd build/tidy && eval "$command" 2> /dev/null | sed "s|$root||g"; } | sha256sum | cut -d' ' -f1)
    [ ! -e "$cache/$key" ] || return 0
    output=$(clang-tidy-19 -p build/tidy --quiet "$file" 2>&1) || status=$?
    if [ $status = 0 ]; then touch "$cache/$key"; else echo "$output"; fi
    return $status
}

if [ "${1:-}" = --check ]; then check "$2"; exit; fi
if [ $# = 0 ]; then
    # Our own files only: build/ and .sinter/ hold third-party ones.
    mapfile -t files < <(sed -n "s|^ *\"file\": \"$root/\(.*\.cpp\)\",*$|\1|p" "$commands" |
        grep -v '^build/\|^\.sinter/' | sort -u)
    set -- "${files[@]}"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
printf '%s\n' "$@" | xargs -d '\n' -P "$(nproc)" -I{} scripts/tidy.sh --check {} > "$log" || status=$?
# A header's fault is found from every file that includes it: said once. The analyzer's path notes are left out.
awk '/^[0-9]+ warnings? generated|^Suppressed|^Use -header|^[0-9]+ warnings? treated/ { next }
     /: note: / { show = 0 }
     /: (warning|error): / { show = !seen[$0]++ }
     show || /does not compile it/' "$log"
if [ $status != 0 ]; then exit 1; fi
echo "    $# files"
