# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the rows are written with that run in a guest, besides guest.sh and blame.sh. To be
# sourced by a row, with SEED (a number, from which all that is random follows) and EVENTS (how
# many of its unit; if empty, what the head says behind "# Slice: "; `brief`, behind "# Brief: "),
# and perhaps MINUTES, in which each row ends.

# shellcheck source=tests/e2e/guest.sh
. /payload/guest.sh
# shellcheck source=tests/e2e/blame.sh
. /payload/blame.sh

case $EVENTS in
'') EVENTS=$(sed -n 's/^# Slice: //p' "$0") ;;
brief) EVENTS=$(sed -n 's/^# Brief: //p' "$0") ;;
esac
# In three of four slices grace periods are as short as they can be: what is used for longer than
# it may be shows sooner, and more is done in a slice. PREEMPT_RT has none.
[ $((SEED % 4)) = 0 ] || echo 1 2>/dev/null >/sys/kernel/rcu_expedited
torture_end=$(($(cut -d . -f 1 /proc/uptime) + ${MINUTES:-5} * 60))
torture_count=0
torture_dice=$((SEED % 2147483647))

# throw: $thrown is less than 32768; the same ones for the same seed
throw() {
	torture_dice=$(((torture_dice * 1103515245 + 12345) % 2147483648))
	thrown=$((torture_dice / 65536))
}

# dice NUMBER: $dice is less than that, which may be as much as a thousand million
dice() {
	throw
	dice=$thrown
	if [ "$1" -gt 32768 ]; then
		throw
		dice=$((dice * 32768 + thrown))
	fi
	dice=$((dice % $1))
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

books=0

# all_of FILE: the sum of what waited() says
all_of() {
	awk '{ sum += $2 } END { printf "%.0f", sum }' "$1"
}

# closed SESSION: its books; and with ledger or interrupts, for each task the four times are
# what it was observed, to the nanosecond, and what was not its own is not more than it was on
# CPUs; with blame, when it is off, the lines of each task are what it waited. $books is of how
# many tasks, so far.
closed() {
	balances "$1"
	cat "$C/$1/ledger" "$C/$1/interrupts" "$C/$1/blame" | grep -q 1 || return 0
	cat "$D/$1/tasks" >"$T/tasks"
	matches "books of $1" '^tid	' "$T/tasks"
	is "books of $1 that do not close" '' "$(awk -F '\t' '
		NR > 1 && $1 && ($4 + $5 + $6 + $7 != $12 || $13 + $14 + $15 > $4) { print; if (bad++ > 1) exit }' "$T/tasks")"
	books=$((books + $(awk -F '\t' 'NR > 1 && $1' "$T/tasks" | wc -l)))
	# While it is on, the two are read one after the other.
	if [ "$(cat "$C/$1/blame" "$C/$1/enable" | xargs)" = '1 0' ]; then
		waited "$1" tasks 5 >"$T/waited"
		waited "$1" blame 5 >"$T/blamed"
		is "waits of $1, and those of its books" "$(all_of "$T/waited")" \
			"$(all_of "$T/blamed")"
		[ "$(cat "$C/$1/group_by")" != thread ] ||
			holds "each wait of $1" cmp "$T/waited" "$T/blamed"
	fi
}

# ---- a program that stays what it is, whatever happens around it

# by_roll NAME ATTRIBUTE=VALUE...: a session with these, and others as they fall
by_roll() {
	session "$@"
	dice 2; must_put "$C/$1/inherit" "$dice"
	dice 2; must_put "$C/$1/ledger" "$dice"
	dice 2; must_put "$C/$1/interrupts" "$dice"
	dice 2; must_put "$C/$1/blame" "$dice"
	one_of thread process comm cgroup; must_put "$C/$1/group_by" "$one_of"
	# Who looks often takes all of a kernel that is slow.
	one_of 1000 1000 3000 20000; must_put "$C/$1/period_us" "$one_of"
	# Nobody wakes a task that is on a CPU.
	case $(cat "$C/$1/mode") in
	oncpu|nosched) one_of none kernel 'kernel user' ;;
	*) one_of none kernel 'kernel user' 'kernel user waker' ;;
	esac
	must_put "$C/$1/stack" "$one_of"
	one_of mono boot tsc
	put "$C/$1/clock" "$one_of"
}

# steady THREADS NAPS: a program of so many threads, which will nap so often each, and four
# sessions that are on and that each know it by something else: $steady. To be let go with
# `go steady`.
steady() {
	before=$(umask)
	umask 0
	start steady as 4321 threads "$1" "$2" 2000
	umask "$before"
	at steady ready
	steady='by_pid by_comm by_uid'
	by_roll by_pid pids="$(pid steady)"
	by_roll by_comm comm=threads
	by_roll by_uid uid=4321
	if [ -e /sys/fs/cgroup/cgroup.procs ]; then
		mkdir -p /sys/fs/cgroup/steady
		pid steady >/sys/fs/cgroup/steady/cgroup.procs
		by_roll by_cgroup cgroup=/steady
		steady="$steady by_cgroup"
	fi
	# shellcheck disable=SC2086 # words
	switch_on $steady
	steady_before=$(switches_of "$(pid steady)")
}

# steadied: it is at its end, and each of the sessions saw each switch of it and no others;
# the kernel's own count tells how many there were. They are removed.
steadied() {
	at steady end
	steady_did=$(($(switches_of "$(pid steady)") - steady_before))
	for name in $steady; do
		closed "$name"
		is "switches of the program, $name" "$steady_did" "$(value "$name" recorded)"
	done
	stop steady
	# shellcheck disable=SC2086 # words
	drop $steady
}

# tracepoints FILE: those of the kernel that somebody listens to, told by its memory
tracepoints() {
	[ -e "$T/symbols" ] || grep ' __tracepoint_' /proc/kallsyms >"$T/symbols"
	listeners <"$T/symbols" >"$1" || give_up 'nobody tells who listens to tracepoints'
}

# limited_storm: half of a storm in a control group that is throttled all the time: $limited,
# or nothing where there are no such groups. limited_storm_ends: both are no more
limited_storm() {
	limited=
	echo +cpu >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || return 0
	mkdir /sys/fs/cgroup/limited
	echo '5000 20000' >/sys/fs/cgroup/limited/cpu.max
	storm 1 >"$T/limited.out" &
	limited=$!
	await 'another storm' grep -q storm "$T/limited.out"
	echo $limited >/sys/fs/cgroup/limited/cgroup.procs
}

limited_storm_ends() {
	[ -n "$limited" ] || return 0
	kill -9 "$limited"
	wait "$limited" 2>/dev/null
	rmdir /sys/fs/cgroup/limited
	echo -cpu >/sys/fs/cgroup/cgroup.subtree_control
}

# tortured: the end of a row
tortured() {
	[ "$torture_count" -gt 0 ] || fail 'nothing happened'
	echo "# count $torture_count"
	finish
}
