#!/usr/bin/env bash
# tidy.sh [FOLDER...]: clang-tidy over the source files of these folders, or over all that git knows, on all cores.
# Prints what it finds; exit code 1 when there is something.
# The files of a folder that are compiled alike are read as one unit: clang-tidy 19 runs its matchers over every included
# header of each unit, which is four fifths of its time. Files that do not compile together (two helpers of one name) are
# read one by one. Units that were clean before are not looked at again: the key of a clean unit is the hash of its
# preprocessed text (comments kept: they hold NOLINT), of the rules and of the tool, in $XDG_CACHE_HOME/sinter/tidy.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
root=$PWD
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sinter/tidy
commands=build/tidy/compile_commands.json
export units=${units:-$root/build/tidy/units-$$}  # of this run
files_per_unit=10

# compile_command FILE: the line of the database that compiles it, up to the output and the file.
compile_command() {
    awk -v file="\"file\": \"$root/$1\"" '/"command":/ { command = $0 } index($0, file) { print command; exit }' "$commands" |
        sed 's/^ *"command": "//; s/ -o .*//; s/\\\\/\\/g; s/\\"/"/g'
}

# write_unit PATH FLAGS FILE...: PATH.cpp, which includes the files, and PATH.flags.
write_unit() {
    local path=$1 flags=$2
    shift 2
    printf "#include \"$root/%s\" // NOLINT\n" "$@" > "$path.cpp"
    echo "$flags" > "$path.flags"
}

# write_units FOLDER: the units of its files, in a folder of the same name, so that its .clang-tidy counts. Prints them.
write_units() {
    local folder=$1 file flags batch number=0
    local -A files=()
    mkdir -p "$units/$folder"
    while read -r file; do
        flags=$(compile_command "$file")
        if [ -n "$flags" ]; then files[$flags]+=" $file"; fi
    done < <(git ls-files --cached --others --exclude-standard "$folder/*.cpp" | grep -x "$folder/[^/]*")
    for flags in "${!files[@]}"; do
        while read -r -a batch; do
            write_unit "$units/$folder/unit$number" "$flags" "${batch[@]}"
            echo "$units/$folder/unit$number"
            number=$((number + 1))
        done < <(xargs -n "$files_per_unit" <<< "${files[$flags]}")
    done
}

# key_of UNIT: the hash of all that its verdict hangs on.
key_of() {
    local flags
    flags=$(< "$1.flags")
    { cd build/tidy && eval "$flags -E -C -P -w $1.cpp" | sed "s|$root||g" && cd "$root" && clang-tidy-19 --version &&
        git ls-files -z '*.clang-tidy' | xargs -0 cat; } | sha256sum | cut -d' ' -f1
}

# is_clash UNIT: true when several files do not make one unit.
is_clash() {
    local flags
    flags=$(< "$1.flags")
    [ "$(wc -l < "$1.cpp")" -gt 1 ] && ! (cd build/tidy && eval "$flags -fsyntax-only $1.cpp") > /dev/null 2>&1
}

# check UNIT: prints what is wrong with it, as one block.
check() {
    local unit=$1 key output file number=0 status=0 arguments
    key=$(key_of "$unit")
    [ ! -e "$cache/$key" ] || return 0
    if is_clash "$unit"; then
        while read -r file; do
            write_unit "$unit-$number" "$(< "$unit.flags")" "$file"
            check "$unit-$number" || status=1
            number=$((number + 1))
        done < <(sed "s|^#include \"$root/||; s|\".*||" "$unit.cpp")
    else
        eval "arguments=($(< "$unit.flags"))"
        output=$(cd build/tidy && clang-tidy-19 --quiet "$unit.cpp" -- "${arguments[@]:1}" 2>&1) || status=$?
        [ $status = 0 ] || echo "$output"
    fi
    if [ $status = 0 ]; then touch "$cache/$key"; fi
    return $status
}

if [ "${1:-}" = --check ]; then check "$2"; exit; fi
mkdir -p "$cache"
. scripts/common.sh
configure tidy > /dev/null
# Generated headers (the FlatBuffers schema) must be there; nothing else is compiled.
mapfile -t generated < <(ninja -C build/tidy -t targets all | sed -n 's/^\([^ :]*_generated\.h\): .*/\1/p')
if [ ${#generated[@]} != 0 ]; then ninja -C build/tidy "${generated[@]}" > /dev/null; fi
if [ $# = 0 ]; then
    mapfile -t folders < <(git ls-files --cached --others --exclude-standard '*.cpp' | sed 's|/[^/]*$||' | sort -u)
    set -- "${folders[@]}"
fi
mkdir -p "$units"
git ls-files '*/.clang-tidy' | xargs cp --parents -t "$units"
mapfile -t work < <(for folder; do write_units "${folder%/}"; done)
log=$(mktemp)
trap 'rm -rf "$log" "$units"' EXIT
status=0
printf '%s\n' "${work[@]}" | xargs -d '\n' -P "$(nproc)" -I{} scripts/tidy.sh --check {} > "$log" || status=$?
# A header's fault is found from every unit that includes it: said once. The analyzer's path notes are left out.
awk '/^[0-9]+ warnings? generated|^Suppressed|^Use -header|^[0-9]+ warnings? treated/ { next }
     /: note: / { show = 0 }
     /: (warning|error): / { show = !seen[$0]++ }
     show' "$log"
if [ $status != 0 ]; then exit 1; fi
echo "    ${#work[@]} units"
