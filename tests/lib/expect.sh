# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What a test in a guest states: that something holds, with is, within, near, holds, matches
# and lacks; and how it waits, with await. To be sourced with PROMISE (the test's name),
# KERNEL, SCALE (100, less on slow kernels), EFFORT (full or brief), TIME (own, or the
# host's) and T (scratch) set.
#
# What does not hold is told at once, as a note, and is in $T/failed; who started the test
# prints its result. Nothing may depend on how busy the host is: what happens is counted,
# times are compared where they are the guest's own, and what has to come is awaited.

: "${T:?}" "${PROMISE:?}" "${SCALE:?}" "${KERNEL:?}" "${EFFORT:?}" "${TIME:?}"

# shellcheck source=tests/lib/wait.sh
. /payload/wait.sh
PAUSE=0.02

fail() {
	echo "# $PROMISE on $KERNEL: $*"
	echo "$*" >>"$T/failed"
}

# is WHAT EXPECTED GOT
is() {
	[ "$2" = "$3" ] || fail "$1: expected $2, got $3"
}

# within WHAT LOW HIGH GOT: whole numbers
within() {
	if ! [ "$4" -ge "$2" ] 2>/dev/null || ! [ "$4" -le "$3" ] 2>/dev/null; then
		fail "$1: expected $2 to $3, got '$4'"
	fi
}

# near WHAT EXPECTED SLACK GOT
near() {
	within "$1" $(($2 - $3)) $(($2 + $3)) "$4"
}

# own_time: is the guest's time its own, counted in instructions? Elsewhere the host may
# stop it at any moment for as long as it likes, so that two clocks that are read one
# after the other differ by anything.
own_time() {
	[ "$TIME" = own ]
}

# timed_within, timed_near: as within and near, for what two clocks tell. To be said
# by promises that run where time is the guest's own, too ("# Boot: exact icount").
timed_within() {
	! own_time || within "$@"
}

timed_near() {
	! own_time || near "$@"
}

# await WHAT COMMAND...: until it succeeds, however slow the host is
await() {
	await_of $$ "$@"
}

# await_of PID WHAT COMMAND...: as long as that process lives
await_of() {
	wait_for 600 "$@" && return
	await_what=$2
	shift 2
	fail "$await_what: waited in vain for: $*"
	return 1
}

# at_least NUMBER COMMAND..., tells TEXT COMMAND...: what it prints, to be awaited
at_least() {
	at_least=$1
	shift
	[ "$("$@")" -ge "$at_least" ] 2>/dev/null
}

tells() {
	tells=$1
	shift
	[ "$("$@")" = "$tells" ]
}

none_is_named() {
	! pidof "$1" >/dev/null
}

# holds WHAT COMMAND...
holds() {
	holds_what=$1
	shift
	"$@" || fail "$holds_what: failed: $*"
}

# matches WHAT PATTERN FILE
matches() {
	grep -qE -- "$2" "$3" || fail "$1: nothing like '$2' in $(name_of "$3")"
}

# lacks WHAT PATTERN FILE: which must be there, as what is not lacks everything
lacks() {
	if ! [ -e "$3" ]; then
		fail "$1: there is no $(name_of "$3")"
	elif grep -qE -- "$2" "$3"; then
		fail "$1: unexpected in $(name_of "$3"): $(grep -E -- "$2" "$3" | head -n 3)"
	fi
}

name_of() {
	echo "${1#"$T/"}"
}

# What is wrong here makes the rest meaningless.
give_up() {
	fail "$@"
	exit 1
}

# skip WHY: this kernel cannot be asked
skip() {
	[ ! -e "$T/failed" ] || exit 1
	echo "$*" >"$T/skipped"
	exit 0
}

# scaled N: less work for a slow kernel, half of it where it shall be brief, never none
scaled() {
	scaled=$(($1 * SCALE / 100))
	[ "$EFFORT" = full ] || scaled=$(((scaled + 1) / 2))
	[ "$scaled" -gt 0 ] || scaled=1
	echo "$scaled"
}

# briefly_one_of WORD...: all of them; where it shall be brief, one, not always the same
briefly_one_of() {
	if [ "$EFFORT" != full ]; then
		shift $(($(date +%s) % $#))
		set -- "$1"
	fi
	echo "$@"
}

# lasting SECONDS [ROUNDS]; while still; do ...; done: so long, half of it on a slow kernel,
# and a sixth of that where it shall be brief; but so many rounds at least, half of them where it
# shall be brief, or one, as on a busy host there may be time for none. $round is the number of
# this one, or then of all.
lasting() {
	least=${2:-1}
	[ "$EFFORT" = full ] || least=$(((least + 1) / 2))
	round=0
	[ "$SCALE" = 100 ] || set -- $((($1 + 1) / 2))
	[ "$EFFORT" = full ] || set -- $((($1 + 5) / 6))
	end=$(($(cut -d . -f 1 /proc/uptime) + $1))
}

still() {
	[ "$round" -lt "$least" ] || [ "$(cut -d . -f 1 /proc/uptime)" -lt "$end" ] || return 1
	round=$((round + 1))
}

# hurry: what this shell does comes before storms and readers, which have their own
# priority; or most of the time nothing would happen
hurry() {
	renice -n -15 -p $$ >"$T/renice" || fail "renice: $(cat "$T/renice")"
}
