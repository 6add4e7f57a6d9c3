# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# What the tests of packages share: copies of the source, packages, and a result for
# each check. To be sourced after setup.sh, in the top directory, by a script with
# `set -euo pipefail` and a directory $tmp.

# shellcheck source=tests/lib/ktap.sh
. tests/lib/ktap.sh
# shellcheck source=tests/lib/system.sh
. tests/lib/system.sh

# What user space is built with.
libraries=(libdw-dev libelf-dev libiberty-dev libnanopb-dev pkg-config zlib1g-dev)

check() {
	ktap_check "packages $1" "${@:2}"
}

# What must hold; says so if it does not.
expect() {
	"$@" && return
	echo "does not hold: $*"
	return 1
}

source_version() {
	make -s version
}

# What git would take, so nothing that was built here.
copy_source() {
	mkdir -p "$1"
	git ls-files -co --exclude-standard | while IFS= read -r file; do
		[ -e "$file" ] && printf '%s\n' "$file"
	done | tar -c -T - | tar -x --no-same-permissions -C "$1"
}

# The same source as an older version.
make_older() {
	sed -i 's/^MODULE_VERSION(.*/MODULE_VERSION("0.0.9");/' "$1/src/main.c"
	sed -i 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="0.0.9"/' "$1/dkms.conf"
	sed -i '1s/(.*)/(0.0.9-1)/' "$1/debian/changelog"
	sed -Ei 's/^(#define SCHEDPROF_VERSION[[:space:]]*)".*"/\1"0.0.9"/' "$1/tools/lib/schedprof.h"
	sed -i 's/^Version:.*/Version: 0.0.9/' "$1/rpm/schedprof.spec"
}

# Binary packages of the source in directory $1, beside it.
build_deb() {
	(cd "$1" && dpkg-buildpackage -us -uc -b)
}

# The same and a source package, for which what is upstream's is packed first.
build_deb_source() {
	tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX,go=rX --exclude=./debian --transform "s:^\.:schedprof-$(source_version):" \
		-c . | gzip -n >"$1/../schedprof_$(source_version).orig.tar.gz"
	(cd "$1" && dpkg-buildpackage -us -uc)
}

need_deb() {
	need_packages git gcc make dpkg-dev debhelper dh-dkms fakeroot "${libraries[@]}"
}
