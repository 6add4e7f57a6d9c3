# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests of other programs' formats share: the command line, recordings, and what
# of them is wanted. To be sourced after setup.sh, in the top directory, by a script with
# a directory $tmp.

# shellcheck disable=SC2034 # by whoever sources this
export_packages=(gcc make binutils libdw-dev libelf-dev zlib1g-dev libiberty-dev libnanopb-dev
	jq python3)
export_kinds=(standard names calls cycles idle events large)
read_export=tools/tests/read_export.py
# shellcheck disable=SC2154 # of whoever sources this
S=$tmp/build/schedprof-static

# Without a warning: the command line, also with checks of memory, and recordings.
# shellcheck disable=SC2015 # says why whichever part fails
export_builds() {
	local kind

	make -s -C tools O="$tmp/build" all "$S" >"$tmp/compiler" 2>&1 &&
		make -s -C tools O="$tmp/checked" CFLAGS='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover' \
			"$tmp/checked/schedprof-static" >>"$tmp/compiler" 2>&1 &&
		gcc -D_GNU_SOURCE -iquote src/report -Itools/tests -o "$tmp/make_raw" \
			tools/tests/make_raw.c tools/tests/raw_maker.c -lz &&
		gcc -D_GNU_SOURCE -iquote src/report -Itools/tests -o "$tmp/make_calls" \
			tools/tests/make_calls.c tools/tests/raw_maker.c -lz &&
		[ ! -s "$tmp/compiler" ] || { cat "$tmp/compiler"; return 1; }
	for kind in "${export_kinds[@]}"; do
		if [ "$kind" = calls ]; then
			"$tmp/make_calls" >"$tmp/$kind"
		else
			"$tmp/make_raw" "$kind" >"$tmp/$kind"
		fi || return
	done
}

# wanted KIND [HOW]
wanted() {
	"$read_export" "${2:-wanted}" "$tmp/folded-$1" "$tmp/json-$1"
}

# From what schedprof prints itself, which has its own tests: here, its sums are checked.
all_wanted() {
	local kind

	for kind in "${export_kinds[@]}"; do
		"$S" report -q --folded "$tmp/$kind" >"$tmp/folded-$kind" &&
			"$S" report -q --json "$tmp/$kind" >"$tmp/json-$kind" &&
			wanted "$kind" >"$tmp/wanted-$kind" && [ -s "$tmp/wanted-$kind" ] || return
	done
	grep -qxF '2000000001 2 a"b,_c__\_d-201;/opt/a_"b",__ä_\x+0x1200;/opt/a_"b",__ä_\x+0x1100;ep,p_ll_<a&b>_[k];sched"ule_[k];ep,p_ll_<a&b>_[k];sched"ule_[k]' \
		"$tmp/wanted-names" &&
		[ "$(awk '{ sum += $1 } END { printf "%.0f", sum }' "$tmp/wanted-names")" = 3234568892 ] &&
		[ "$(awk '{ sum += $1 } END { printf "%.0f", sum }' "$tmp/wanted-standard")" = 10500000 ]
}

# Formats without counts have 0.
without_counts() {
	sed -E 's/^([0-9]+) [0-9]+ /\1 0 /' "$tmp/wanted-$1" | LC_ALL=C sort
}

# exported KIND FORMAT FILE
exported() {
	"$S" report -q --format "$2" -o "$3" "$tmp/$1"
}
