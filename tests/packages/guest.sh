# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# What the programs that run in a booted system with the packages share. To be
# sourced; $VERSION is that of the packages. Each line of a program that begins with "holds"
# or "says" is a result (KTAP).

# shellcheck source=tests/lib/ktap.sh
. /run/payload/ktap.sh
# shellcheck source=tests/lib/wait.sh
. /run/payload/wait.sh

C=/sys/kernel/config/schedprof
R=/sys/kernel/debug/schedprof
WHY=/usr/libexec/schedprof/why-not-loaded
LC_ALL=C
DEBIAN_FRONTEND=noninteractive
export LC_ALL DEBIAN_FRONTEND

# holds NAME COMMAND...
holds() {
	name=$1
	shift
	if "$@" >/run/payload/log 2>&1; then
		ktap_ok "$name"
	else
		ktap_notes </run/payload/log
		ktap_not_ok "$name" "$* failed, see above"
	fi
}

# says NAME PATTERN COMMAND...: it prints a line that matches, in one line.
says() {
	name=$1 pattern=$2
	shift 2
	# What apt writes comes through a terminal.
	"$@" 2>&1 | tr -d '\r' >/run/payload/log
	if grep -E "$pattern" /run/payload/log >/run/payload/matches; then
		ktap_notes </run/payload/matches
		ktap_ok "$name"
	else
		ktap_notes </run/payload/log
		ktap_not_ok "$name" "no line like '$pattern' from $*, see above"
	fi
}

# Sleeps $1 seconds as a process named nap.
cp "$(command -v sleep)" /run/nap
nap() {
	/run/nap "$1"
}

# There is the session of /etc/schedprof.d/web.conf, as it says.
web() {
	[ "$(cat $C/web/comm)" = 'nap*' ] && [ "$(cat $C/web/top_n)" = 5 ] &&
		[ "$(cat $C/web/enable)" = 1 ]
}

# How many intervals session $1 has recorded.
recorded() {
	awk '$1 == "recorded" { print $2 }' "$R/$1/stats"
}

systemctl is-system-running --wait >/run/payload/state 2>&1
ktap_begin "$(grep -cE '^(holds|says) ' "$0")"
ktap_note "system: $(cat /run/payload/state), kernel $(uname -r)"
