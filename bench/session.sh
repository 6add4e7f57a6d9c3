# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# In the guest: sessions, for what measures with them. To be sourced.

# shellcheck source=tests/lib/wait.sh
. /payload/wait.sh
PAUSE=1

C=/sys/kernel/config/schedprof
export PATH="/payload/programs:$PATH"

# session NAME [ATTRIBUTE=VALUE]...: enabled
session() {
	mkdir "$C/$1" || exit 1
	dir=$C/$1
	shift
	for pair; do
		echo "${pair#*=}" >"$dir/${pair%%=*}" || exit 1
	done
	echo 1 >"$dir/enable" || { cat "$dir/last_error"; exit 1; }
	# A probe becomes a jump within a second or so; or the one on the entry takes over.
	wait_for 60 - "a jump" settled || { cat "$C/hooks_status"; exit 1; }
}

# shellcheck disable=SC2317 # wait_for calls it
settled() {
	! grep -q armed=int3 "$C/hooks_status"
}

drop() {
	rmdir "$C"/*/
}
