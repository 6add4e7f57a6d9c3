# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Packages of another Debian release, or for another architecture, than this
# machine's, without adding it to the machine's apt. To be sourced after
# setup.sh.

# The address of a Debian archive: the mirror that this machine's apt uses, or
# on a machine with another distribution the one that everybody may use.
debian_mirror() {
	local suites=$1 default=$2 uri

	# shellcheck disable=SC2016 # for apt
	uri=$(env -u APT_CONFIG apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(REPO_URI)' \
			'Created-By: Packages' 2>/dev/null |
		sed -nE "s/^Debian $suites //p" | sed -n 1p)
	uri=${uri:-$default}
	echo "${uri%/}"
}

# Let this process' apt, from now on, know the packages of release $1 for
# architecture $2, and nothing else. As it also does not know what is
# installed here, need_packages is of no use after this.
use_debian() {
	local suite=$1 arch=$2 dir=$CACHE/apt/$1-$2
	local keys=/usr/share/keyrings/debian-archive-keyring.gpg

	need_packages debian-archive-keyring
	mkdir -p "$dir"/{lists/partial,archives/partial}
	: >"$dir/status"
	# Written anew each time, as this machine's settings may have changed.
	# Those that say how to reach a mirror hold here, too; others would run
	# programs meant for the machine's own packages.
	{
		env -u APT_CONFIG apt-config dump |
			grep -E '^Acquire::(https?|Check-|ForceIP|Retries)' || true
		cat <<-END
			Dir::Etc::main "/dev/null";
			Dir::Etc::parts "/dev/null";
			Dir::Etc::sourcelist "$dir/sources.list";
			Dir::Etc::sourceparts "/dev/null";
			Dir::Etc::preferences "/dev/null";
			Dir::Etc::preferencesparts "/dev/null";
			Dir::Cache "$dir";
			Dir::Cache::srcpkgcache "";
			Dir::State "$dir";
			Dir::State::lists "$dir/lists/";
			Dir::State::status "$dir/status";
			APT::Architecture "$arch";
			APT::Architectures { "$arch"; };
			APT::Sandbox::User "root";
			APT::Install-Recommends "false";
			Acquire::Languages "none";
			Acquire::GzipIndexes "true";
		END
	} >"$dir/apt.conf.$$"
	# For another process that reads it right now there is never half a file.
	mv "$dir/apt.conf.$$" "$dir/apt.conf"

	exec 8>"$dir/lock"
	flock 8
	if [ -z "$(find "$dir/updated" -newermt '-1 day' 2>/dev/null)" ]; then
		update_debian
	fi
	exec 8>&-
	export APT_CONFIG=$dir/apt.conf
}

# For use_debian, with its variables.
update_debian() {
	# shellcheck disable=SC2154 # those
	local main security try
	local old=http://archive.debian.org/debian

	main=$(debian_mirror '[a-z]+' http://deb.debian.org/debian)
	security=$(debian_mirror '[a-z]+-security' \
		http://deb.debian.org/debian-security)
	say "updating the package lists of $suite for $arch"
	# A release that is no longer supported leaves the mirrors some day.
	for try in "$main $security" "$old $old-security"; do
		if [ "$suite" = sid ]; then
			# A mirror may lag behind; sid has no security updates.
			echo "deb [signed-by=$keys check-valid-until=no] ${try% *} sid main"
		elif [[ $suite == *-backports ]]; then
			# With the release itself, which has the compiler.
			echo "deb [signed-by=$keys] ${try% *} $suite main"
			echo "deb [signed-by=$keys] ${try% *} ${suite%-backports} main"
		else
			echo "deb [signed-by=$keys] ${try% *} $suite main"
			echo "deb [signed-by=$keys] ${try#* } $suite-security main"
		fi >"$dir/sources.new"
		if APT_CONFIG=$dir/apt.conf apt-get -qq --error-on=any \
			-o Dir::Etc::sourcelist="$dir/sources.new" update \
			>"$dir/apt.log" 2>&1 8>&-
		then
			mv "$dir/sources.new" "$dir/sources.list"
			touch "$dir/updated"
			return
		fi
		say "no lists of $suite for $arch from ${try% *}: $(grep -m 1 '^[EW]:' "$dir/apt.log" || true)"
		# Only what is old can be there.
		case $suite in
		sid|trixie*) break ;;
		esac
	done
	[ -f "$dir/updated" ] ||
		die "could not get the package lists of Debian $suite for $arch, see above."
	say "going on with the lists of $(date -r "$dir/updated" +%F)"
}

# Download packages $2... of the release in use to directory $1.
download_debian() {
	local dir=$1

	shift
	(cd "$dir" && apt-get -qq download "$@" >&2) ||
		die "could not download $*, see above. If the mirror has newer versions: rm ${APT_CONFIG%/*}/updated"
}

# Unpack package file $1 to directory $2, following links to directories
# (/lib to /usr/lib); further arguments are for tar.
unpack_debian() {
	local deb=$1 root=$2

	shift 2
	dpkg-deb --fsys-tarfile "$deb" |
		tar -x -C "$root" --keep-directory-symlink --no-same-owner "$@"
}
