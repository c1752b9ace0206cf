#!/usr/bin/env bash
# Installs what Sinter is built from, once.
#
#   scripts/setup.sh GROUP...            all of it: packages, sources, stamp (./sinter and ./test call this)
#   scripts/setup.sh packages GROUP...   only the packages; for root
#   scripts/setup.sh list                the table for other systems
#
# Groups and packages stand in scripts/packages.txt. Packages come from the distribution by apt; on Debian 12 Catch2
# and Mesa come from bookworm-backports. Two libraries are built from source, so that every machine computes the same
# bytes: meshoptimizer 0.22 and METIS 5.1.0. Their sources come from Debian's archive too, through an apt state of its
# own in a temporary folder: the system's list of sources and its package lists stay as they are. Where the archive
# cannot be reached, CMake takes the sources from upstream (cmake/dependencies.cmake). For the tests on Debian 12 the CPU
# driver of its own Mesa is unpacked, not installed, beside that of backports: one test draws with both.
#
# The stamp .sinter/setup-GROUP holds a key (this script, the table and the system) and one file per package; while
# all of it fits, nothing here runs. Everything is said on stderr. Exit codes: 0 ready; 1 usage; 2 something is missing.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/scripts/common.sh"

os_id=unknown os_version=0 os_like=
if [ -r /etc/os-release ]; then
    os_id=$(. /etc/os-release && echo "${ID:-unknown}")
    os_version=$(. /etc/os-release && echo "${VERSION_ID:-0}")
    os_like=$(. /etc/os-release && echo "${ID_LIKE:-}")
fi

# Debian and its derivatives, whose packages have the same names.
is_apt_system() {
    command -v apt-get > /dev/null && command -v dpkg-query > /dev/null && [[ " $os_id $os_like " == *" debian "* ]]
}
is_debian_12() { [ "$os_id" = debian ] && [ "$os_version" = 12 ]; }

# rows GROUP...: the lines of the table that belong to the groups.
rows() {
    local wanted=" $* " group rest
    while read -r group rest; do
        if [[ $wanted == *" $group "* ]]; then echo "$rest"; fi
    done < "$root/scripts/packages.txt"
}

print_list() {
    say "this needs, by the names of Debian's packages:"
    local package minimum from purpose
    while read -r package minimum from purpose; do
        printf '  %-24s %-9s %s\n' "$package" "${minimum/#-/any}" "$purpose" >&2
    done < <(rows base test)
    say "the first $(rows base | wc -l) are enough for the program; meshoptimizer 0.22, METIS 5.1.0 and Catch2 come by CMake"
    say "FetchContent where they are not installed. With these in place: cmake --preset release && cmake --build --preset release"
}

# installed PACKAGE [MINIMUM]: whether dpkg has it, and not older than MINIMUM.
installed() {
    local status version
    read -r status version < <(dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2> /dev/null) || return 1
    [ "$status" = installed ] && { [ -z "${2:-}" ] || dpkg --compare-versions "${version#*:}" ge "$2"; }
}

# missing_packages GROUP...: one line "package from" for each package that must be installed.
missing_packages() {
    local package minimum from purpose
    while read -r package minimum from purpose; do
        if [ "$minimum" = - ] || [ "$from" = main ]; then minimum=; fi
        installed "$package" "$minimum" || echo "$package $from"
    done < <(rows "$@")
}

# The address of the Debian archive that this system uses.
debian_mirror() {
    local mirror
    mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 2> /dev/null |
        awk '$1 == "Debian" && !seen { seen = 1; print $2 }')
    # Before the first apt-get update no list says whose it is; the first one of a Debian system is Debian's.
    if [ -z "$mirror" ] && [ "$os_id" = debian ]; then
        mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
            awk 'NR == 1')
    fi
    echo "$mirror"
}

apt_quiet() {
    local log
    log=$(mktemp)
    if ! DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" \
        < /dev/null > "$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

knows_backports() { apt-cache policy | grep 'n=bookworm-backports' > /dev/null; }

# Makes bookworm-backports known to apt; fails, and leaves nothing behind, where it cannot be reached.
enable_backports() {
    local stanza=/etc/apt/sources.list.d/sinter-backports.sources mirror
    if knows_backports; then return 0; fi
    mirror=$(debian_mirror)
    [ -n "$mirror" ] || return 1
    printf 'Types: deb\nURIs: %s\nSuites: bookworm-backports\nComponents: main\nSigned-By: %s\n' \
        "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg > "$stanza"
    apt_quiet update || true
    if knows_backports; then return 0; fi
    rm -f "$stanza"
    return 1
}

# install_packages GROUP...: as root.
install_packages() {
    local missing backports=no package from names=() marker=$root/.sinter/no-backports
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    say "installing, once: $(cut -d' ' -f1 <<< "$missing" | paste -sd' ')"
    apt_quiet update || say "apt-get update failed, going on with the package lists as they are"
    if is_debian_12 && grep -q ' backports$' <<< "$missing"; then
        if enable_backports; then
            backports=yes
            rm -f "$marker"
        else
            say "bookworm-backports cannot be reached: Mesa of Debian 12, Catch2 by CMake FetchContent"
            mkdir -p "$root/.sinter"
            touch "$marker"
            chown --reference="$root" "$root/.sinter" "$marker"
        fi
    fi
    while read -r package from; do
        if is_debian_12 && [ "$from" = backports ]; then
            if [ $backports = yes ]; then package+=/bookworm-backports
            elif [ "$package" = libcatch2-dev ]; then continue; fi
        fi
        names+=("$package")
    done <<< "$missing"
    # Catch2 2 must go up together with the library of Catch2 3.
    if [ $backports = yes ] && installed catch2 && ! installed catch2 3; then names+=(catch2/bookworm-backports); fi
    if [ ${#names[@]} = 0 ]; then return 0; fi
    apt_quiet install -y --no-install-recommends "${names[@]}"
}

# As root, by sudo where it asks nothing, or else with the one line to run.
ensure_packages() {
    local missing line script
    missing=$(missing_packages "$@")
    # Root has found out that backports cannot be reached: what is there will do.
    if [ -e "$root/.sinter/no-backports" ]; then missing=$(grep -v ' backports$' <<< "$missing" || true); fi
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ]; then install_packages "$@"; return; fi
    if command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
        sudo -n bash "$root/scripts/setup.sh" packages "$@"
        return
    fi
    script=$root/scripts/setup.sh
    if [[ $script == *[^[:alnum:]/._+-]* ]]; then script="'$script'"; fi
    line="bash $script packages $*"
    if command -v sudo > /dev/null; then line="sudo $line"; else line="su -c \"$line\""; fi
    say "these packages are missing: $(cut -d' ' -f1 <<< "$missing" | paste -sd' ')"
    say "run this once, then start again:"
    echo "$line" >&2
    return 2
}

# fetch_source NAME VERSION SHA256 WITNESS: the upstream tarball of a Debian source package into .sinter/deps/NAME-UPSTREAM.
# The checksum is that of the .orig tarball. WITNESS is a file that the unpacked folder has.
fetch_source() {
    local name=$1 version=$2 sum=$3 witness=$4 tarball
    local target=$root/.sinter/deps/$name-${version%%[+-]*}
    target=${target%.dfsg}
    [ ! -e "$target/$witness" ] || return 0
    private_apt || return 1
    (cd "$private/src" && apt-get "${private_options[@]}" source --download-only --only-source "$name=$version") \
        > "$private/log" 2>&1 || { tail -n 5 "$private/log" >&2; return 1; }
    tarball=$(echo "$private/src/${name}"_*.orig.tar.*)
    echo "$sum  $tarball" | sha256sum --check --quiet >&2 || return 1
    rm -rf "$target" "$target.part"
    mkdir -p "$target.part" || return 1
    # cmake unpacks xz by itself; a minimal Debian has no xz program.
    (cd "$target.part" && cmake -E tar xf "$tarball") || return 1
    mv "$target.part"/*/ "$target" && rmdir "$target.part"
}

# An apt state of its own, with the source index of one suite; made on first use.
private=
private_options=()
private_apt() {
    [ -z "$private" ] || return 0
    local key=/usr/share/keyrings/debian-archive-keyring.gpg mirror
    mirror=$(debian_mirror)
    [ -r "$key" ] && [ -n "$mirror" ] || return 1
    private=$(mktemp -d)
    trap 'rm -rf "$private"' EXIT
    mkdir -p "$private"/{lists/partial,cache/archives/partial,src}
    echo "deb-src [signed-by=$key] $mirror trixie main" > "$private/sources.list"
    private_options=(-qq -o Dir::Etc::SourceList="$private/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o Dir::State::Lists="$private/lists" -o Dir::Cache="$private/cache" -o APT::Sandbox::User="$(id -un)"
        -o Acquire::Languages=none -o Acquire::Retries=3)
    apt-get "${private_options[@]}" update > "$private/log" 2>&1 || { tail -n 5 "$private/log" >&2; return 1; }
}

fetch_sources() {
    fetch_source meshoptimizer 0.22+dfsg-1 eafe61c2e8840874cb9204f19fc9553d93221f722182ce79c0a1f8d960292470 \
        src/meshoptimizer.h || say "no source of meshoptimizer from apt: CMake will take it from upstream"
    fetch_source metis 5.1.0.dfsg-7 c50a88b92b01fa3972c5c92cf50117f126c62589b8f793657c7d865c59c23615 \
        include/metis.h || say "no source of METIS from apt: CMake will take it from upstream"
}

# Debian 12's own Vulkan driver for the CPU into .sinter/deps/mesa-22.3, with the file by which the loader finds it there.
# What it depends on has come with the newer one. Where it cannot be had, the test that needs it says so and is skipped.
fetch_second_driver() {
    local target=$root/.sinter/deps/mesa-22.3 version driver
    is_debian_12 && installed mesa-vulkan-drivers 23 && [ ! -e "$target/lvp_icd.json" ] || return 0
    version=$(apt-cache madison mesa-vulkan-drivers 2> /dev/null | awk '$3 ~ /^22\.3\./ && !seen { seen = 1; print $3 }')
    rm -rf "$target" "$target.part"
    mkdir -p "$target.part/root"
    if [ -z "$version" ] || ! (cd "$target.part" &&
        apt-get -qq -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 download "mesa-vulkan-drivers=$version" &&
        dpkg -x ./*.deb root) > "$target.part/log" 2>&1; then
        say "no Mesa 22.3 from apt: the test that draws with two drivers will be skipped"
        rm -rf "$target.part"
        return 0
    fi
    driver=$(find "$target.part/root" -name libvulkan_lvp.so)
    if ! ldd "$driver" | grep -q 'not found'; then
        mkdir "$target"
        mv "$driver" "$target.part/root/usr/share/doc/mesa-vulkan-drivers/copyright" "$target"
        echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "./libvulkan_lvp.so", "api_version": "1.3.230"}}' \
            > "$target/lvp_icd.json"
    else
        say "Mesa 22.3 lacks libraries here: the test that draws with two drivers will be skipped"
    fi
    rm -rf "$target.part"
}

# write_stamp GROUP...: the key, then what must exist for the stamp to hold: dpkg's own list file of each package.
write_stamp() {
    local stamp=$root/.sinter/setup-${!#} package rest file
    setup_key > "$stamp.part"
    while read -r package rest; do
        for file in /var/lib/dpkg/info/"$package".list /var/lib/dpkg/info/"$package":*.list; do
            if [ -e "$file" ]; then echo "$file"; break; fi
        done
    done < <(rows "$@") >> "$stamp.part"
    (cd "$root" && ls -d .sinter/deps/*-*[0-9] 2> /dev/null || true) >> "$stamp.part"
    mv "$stamp.part" "$stamp"
}

case ${1:-} in
    list) print_list ;;
    packages) shift; install_packages "$@" ;;
    base)
        if is_apt_system; then
            ensure_packages "$@"
            mkdir -p "$root/.sinter/deps"
            fetch_sources
            if [[ " $* " == *" test "* ]]; then fetch_second_driver; fi
        else
            say "no set-up for this system ($os_id $os_version): building with what is there"
            print_list
        fi
        mkdir -p "$root/.sinter"
        write_stamp "$@"
        ;;
    *) say "usage: scripts/setup.sh base [test] | packages GROUP... | list"; exit 1 ;;
esac
