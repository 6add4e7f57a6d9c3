# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Systems of other Debian releases, to install packages in. To be sourced after setup.sh,
# in the top directory, by a script with `set -euo pipefail` and a directory $tmp.

# Mounts are seen by this script only, and gone when it has ended. To be called
# first, with the script's arguments.
in_private() {
	[ -z "${IN_PRIVATE:-}" ] || return 0
	[ "$(id -u)" -eq 0 ] ||
		die "systems of other releases are changed by root only: run it as root, or in a container."
	exec env IN_PRIVATE=1 unshare --mount --propagation private "$0" "$@"
}

# A copy of the cached system for release $1 that can be changed: $system.
use_system() {
	local base

	base=$(tests/vm/debian-system "$1")
	mkdir -p "$tmp/layers" "$tmp/system"
	# Where this runs may be an overlay already, which cannot carry another.
	mount -t tmpfs -o size=4g tmpfs "$tmp/layers"
	mkdir "$tmp/layers/upper" "$tmp/layers/work"
	mount -t overlay overlay "$tmp/system" -o \
		"lowerdir=$base,upperdir=$tmp/layers/upper,workdir=$tmp/layers/work"
	system=$tmp/system
	mount -t proc proc "$system/proc"
	mount --bind /dev "$system/dev"
	cp /etc/resolv.conf "$system/etc/resolv.conf"
}

# With its own variables, and nobody to ask.
in_system() {
	chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
		HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}

# The releases of the kernels that it has.
kernels() {
	find "$system/lib/modules" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V
}
