# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the promises are written with. To be sourced by a promise, in a guest
# whose module is loaded and whose programs are in $PATH; run-promises sets
# PROMISE (its name), KERNEL, SCALE (100, less on slow kernels), EFFORT (full or brief),
# TIME (own, or the host's), KIND (of the machine, see tests/e2e/run) and T (scratch).
#
# What must hold is said with expect.sh (tests/lib), which knows no module; here is what
# belongs to ours.

# shellcheck source=tests/lib/expect.sh
. /payload/expect.sh

C=/sys/kernel/config/schedprof
D=/sys/kernel/debug/schedprof

# ---- the end

finish() {
	drop_all
	program_accounts
	[ "$KIND" != int3 ] || [ "$(cat /proc/sys/kernel/ftrace_enabled)" = 1 ] ||
		[ -e "$T/breakpoints" ] || fail 'no session was seen to have breakpoints'
	if [ -e "$T/failed" ]; then
		exit 1
	fi
	: >"$T/finished"
	exit 0
}

# ---- sessions

# hooks [HOOK...]: those that can be chosen here; where it shall be brief, one of them,
# which is not the same for every promise
hooks() {
	hooks=
	[ $# -gt 0 ] || set -- kprobe tracepoint ftrace
	# That is what such a machine is for.
	[ "$KIND" != int3 ] || set -- kprobe
	for hook; do
		! put "$C/hook" "$hook" || hooks="$hooks $hook"
	done
	put "$C/hook" kprobe
	# shellcheck disable=SC2086 # several words
	set -- $hooks
	if [ "$EFFORT" != full ] && [ "${HOOKS:-}" != all ]; then
		shift $((0x$(echo "$PROMISE" | md5sum | cut -c 3-6) % $#))
		set -- "$1"
	fi
	# A word that no session takes, so that a loop over none breaks the promise.
	echo "${@:-none}"
}

# put FILE TEXT: 1 if it was refused
put() {
	printf '%s\n' "$2" 2>/dev/null >"$1"
}

# errno_of FILE TEXT: ok, or the name of the error
errno_of() {
	command put "$1" "$2"
}

# must_put FILE TEXT
must_put() {
	put "$1" "$2" ||
		give_up "writing '$2' to ${1#"$C/"}: refused: $(cat "${1%/*}/last_error")"
}

# session NAME [ATTRIBUTE=VALUE]...
session() {
	session=$1
	shift
	mkdir "$C/$session" || give_up "cannot make the session $session"
	for pair; do
		must_put "$C/$session/${pair%%=*}" "${pair#*=}"
	done
}

switch_on() {
	for session; do
		must_put "$C/$session/enable" 1
	done
	[ "$KIND" != int3 ] || still_breakpoints
}

switch_off() {
	for session; do
		must_put "$C/$session/enable" 0
	done
}

drop() {
	for session; do
		accounted "$session"
		rmdir "$C/$session" || fail "cannot remove the session $session"
	done
}

drop_all() {
	for dir in "$C"/*/; do
		[ -d "$dir" ] || continue
		accounted "$(basename "$dir")"
		rmdir "$dir" || fail "cannot remove $dir"
	done
}

# value SESSION NAME: a line of stats
value() {
	awk -v name="$2" '$1 == name { print $2 }' "$D/$1/stats"
}

# value_in FILE NAME
value_in() {
	awk -v name="$2" '$1 == name { print $2 }' "$1"
}

# The books of a session: every interval is in one place.
balances() {
	cat "$D/$1/stats" >"$T/$1.stats"
	balance=$(awk '
		$1 == "intervals" { all = $2 }
		/^(filtered|below_min|above_max|lost_tasks|lost_stacks|lost_entries|recorded) / {
			sum += $2
			n++
		}
		END { printf "%.0f %.0f %d", all, sum, n }' "$T/$1.stats")
	[ "$balance" = "${balance%% *} ${balance%% *} 7" ] ||
		fail "books of $1: expected intervals to be the sum of its 7 parts, got (intervals, sum, parts) $balance"
	is "unaccounted intervals of $1" 0 "$(value_in "$T/$1.stats" unaccounted)"
}

# accounted SESSION: every test ends so; readers that are slower than a switch see it whole
accounted() {
	is "unaccounted intervals of $1" 0 "$(value "$1" unaccounted)"
	[ "$KIND" != int3 ] || still_breakpoints
}

# program_accounts: sessions of the command line are gone; so are their books, in what it printed,
# and in what it recorded last
program_accounts() {
	find "$T" -maxdepth 1 -type f >"$T/files"
	! grep -q '\.err$' "$T/files" || while read -r file; do
		[ "$(head -c 24 "$file" | tail -c 8)" != schedprf ] ||
			schedprof report --stats "$file" >"$file.stats" || fail "report of $file"
	done <"$T/files"
	find "$T" -maxdepth 1 -type f -exec grep -oE \
		'"unaccounted": *-?[0-9]+|^unaccounted[ 	]+-?[0-9]+' /dev/null {} + >"$T/accounts"
	is 'unaccounted intervals of the command line' '' "$(grep -vE '[ 	]0$' "$T/accounts")"
}

# In a machine without jumps and without ftrace: are probes that are armed still breakpoints?
still_breakpoints() {
	[ "$(cat /proc/sys/kernel/ftrace_enabled)" = 0 ] || return 0
	lacks 'what is armed' '^role=.* backend=kprobe .* armed=(jump|ftrace) ' "$C/hooks_status"
	! grep -q '^role=switch backend=kprobe .* armed=int3 ' "$C/hooks_status" ||
		: >"$T/breakpoints"
}

# reload PARAMETER...: the module goes, and comes with these
reload() {
	rmmod schedprof || give_up 'rmmod'
	insmod /payload/schedprof.ko "$@" || give_up 'insmod'
}

# tasks FILE: all that are there
tasks() {
	# shellcheck disable=SC2012 # numbers
	ls -d /proc/[0-9]*/task/[0-9]* | sed 's|.*/||' | sort >"$1"
}

# whole_lives WHAT SESSION FILE: of a session of mode wall and all tasks, that has ended. Tasks
# that were there before it (FILE) and are still have as much time as it was long.
whole_lives() {
	tasks "$T/after"
	grep -Fx -f "$3" "$T/after" >"$T/lives"
	is "$1: time without room, ns" 0 "$(value "$2" lost_ns)"
	raw threads "$D/$2/raw" | awk '{ sum[$1] += $3 } END { for (tid in sum) printf "%d %.0f\n", tid, sum[tid] }' \
		>"$T/sums"
	awk -v long="$(value "$2" enabled_ns)" '
	FNR == NR { lives[$1] = 1; next }
	$1 in lives {
		seen++
		if ($2 != long && bad++ < 3)
			print "of " $1 " there are " $2 " ns, and the session has " long
	}
	$2 > long { print "of " $1 " there are " $2 " ns, which is more than " long }
	END {
		if (seen < 20)
			print "only " seen + 0 " tasks"
	}' "$T/lives" "$T/sums" >"$T/odd"
	[ ! -s "$T/odd" ] || fail "$1: $(head -n 3 "$T/odd")"
}

# take SESSION: copies of its results, folded also with the functions' names
take() {
	for file in folded top by_task histogram stats; do
		cat "$D/$1/$file" >"$T/$1.$file" || fail "cannot read $1/$file"
	done
	resolve <"$T/$1.folded" >"$T/$1.named"
}

# rows FILE: of `top` or `by_task`, one line for each row, as in folded but
# with more figures: TID COUNT TOTAL_US OPEN outermost;...;innermost
# The rows' frames go through `resolve`.
rows() {
	awk '
	function us(number, unit) {
		return number * (unit == "ns" ? 0.001 : unit == "us" ? 1 :
				 unit == "ms" ? 1000 : 1000000)
	}
	function out() {
		if (tid != "")
			printf "%s;%s;%.0f;%s%s%s 0\n", tid, count, total, open, user, kernel
		tid = user = kernel = ""
		in_user = 0
	}
	/^[0-9]+\. / {
		out()
		tid = "-"
		open = /\(open\)/ ? "open" : "closed"
		for (i = 1; i < NF; i++)
			if ($i == "tid")
				tid = $(i + 1)
		next
	}
	/^    total / {
		total = us($2, $3)
		for (i = 4; i < NF; i++)
			if ($i == "count")
				count = $(i + 1)
		next
	}
	/^        --/ { in_user = 1; next }
	/^        / {
		gsub(/^ +/, "")
		gsub(/[ ;]/, "_")
		if (in_user) {
			sub(/^\?_/, "")	# it was found by a frame pointer alone
			user = ";" $0 user
		} else {
			sub(/\+0x.*/, "")
			kernel = ";" $0 "_[k]" kernel
		}
	}
	END { out() }' "$1" | resolve | sed 's/ 0$//; s/;/ /; s/;/ /; s/;/ /; s/;/ /'
}

# woken_by TID FILE: from top, each waker's name and how many times of the task it ended
woken_by() {
	awk -v tid="$1" '
	/^[0-9]+\. / {
		for (i = 1; i < NF; i++)
			if ($i == "tid")
				is = $(i + 1) == tid
	}
	/^    total / {
		for (i = 1; i < NF; i++)
			if ($i == "count")
				n = $(i + 1)
	}
	/^        -- woken by / && is {
		sub(/^        -- woken by /, "")
		count[$0] += n
	}
	END { for (name in count) print name, count[name] }' "$2" | sort
}

# sum_us FILE PATTERN: of the lines of folded that match
sum_us() {
	grep -E -- "$2" "$1" | awk '{ sum += $NF } END { printf "%.0f", sum }'
}

# ---- the command line

# cli NAME ARGUMENT...: start it; its output and errors go to $T/NAME.out and .err
cli() {
	cli=$1
	shift
	schedprof "$@" >"$T/$cli.out" 2>"$T/$cli.err" &
	echo $! >"$T/$cli.pid"
}

# cli_records NAME: wait until its session is enabled
cli_records() {
	await_of "$(pid "$1")" "$1 records" is_enabled_by "$(pid "$1")" ||
		give_up "$1 does not record: $(cat "$T/$1.err")"
}

is_enabled_by() {
	schedprof ls | awk -F "\t" -v pid="$1" '
		$6 == pid && $3 == "enabled" { found = 1 }
		END { exit !found }'
}

# cli_ends NAME SIGNAL STATUS: send it, wait, and compare what it ended with
cli_ends() {
	kill -"$2" "$(pid "$1")"
	wait "$(pid "$1")"
	is "status of $1 after SIG$2" "$3" $?
}

# is_rt: do threads run what elsewhere interrupts do?
is_rt() {
	case $(uname -v) in
	*PREEMPT_RT*) return 0 ;;
	*) return 1 ;;
	esac
}

# kernel_is_preemptible: are system calls preempted? debugfs tells where that can be chosen at
# boot, and else the kernel's version.
kernel_is_preemptible() {
	case $(cat /sys/kernel/debug/sched/preempt 2>/dev/null)$(uname -v) in
	*'(full)'*|*'(lazy)'*|*PREEMPT_RT*|*'PREEMPT '*) return 0 ;;
	*) return 1 ;;
	esac
}

# ---- workloads

# start NAME PROGRAM [ARGUMENT...]: runs it up to its first gate
start() {
	start=$1
	shift
	rm -f "$T/$start.gate"
	mkfifo "$T/$start.gate"
	# Not by the child: until it runs, the output of an older one is there.
	: >"$T/$start.out"
	GATE=$T/$start.gate "$@" >"$T/$start.out" 2>&1 &
	echo $! >"$T/$start.pid"
}

pid() {
	cat "$T/$1.pid"
}

# at NAME GATE: wait until it is there, and until all its threads are at rest
at() {
	await_of "$(pid "$1")" "the workload $1 at '$2'" grep -q "^at $2\$" "$T/$1.out" ||
		give_up "the workload $1 did not get to '$2': $(tail -n 2 "$T/$1.out")"
	switches -s "$(pid "$1")" >"$T/$1.rest" ||
		give_up "the workload $1 is not at rest"
}

# go NAME: let it pass the gate
go() {
	echo >"$T/$1.gate"
}

# state_of PID: as one letter
state_of() {
	cut -d ' ' -f 3 "/proc/$1/stat"
}

# rival: "$rival" is somebody who wants CPU 0 all the time
rival() {
	taskset 1 sh -c 'while :; do :; done' &
	rival=$!
	await 'a rival' at_least 1 ticks_in_user_mode $rival
}

ticks_in_user_mode() {
	cut -d ' ' -f 14 "/proc/$1/stat"
}

stop() {
	for name; do
		kill -KILL "$(pid "$name")" 2>/dev/null
		wait "$(pid "$name")" 2>/dev/null
	done
}

# alone_on CPU: who has a priority of real time keeps others from that CPU for good, who would
# be let in for a part of each second. This shell keeps off it with all it starts: a child that
# is born there could not even be told to end that. as_usual: again as before
alone_on() {
	fair_server=/sys/kernel/debug/sched/fair_server/cpu$1/runtime
	real_time=$(cat /proc/sys/kernel/sched_rt_runtime_us)
	cpus=$(taskset -p $$ | sed 's/.* //')
	taskset -p "$(printf %x $((0x$cpus & ~(1 << $1))))" $$ >/dev/null ||
		give_up "this shell does not keep off CPU $1"
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	[ ! -e "$fair_server" ] || {
		fair_time=$(cat "$fair_server")
		echo 0 >"$fair_server"
	}
}

as_usual() {
	[ ! -e "$fair_server" ] || echo "$fair_time" >"$fair_server"
	echo "$real_time" >/proc/sys/kernel/sched_rt_runtime_us
	taskset -p "$cpus" $$ >/dev/null
}

# switches_of PID...: all of them, of all threads, which must be at rest
switches_of() {
	switches -s "$@" | cut -d ' ' -f 2
}

# told NAME LINE FIELD: a number that the workload measured, as in
# "path deep wall_ns 123": told nap 'path deep' wall_ns
told() {
	awk -v line="^$2 " -v field="$3" '
		$0 ~ line {
			for (i = 1; i < NF; i++)
				if ($i == field) {
					print $(i + 1)
					exit
				}
		}' "$T/$1.out"
}
