# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034,SC2015
#
# What the tests of metrics share: Prometheus, node_exporter and promtool of Debian, where
# they are, and what Prometheus answers. To be sourced after setup.sh and debian.sh, by a
# script with a directory $tmp, and with $port once Prometheus is to be asked.

# is WHAT EXPECTED GOT
is() {
	[ "$2" = "$3" ] && return
	echo "$1: expected $2, got $3"
	return 1
}

# Where the programs are: in the system, or unpacked in the cache, as their packages would start
# services: $bin; $why is why they are nowhere.
find_programs() {
	local at

	at=$CACHE/prometheus-$(package_version prometheus)-$(package_version prometheus-node-exporter)
	bin=/usr/bin why=
	for program in prometheus promtool prometheus-node-exporter; do
		[ -x "$bin/$program" ] || bin=$at/usr/bin
	done
	[ ! -x "$bin/prometheus" ] || return 0
	lock_cache prometheus
	[ ! -x "$bin/prometheus" ] || return 0
	rm -rf "$at.new"
	mkdir -p "$at.new" || return
	(download_debian "$at.new" prometheus prometheus-node-exporter) 2>"$tmp/download" || {
		why=$(tr '\n' ' ' <"$tmp/download")
		return 1
	}
	for program in "$at.new"/*.deb; do
		unpack_debian "$program" "$at.new" && rm "$program" || return
	done
	rm -rf "$at" && mv "$at.new" "$at"
}

# says_nothing COMMAND...: all is well, and nothing is said about it
says_nothing() {
	"$@" >"$tmp/said" 2>&1 && [ ! -s "$tmp/said" ] || { cat "$tmp/said"; return 1; }
}

# free_port: one that nobody listens at
free_port() {
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# query EXPRESSION: the answer of Prometheus
query() {
	curl -sS --max-time 30 -G "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1"
}

# value EXPRESSION: of one sample
value() {
	query "$1" | jq -r '.data.result[0].value[1] // "none"'
}

# query_some QUERY, value_of QUERY: the same of what is there for sure. After a scrape for which
# a busy host left no time, there is nothing until the next one.
query_some() {
	local answer

	for _ in {1..30}; do
		answer=$(query "$1")
		! jq -e '.data.result | length > 0' <<<"$answer" >/dev/null || break
		sleep 1
	done
	printf '%s\n' "$answer"
}

value_of() {
	query_some "$1" | jq -r '.data.result[0].value[1] // "none"'
}

# has_value EXPRESSION VALUE
has_value() {
	[ "$(value "$1")" = "$2" ]
}
