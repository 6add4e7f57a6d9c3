#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest: starts each program of the mix in the system on the disk, stops all of its
# threads again and again wherever they are, and keeps what the module and eu-stack say
# of each; then lets it work and keeps what the module, offcputime of libbpf-tools, and perf with
# copies of stacks say of the same program. Nothing is judged here: see compare. Prints KTAP.

# shellcheck source=tests/lib/ktap.sh
. /payload/ktap.sh

C=/sys/kernel/config/schedprof
D=/sys/kernel/debug/schedprof
R=/disk
export PATH="/payload/programs:$PATH"

# of NAME: the processes of its program, by the file they run
processes() {
	program=$R$(cat "$R/work/exe")
	for p in /proc/[0-9]*; do
		[ "$(readlink "$p/exe")" != "$program" ] || echo "${p#/proc/}"
	done
}

# Whoever runs in the system of the disk.
all_away() {
	tries=0
	while [ $tries -lt 50 ]; do
		left=''
		for p in /proc/[0-9]*; do
			[ "$(readlink "$p/root")" != $R ] || left="$left ${p#/proc/}"
		done
		[ -n "$left" ] || return 0
		# shellcheck disable=SC2086 # one by one
		kill -9 $left 2>/dev/null
		tries=$((tries + 1))
		sleep 0.2
	done
	return 1
}

# All threads of those processes, stopped as by a shell's user.
stopped() {
	for p; do
		for status in /proc/"$p"/task/*/stat; do
			# The name may have any character in it.
			case $(sed 's/.*) //; s/ .*//' "$status" 2>/dev/null) in
			T|Z|X|'') ;;
			*) return 1 ;;
			esac
		done
	done
}

# session NAME PID...: records their user stacks
session() {
	dir=$C/$1
	mkdir "$dir" || return
	shift
	echo "$*" | tr ' ' ',' >"$dir/pids"
	echo kernel,user >"$dir/stack"
	echo 127 >"$dir/stack_depth"
	echo 1 >"$dir/enable"
}

# keep NAME FILE: what it recorded
keep() {
	cat "$D/$1/raw" >"/out/$2.raw"
	cat "$D/$1/stats" >"/out/$2.stats"
	rmdir "$C/$1"
}

# one_round NAME NUMBER
one_round() {
	case $(($2 % 3)) in
	0) echo kprobe ;;
	1) echo ftrace ;;
	2) echo tracepoint ;;
	esac >"$C/hook"
	pids=$(processes)
	# shellcheck disable=SC2086 # one by one
	session stop $pids || return
	# Long enough for each thread to leave a CPU; a fraction that no load is in step with.
	sleep "$(awk -v n="$2" 'BEGIN { print 1 + n * 0.237 % 1 }')"
	# shellcheck disable=SC2086
	kill -STOP $pids
	tries=0
	# shellcheck disable=SC2086
	until stopped $pids || [ $tries -ge 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	keep stop "$1.$2"
	for pid in $pids; do
		chroot $R eu-stack -q -n 300 -p "$pid" 2>&1
	done >"/out/$1.$2.truth"
	# shellcheck disable=SC2086
	kill -CONT $pids
}

# shares NAME: what each tool sees of it while it works
shares() {
	# shellcheck disable=SC2046 # one by one
	session with $(processes)
	sleep "$SECONDS_OF"
	keep with "$1.with"

	chroot $R /usr/sbin/offcputime -u -v --stack-storage-size 16384 "$SECONDS_OF" >"/out/$1.bcc" 2>"/out/$1.bcc.errors"

	# It takes perf minutes to read what a second brought.
	chroot $R perf record -q -a -e sched:sched_switch --call-graph dwarf,16384 -m 4M \
		-o /work/perf.data sleep 1 >"/out/$1.perf.errors" 2>&1
	# Of each switch when it was, who left, who came, and the outermost frame of who left, as
	# an offset in a file.
	chroot $R perf script -i /work/perf.data -F tid,time,event,trace,ip,sym,dso 2>>"/out/$1.perf.errors" |
		awk '
		function flush() {
			if (time != "")
				print time, prev, next_tid, outermost, depth
			time = ""
		}
		/prev_pid=/ {
			flush()
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^[0-9]+\.[0-9]+:$/ && time == "") time = substr($i, 1, length($i) - 1)
				if ($i ~ /^prev_pid=/) prev = substr($i, 10)
				if ($i ~ /^next_pid=/) next_tid = substr($i, 10)
			}
			outermost = "-"
			depth = 0
			next
		}
		NF && time != "" { outermost = $1 $NF; depth++ }
		END { flush() }' >"/out/$1.perf"
	chroot $R perf script -i /work/perf.data 2>&1 | grep -A 25 -m 5 "^$1 " >"/out/$1.perf.sample"
	rm -f $R/work/perf.data

	follows_no_more
	sed 1d "$C/unwind_tables" | while read -r id _; do
		echo "-$id" >"$C/unwind_tables"
	done
	# shellcheck disable=SC2046
	session without $(processes)
	sleep "$SECONDS_OF"
	keep without "$1.without"
	processes >"/out/$1.processes"
	for pid in $(processes); do
		for task in /proc/"$pid"/task/*; do
			echo "$pid ${task##*/}"
		done
		# As who is in that system calls them.
		grep ' r-xp ' "/proc/$pid/maps" | sed "s: $R/: /:" >>"/out/$1.maps"
	done >"/out/$1.threads"
}

follows_no_more() {
	[ -z "$follower" ] || kill "$follower" 2>/dev/null
	follower=''
}

one_subject() {
	function=begin_$(echo "$1" | tr - _)
	rm -rf $R/work
	mkdir -m 777 $R/work
	# shellcheck disable=SC2016 # for the shell inside
	timeout 600 chroot $R sh -ec '. /programs/subjects.sh; "$0"; echo "$exe" >/work/exe' \
		"$function" >"/out/$1.begin" 2>&1 </dev/null
	[ -s $R/work/exe ] || {
		tail -n 5 "/out/$1.begin" $R/work/*.log 2>&1 | ktap_notes
		return 1
	}
	pids=$(processes)
	[ -n "$pids" ] || { echo "# no process runs $(cat $R/work/exe)"; return 1; }
	# shellcheck disable=SC2086
	schedprof unwind add $pids >"/out/$1.added" 2>&1 || sed 's/^/# /' "/out/$1.added"
	# And of what is loaded later.
	schedprof unwind follow >>"/out/$1.added" 2>&1 &
	follower=$!
	round=0
	while [ $round -lt "$ROUNDS" ]; do
		one_round "$1" $round || return
		round=$((round + 1))
	done
	echo kprobe >"$C/hook"
	shares "$1"
}

ktap_begin $#
follower=''
mkdir -p $R
mount -t ext4 /dev/vda $R || exit
mount --bind /proc $R/proc
mount --bind /sys $R/sys
mount --bind /dev $R/dev
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
mount -t tmpfs tmpfs $R/tmp
mount -t tmpfs tmpfs $R/run
mkdir -p $R/dev/shm
mount -t tmpfs tmpfs $R/dev/shm
chmod 1777 $R/tmp $R/dev/shm
cp /payload/subjects.sh $R/programs/
ip link set lo up 2>/dev/null || ifconfig lo up
echo 0 >/proc/sys/kernel/kptr_restrict
echo -1 >/proc/sys/kernel/perf_event_paranoid
insmod /payload/schedprof.ko || exit
for name; do
	began=$(cut -d . -f 1 /proc/uptime)
	if one_subject "$name"; then
		ktap_ok "$name"
	else
		ktap_not_ok "$name"
	fi
	follows_no_more
	all_away || echo "# $name does not go away"
	echo "# took $(($(cut -d . -f 1 /proc/uptime) - began)) s"
done
rmmod schedprof
ktap_end
