# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# How tests wait, and try again: all of them with this. To be sourced, here and in
# guests. PAUSE is how many seconds are between two looks.

# wait_for SECONDS PID WHAT COMMAND...: until the command succeeds. When the time is up,
# or that process has ended ("-" is none), it says so and fails.
wait_for() {
	wait_pid=$2 wait_what=$3
	wait_look
	wait_end=$((wait_now + $1))
	shift 3
	until "$@"; do
		if [ "$wait_pid" != - ] && ! [ -d "/proc/$wait_pid" ]; then
			# It may have done it at its end.
			! "$@" || return 0
			echo "# gave up waiting for $wait_what: process $wait_pid has ended" >&2
			return 1
		fi
		wait_look
		if [ "$wait_now" -ge "$wait_end" ]; then
			echo "# gave up waiting for $wait_what: the time is up" >&2
			return 1
		fi
		sleep "${PAUSE:-0.2}"
	done
}

# In seconds since the machine was started.
wait_look() {
	read -r wait_now _ </proc/uptime
	wait_now=${wait_now%%.*}
}
