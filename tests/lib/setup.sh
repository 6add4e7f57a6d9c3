# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What every test script needs: the cache, progress lines, packages.
# To be sourced, by a script that has `set -euo pipefail`.

# Everything that is costly to make and can be made again is kept here,
# outside the source tree.
CACHE=${SCHEDPROF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/schedprof}
mkdir -p "$CACHE"

# Which of what takes turns is next: TURN=, or with each commit another one. In a clone without
# history, with each day.
turn() {
	local turn=${TURN:-}

	if [ -z "$turn" ]; then
		if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
			turn=$(git rev-list --count HEAD 2>/dev/null || echo 0)
		else
			turn=$(($(date +%s) / 86400))
		fi
	fi
	[[ $turn =~ ^[0-9]+$ ]] || die "TURN is a number, as 0 to 14, not '$turn'."
	echo $((10#$turn))
}

# depmod and the like, which ordinary users of Debian do not have there.
PATH=$PATH:/usr/sbin:/sbin

# A progress line. On stderr, because stdout belongs to the script's result.
say() {
	printf '[%4d s] %s\n' "$SECONDS" "$*" >&2
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 2
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "this needs root: $*. Run it as root, or install sudo."
	fi
}

# What apt says is only of interest when it fails.
apt_quiet() {
	local said

	said=$(as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -o DPkg::Lock::Timeout=300 "$@" 2>&1) && return
	tail -n 20 <<<"$said" >&2
	return 1
}

# Package lists that are missing (fresh container) or older than a day name
# packages that the mirror no longer has. The stamp is there because apt
# leaves no trace of an update that found nothing new. Of tests that begin at the same time
# one updates them, and the others wait, as apt itself does for packages, but not for lists.
update_lists() (
	lists=/var/lib/apt/lists stamp=$CACHE/apt-updated
	exec 8>"$CACHE/apt.lock"
	flock 8
	if [ -n "$(find "$lists" -maxdepth 1 -name '*Packages*' -print -quit)" ] &&
	   [ -n "$(find "$lists" "$stamp" -maxdepth 0 -newermt '-1 day' \
			2>/dev/null)" ]
	then
		exit 0
	fi
	say "updating the package lists"
	if apt_quiet update; then
		touch "$stamp"
	else
		say "apt-get update failed, see above; going on with the old lists"
	fi
)

package_installed() {
	# The first letter is what is wanted (install, hold), the second is what is.
	[[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null) == ?i* ]]
}

# Install those of the named packages that are not installed.
need_packages() {
	local p missing=()

	command -v apt-get >/dev/null ||
		die "apt-get not found: the tests know how to install packages on Debian and Ubuntu only."
	for p; do
		package_installed "$p" || missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	update_lists
	say "installing ${missing[*]}"
	apt_quiet install --no-install-recommends -y "${missing[@]}" ||
		die "could not install ${missing[*]}, see above. Install them by hand and try again."
}

# From here on, a compiler compiles nothing of which it had the same before: the same text
# behind its preprocessor, with the same flags. What it said then, it says again.
keep_objects() {
	need_packages ccache
	export CCACHE_DIR=$CACHE/ccache CCACHE_MAXSIZE=1G PATH=/usr/lib/ccache:$PATH
}

# The packages that $1 depends on, directly or through others, and whose
# names match the regular expression $2.
package_depends() {
	local pkg

	while read -r pkg; do
		echo "$pkg"
		package_depends "$pkg" "$2"
	done < <(apt-cache depends "$1" 2>/dev/null |
		sed -nE 's/^ *\|?(Pre)?Depends: ([^<]+)$/\2/p' |
		grep -E "^($2)$" || true)
}

# The version of package $1 that apt would install.
package_version() {
	apt-cache policy "$1" 2>/dev/null | sed -nE 's/^ *Candidate: (.*)/\1/p'
}

# Do not let two runs make the same thing in the cache at the same time.
# Held until this process ends.
lock_cache() {
	exec 9>"$CACHE/$1.lock"
	flock -n 9 && return
	say "waiting for another run that is making $1"
	flock 9
}

# mirror_source FROM TO NAME...: TO gets the sources of that name in FROM, files or folders.
# What it has already keeps its date, and what make left beside it stays, so that make
# compiles only what has changed.
mirror_source() {
	local from=$1 to=$2

	need_packages rsync
	mkdir -p "$to"
	to=$(readlink -f "$to")
	shift 2
	(cd "$from" && rsync -rpcR --delete --exclude='*.mod.c' --include='*/' --include='*.[ch]' --include='*.mk' \
		--include=Kbuild --include=Makefile --exclude='*' "$@" "$to/")
}
