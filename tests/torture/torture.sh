# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the rows are written with that run in a guest, besides guest.sh. To be sourced by a
# row, with SEED (a number, from which all that is random follows) and EVENTS (how many of
# its unit; if empty, what the head says behind "# Slice: "; `brief`, behind "# Brief: ").

# shellcheck source=tests/e2e/guest.sh
. /payload/guest.sh

case $EVENTS in
'') EVENTS=$(sed -n 's/^# Slice: //p' "$0") ;;
brief) EVENTS=$(sed -n 's/^# Brief: //p' "$0") ;;
esac
# Five minutes for each row.
torture_end=$(($(cut -d . -f 1 /proc/uptime) + 300))
torture_count=0
torture_dice=$((SEED % 2147483647))

# dice NUMBER: $dice is less than that; the same ones for the same seed
dice() {
	torture_dice=$(((torture_dice * 1103515245 + 12345) % 2147483648))
	dice=$((torture_dice / 65536 % $1))
}

# one_of WORD...: $one_of is one of them
one_of() {
	dice $#
	shift "$dice"
	# shellcheck disable=SC2034 # by whoever asked
	one_of=$1
}

# happened NUMBER: so many more events
happened() {
	torture_count=$((torture_count + $1))
}

# torturing: not all of them yet, and not as long as that
torturing() {
	[ ! -e "$T/failed" ] && [ "$torture_count" -lt "$EVENTS" ] &&
		[ "$(cut -d . -f 1 /proc/uptime)" -lt "$torture_end" ]
}

# figure sum|max|min NUMBER NAME: what doc/reliability.md tells besides, of all slices
figure() {
	echo "# figure $*"
}

# tortured: the end of a row
tortured() {
	[ "$torture_count" -gt 0 ] || fail 'nothing happened'
	echo "# count $torture_count"
	finish
}
