# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Slices that are kept: what each counted, in a file of torture/COMMIT of the cache, and those that
# doc/reliability.md is of, and later ones, also in tests/torture/kept.tsv, a line for each, so that another machine
# goes on where this one ended. To be sourced by what runs slices or tells of them, behind
# setup.sh.

kept_here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
kept=$CACHE/torture
kept_file=$kept_here/kept.tsv

# told ROW WORD: by the row's head
told() {
	sed -n "s/^# $2: //p" "$kept_here/rows/$1"
}

# kept_fetch: those of the file that the cache does not have
kept_fetch() {
	local commit name date rest file

	mkdir -p "$kept"
	[ -e "$kept_file" ] || return 0
	while IFS=$'\t' read -r commit name date rest; do
		file=$kept/$commit/$name
		[ ! -e "$file" ] || continue
		mkdir -p "${file%/*}"
		tr '\t' '\n' <<<"$rest" >"$file"
		touch -d "$date" "$file"
	done < <(grep -v '^#' "$kept_file")
}

# kept_lines ROW COMMIT: lines of the file; of what a slice that failed had said they have the first sentence
kept_lines() {
	local file

	for file in "$kept/$2/$1".*.{passed,failed}; do
		[ -e "$file" ] || continue
		printf '%s\t%s\t%s\t' "$2" "${file##*/}" "$(sed -n 's/^date //p' "$file" | sed -n 1p)"
		sed '/^date /q' "$file" | paste -s -d '\t'
	done
}
