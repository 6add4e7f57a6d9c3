# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Where the distribution's kernel source is. To be sourced after setup.sh.

# Set source_package, source_version and source_tar, after installing the
# package if need be. The source itself never goes into this repository.
find_source() {
	source_package=$(package_depends linux-source 'linux-source-[0-9].*' | sed -n 1p)
	[ -n "$source_package" ] ||
		die "apt knows no package linux-source that depends on a source package. Check /etc/apt and run apt-get update."
	need_packages "$source_package" xz-utils bzip2
	# shellcheck disable=SC2034 # for the script that sources this
	source_version=$(dpkg-query -W -f '${Version}' "$source_package")
	source_tar=$(dpkg -L "$source_package" |
		grep -E '/linux-source-[0-9.]+\.tar\.(xz|bz2|gz)$' | sed -n 1p || true)
	[ -f "$source_tar" ] ||
		die "no source archive in the package $source_package. Look at: dpkg -L $source_package"
}
