# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What promises share that ask who ran while a task waited for a CPU. To be sourced behind
# guest.sh. With $hook set, what is expected is told of that one.

# busy_loop NAME NICE: one that wants the first CPU all the time
busy_loop() {
	taskset 1 sh -c "renice $2 \$\$ >/dev/null; while :; do :; done" &
	echo $! >"$T/$1.pid"
	await "$1" at_least 1 ticks_in_user_mode "$(pid "$1")"
}

# ran NAME: ns, in the kernel's books
ran() {
	cut -d ' ' -f 1 "/proc/$(pid "$1")/schedstat"
}

# share SESSION WAITER CULPRIT: ns; the culprit by TID, or by its name if that is in brackets
share() {
	awk -F '\t' -v waiter="$2" -v culprit="$3" '
		$1 == waiter && (culprit ~ /^\[/ ? $4 : $3) == culprit { ns += $5 }
		END { printf "%.0f", ns }' "$D/$1/blame"
}

# waited SESSION FILE COLUMN: a line "TID NS" of each task that waited
waited() {
	awk -F '\t' -v column="$3" '
		NR > 1 { ns[$1] += $column }
		END { for (tid in ns) if (ns[tid]) printf "%s %.0f\n", tid, ns[tid] }' \
		"$D/$1/$2" | sort
}

# The lines of every task are its wait.
closes() {
	waited "$1" tasks 5 >"$T/$1.waited"
	waited "$1" blame 5 >"$T/$1.blamed"
	holds "${hook:+$hook: }waits in the lines of $1 are those in its books" \
		cmp "$T/$1.waited" "$T/$1.blamed"
	within "${hook:+$hook: }tasks of $1 that waited" 1 999999 "$(wc -l <"$T/$1.waited")"
	awk -F '\t' 'NR > 1 && ($5 < $7 || $6 < 1 || $5 > $6 * $7)' "$D/$1/blame" >"$T/$1.wrong"
	is "${hook:+$hook: }lines of $1 that cannot be" '' "$(cat "$T/$1.wrong")"
	is "${hook:+$hook: }shares of $1 without room" 0 "$(value "$1" lost_blame)"
}
