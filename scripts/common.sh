# Shared by ./sinter, ./test and scripts/setup.sh; they set $root, the repository's folder.

say() { printf 'sinter: %s\n' "$*" >&2; }

# Prints what the set-up depends on besides the packages: its script, its table and the system.
setup_key() { { cat "$root/scripts/setup.sh" "$root/scripts/packages.txt" /etc/os-release 2> /dev/null || true; } | sha256sum; }

# set_up GROUP...: runs scripts/setup.sh unless its stamp says that all is there; calls no package manager when it is.
set_up() {
    local stamp=$root/.sinter/setup-${!#}
    if ! stamp_holds "$stamp"; then bash "$root/scripts/setup.sh" "$@"; fi
}

# The stamp's first line is the key, each further line a file that must exist, in the repository unless absolute.
stamp_holds() {
    local key file
    [ -r "$1" ] || return 1
    {
        read -r key
        [ "$key" = "$(setup_key)" ] || return 1
        while read -r file; do
            [ -e "$file" ] || [ -e "$root/$file" ] || return 1
        done
    } < "$1"
}

# forget_moved PRESET: CMake's cache holds absolute paths; a repository that was moved is built anew.
forget_moved() {
    local cache=$root/build/$1/CMakeCache.txt
    if [ -e "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then rm -rf "$root/build/$1"; fi
}

# configure PRESET [-DNAME=VALUE...]: configures build/PRESET where that is not done yet, or not with these values.
configure() {
    local preset=$1 folder=$root/build/$1 argument done=yes
    shift
    forget_moved "$preset"
    [ -e "$folder/build.ninja" ] || done=no
    for argument; do
        argument=${argument#-D}
        grep -qx "${argument%%=*}:[A-Z]*=${argument#*=}" "$folder/CMakeCache.txt" 2> /dev/null || done=no
    done
    if [ $done = no ]; then (cd "$root" && cmake --preset "$preset" "$@"); fi
}

# compile PRESET [TARGET...]: builds. ccache, where it is there, is told to see paths relative to the repository, so that
# one clone's results serve the next.
compile() {
    local folder=$root/build/$1
    shift
    CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 ninja -C "$folder" "$@"
}
