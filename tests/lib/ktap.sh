# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Results as KTAP, which all tests print:
# https://docs.kernel.org/dev-tools/ktap.html. To be sourced, here and in guests.
#
#	ktap_begin 3			how many results come
#	ktap_ok NAME
#	ktap_not_ok NAME [WHY]
#	ktap_skip NAME WHY
#	ktap_check NAME COMMAND...	a result: does it succeed?
#	ktap_subtest NAME COMMAND...	a result, with what the command prints below it,
#					which is KTAP itself
#	ktap_lines FILE [NUMBER]	a program's lines "ok NAME" and "not ok NAME: WHY",
#					as KTAP
#	ktap_end			fails if a result is bad or missing
#
# A name has no "#" in it. What is printed besides begins with "# ", as ktap_note says it.
# tests/lib/ktap reads and counts.

ktap_begin() {
	ktap_planned=$1 ktap_number=0 ktap_failed=0
	printf 'KTAP version 1\n1..%d\n' "$1"
}

ktap_result() {
	ktap_number=$((ktap_number + 1))
	printf '%s %d %s\n' "$1" "$ktap_number" "$2"
}

ktap_ok() {
	ktap_result ok "$1"
}

ktap_not_ok() {
	[ -z "${2:-}" ] || ktap_note "$2"
	ktap_failed=$((ktap_failed + 1))
	ktap_result 'not ok' "$1"
}

ktap_skip() {
	ktap_result ok "$1 # SKIP $2"
}

ktap_note() {
	printf '%s\n' "$*" | ktap_notes
}

# What comes in, as notes.
ktap_notes() {
	sed '/^#/!s/^/# /'
}

# In a shell of its own, as strict as this one: with `set -e`, it ends with the first
# command that fails, which it does not do where a condition is asked for. Quiet unless
# it fails. A command that succeeds and prints "skip: WHY" as its last line was skipped.
ktap_check() {
	ktap_name=$1
	shift
	ktap_log=$(mktemp)
	case $- in
	*e*)
		set +e
		(set -e; "$@") >"$ktap_log" 2>&1
		ktap_status=$?
		set -e
		;;
	*)
		("$@") >"$ktap_log" 2>&1
		ktap_status=$?
		;;
	esac
	ktap_last=$(tail -n 1 "$ktap_log" | tr -d '\000')
	if [ "$ktap_status" -ne 0 ]; then
		tail -n 30 "$ktap_log" | ktap_notes
		ktap_not_ok "$ktap_name" "$1 failed with status $ktap_status, see above"
	elif [ "${ktap_last#skip: }" != "$ktap_last" ]; then
		ktap_skip "$ktap_name" "${ktap_last#skip: }"
	else
		ktap_ok "$ktap_name"
	fi
	rm -f "$ktap_log"
}

ktap_subtest() {
	ktap_name=$1
	shift
	# The status comes out beside the pipe; programs that stay do not hold it open.
	{ ktap_status=$({ { "$@" 3>&- 4>&-; echo $? >&3; } | ktap_below "$ktap_name" >&4; } 3>&1); } 4>&1
	ktap_ended "$ktap_name" "$ktap_status"
}

# ktap_ended NAME STATUS: the result of a subtest
ktap_ended() {
	case $2 in
	0) ktap_ok "$1" ;;
	1) ktap_not_ok "$1" ;;
	*) ktap_not_ok "$1" "it ended with status $2" ;;
	esac
}

# ktap_below NAME: what comes in, as a subtest of that name
ktap_below() {
	while IFS= read -r ktap_line; do
		printf '  %s\n' "$ktap_line"
		[ "$ktap_line" != 'KTAP version 1' ] || printf '  # Subtest: %s\n' "$1"
	done
}

# ktap_jobs NUMBER: a whole test, whose subtests are the commands that come in, one in a
# line, perhaps behind a name and a tab. That many run at a time. What one says is printed
# when it has ended, with how long it took, and how much of a processor; its progress
# (stderr) at once.
ktap_jobs() {
	ktap_dir=$(mktemp -d)
	cat >"$ktap_dir/list"
	# shellcheck disable=SC2016 # the shell that xargs starts expands it
	xargs -r -P "$1" -d '\n' -n 1 bash -c '
		log=$(mktemp -p "$0")
		TIMEFORMAT="took %0R s, %0U + %0S s of a processor"
		exec 4>&2
		tab=$(printf "\t")
		{ time { (eval "${1#*$tab}") >"$log" 2>&4; }; } 2>"$log.time"
		echo "$? $log ${1%%$tab*}"' "$ktap_dir" <"$ktap_dir/list" | {
		ktap_begin "$(wc -l <"$ktap_dir/list")"
		while read -r ktap_status ktap_log ktap_name; do
			ktap_below "$ktap_name" <"$ktap_log"
			ktap_notes <"$ktap_log.time"
			ktap_ended "$ktap_name" "$ktap_status"
		done
		ktap_end
	}
	ktap_status=$?
	rm -rf "$ktap_dir"
	return $ktap_status
}

# Fails if there are none, or another number than there must be.
ktap_lines() {
	ktap_begin "${2:-$(grep -cE '^(not )?ok ' "$1")}"
	while IFS= read -r ktap_line; do
		case $ktap_line in
		'ok '*)
			ktap_ok "${ktap_line#ok }"
			;;
		'not ok '*)
			ktap_line=${ktap_line#not ok }
			ktap_not_ok "${ktap_line%%: *}" "$ktap_line"
			;;
		*)
			ktap_note "$ktap_line"
			;;
		esac
	done <"$1"
	ktap_end && [ "$ktap_number" -gt 0 ]
}

ktap_end() {
	if [ "$ktap_number" -ne "$ktap_planned" ]; then
		ktap_note "$ktap_planned results were planned, and $ktap_number came"
		return 1
	fi
	[ "$ktap_failed" -eq 0 ]
}
