# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The fuzzers of the library and the command line (tools/tests/fuzz_*.c), under sanitizers:
# how they are built, what they begin with, and how they run. To be sourced from the top of
# the tree. Needs gcc, clang, libclang-rt-dev, and what the library is built with.

# What each takes, for figures.
# shellcheck disable=SC2034 # by whoever sources this
declare -A fuzz_what=(
	[raw]='the reader of files raw, and of merging and comparing them'
	[elf]='finding names in programs'
	[generated]='reading what programs say of code that they generate'
	[proc]='reading what kernels say'
	[unwind]='making unwind tables'
	[command]='command lines'
	[export]='writing recordings in formats of other programs'
)
# The longest input, in bytes.
declare -A fuzz_longest=([raw]=16384 [elf]=16384 [generated]=4096 [proc]=2048 [unwind]=16384 [command]=512 [export]=16384)

# fuzz_build DIRECTORY TARGET...: to DIRECTORY/fuzz_TARGET
fuzz_build() {
	local to=$1

	shift
	make -s -j "$(nproc)" -C tools/tests O="$to" CC=clang \
		CFLAGS='-O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined' \
		"${@/#/$to/fuzz_}"
}

# fuzz_seeds_raw DIRECTORY PROGRAMS: with make_raw in PROGRAMS
fuzz_seeds_raw() {
	local kind

	mkdir -p "$1"
	for kind in standard twice swapped newer cut damaged; do
		{ printf '\001'; "$2/make_raw" "$kind"; } >"$1/$kind" || return
	done
	{ printf '\002'; "$2/make_raw" standard | gzip; } >"$1/packed"
}

# Small programs with symbols, lines, build-id, and a link to a debug file.
fuzz_seeds_elf() {
	mkdir -p "$1"
	printf 'int inner(int a) { return a * 3; }\nint outer(int a) { return inner(a) + 1; }\n' \
		>"$1.c"
	gcc -g -ffile-prefix-map="${1%/*}=." -O0 -shared -nostdlib -Wl,--build-id -o "$1.so" "$1.c" || return
	strip -o "$1.stripped" "$1.so"
	cp "$1.stripped" "$1.linked"
	(cd "${1%/*}" && cp "$1.so" program.debug &&
		objcopy --add-gnu-debuglink=program.debug "$1.linked") || return
	{ printf '\000\020\000'; cat "$1.so"; } >"$1/symbols"
	{ printf '\000\020\001'; cat "$1.stripped"; } >"$1/stripped"
	{ printf '\000\020\002'; cat "$1.linked" "$1.so"; } >"$1/linked"
	printf '\000\000\003_ZN5place6finder5whereEi' >"$1/cxx"
	printf '\000\000\003_RNvC6_123foo3bar' >"$1/rust"
	printf '\000\000\003_ZN3foo3bar17h05af221e174051e9E' >"$1/old_rust"
	rm -f "$1".[a-z]* "${1%/*}/program.debug"
}

# little SIZE NUMBER...: as bytes, the lowest first
little() {
	local size=$1 number i

	shift
	for number; do
		for ((i = 0; i < size; i++)); do
			printf '%b' "\\x$(printf %02x $((number >> 8 * i & 255)))"
		done
	done
}

# dump_record FILE ID TIME: what comes in, by way of FILE, as a record of a file jit-PID.dump
dump_record() {
	local body=$1

	cat >"$body"
	little 4 "$2" $((16 + $(wc -c <"$body")))
	little 8 "$3"
	cat "$body"
}

# Of each kind of line and record.
fuzz_seeds_generated() {
	local body=$1.record at

	mkdir -p "$1"
	printf '\000%s\n' '1000 20 first' >"$1/map"
	printf '\000%s\n' '7f0000001000 20 JS:*name /a b.js:1' '7f0000001010 8 later' \
		'0x7f0000002000 40 last' 'nothing' >"$1/maps"
	{
		printf '\001'
		little 4 0x4a695444 1 40 62 0 1234
		little 8 5 0
		{ little 8 0x1000 1 0x1004; little 4 10 0; printf 'a.js\0'; } | dump_record "$body" 2 0
		{ little 4 1 1; little 8 0x1000 0x1000 8 1; printf 'one\0codecode'; } | dump_record "$body" 0 100
		{ little 4 1 1; little 8 0x2000 0x2000 8 2; printf 'two\0codecode'; } | dump_record "$body" 0 200
		{ little 4 1 1; little 8 0x2000 0x2000 0x1004 8 2; } | dump_record "$body" 1 300
		little 8 1 2 3 | dump_record "$body" 4 0
		{ little 4 1 1; little 8 0x1000 0x1000 8 3; printf 'new\0codecode'; } | dump_record "$body" 0 400
		printf '' | dump_record "$body" 3 0
	} >"$1/dump"
	# Two functions and how they are unwound: one CIE, one FDE of 17 bytes of code, an end.
	{
		printf '\002'
		little 4 0x4a695444 1 40 62 0 1234
		little 8 5 0
		for at in 0x1000 0x100000040; do
			{
				little 8 76 16 80
				little 4 20 0
				printf '\001zR\000\001\170\020\001\033\014\007\010\220\001\000\000'
				little 4 28 28 -56 17
				printf '\000\107\016\240\000\111\016\010\000\000\000\000\000\000\000\000'
				little 4 0 0 0 0 0
			} | dump_record "$body" 4 0
			{ little 4 1 1; little 8 $at $at 17 $at; printf 'f\0codecodecodecodec'; } |
				dump_record "$body" 0 100
		done
		{ little 4 1 1; little 8 0x2000 0x1000 0x2000 17 0x1000; } | dump_record "$body" 1 300
	} >"$1/unwinding"
	rm "$body"
}

fuzz_seeds_proc() {
	mkdir -p "$1"
	{ printf '\000'; echo '4711 (cat) R 4710 4711 4710 34816 4711 4194304 97 0 0 0 0 0 0 0 20 0 1 0 4281920 5799936 368 18446744073709551615 94264163659776 94264163680505 140727411863712 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 94264163696080 94264163697696 94264165101568 140727411866915 140727411866935 140727411866935 140727411871723 0'; } >"$1/stat"
	{ printf '\000'; echo '1 (a) b) c (d) R 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 77 1'; } >"$1/name"
	{ printf '\001'; printf 'none /sys/kernel/config configfs rw 0 0\nd /a\\040b debugfs rw 0 0\n'; } >"$1/mounts"
	{ printf '\002'; printf 'ffffffff81000000 T _text\nffffffff81000040 t one [module]\n%s\n' \
		'ffffffff81000080 a mark' 'ffffffff81000080 W two'; } >"$1/kallsyms"
	{ printf '\003'; echo 'enabled seconds=1.508 memory_bytes=21000000 functions=3 '; } >"$1/status"
	{ printf '\003'; printf 'too long for this file\npids 1 2 3\nrecorded 17\n'; } >"$1/config"
	{ printf '\004'; printf '# ours\nworker_loop # waits\n-ep_poll\n+Pool::next(int)\n'; } >"$1/waits"
}

# Small programs, with one kind of call frame information each, some of which only people
# write; that alone; and their tables. With table_of in PROGRAMS.
fuzz_seeds_unwind() {
	local kind flag

	mkdir -p "$1"
	cat >"$1.c" <<-'END'
		int callee(void *), data;
		__attribute__((noinline)) int sized(int n)
		{
			char room[n];

			return callee(room) + n;
		}
		int outer(int a) { return a ? sized(a) + outer(a - 1) : callee(&data); }
	END
	cat >"$1.s" <<-'END'
		.globl hand
		hand:
		.cfi_startproc
		.cfi_signal_frame
		.cfi_def_cfa_register 6
		.cfi_remember_state
		nop
		.cfi_escape 0x0f,0x0b,0x77,0x08,0x80,0x00,0x3f,0x1a,0x3b,0x2a,0x33,0x24,0x22
		nop
		.cfi_restore_state
		.cfi_escape 0x10,0x06,0x03,0x77,0xf8,0x00
		.cfi_escape 0x2f,0x10,0x02
		.cfi_val_offset 7, 8
		nop
		.cfi_undefined 16
		.cfi_register 3, 8
		.cfi_same_value 6
		nop
		.cfi_endproc
		.section .note.GNU-stack,"",@progbits
	END
	for kind in eh_frame debug_frame; do
		{ echo ".cfi_sections .$kind"; cat "$1.s"; } >"$1.hand.s"
		flag=-fasynchronous-unwind-tables
		[ $kind = eh_frame ] || flag=-fno-asynchronous-unwind-tables
		gcc -c -O2 -fPIC -g -ffile-prefix-map="${1%/*}=." $flag -o "$1.o" "$1.c" &&
			gcc -shared -nostdlib -Wl,--build-id -Wl,-z,lazy -o "$1.so" "$1.o" \
				"$1.hand.s" &&
			objcopy --dump-section ".$kind=$1.bin" "$1.so" &&
			strip --keep-section=.debug_frame "$1.so" &&
			"$2/table_of" "$1.so" >"$1.table" || return
		{ printf '\000'; cat "$1.so"; } >"$1/$kind"
		{ printf '\003'; cat "$1.table"; } >"$1/$kind.table"
		{ [ $kind = eh_frame ] && printf '\001' || printf '\002'; cat "$1.bin"; } \
			>"$1/$kind.alone"
	done
	# As a program with Go in it, where a function of the runtime changes stacks.
	{ echo '.cfi_sections .debug_frame'; echo '.type "runtime.mcall.abi0", @function';
		sed 's/\<hand\>/"runtime.mcall.abi0"/' "$1.s"; } >"$1.hand.s"
	echo Go >"$1.info"
	gcc -shared -nostdlib -Wl,--build-id -o "$1.so" "$1.o" "$1.hand.s" &&
		objcopy --add-section ".go.buildinfo=$1.info" "$1.so" &&
		strip --strip-debug --keep-section=.debug_frame "$1.so" &&
		"$2/table_of" "$1.so" >"$1.table" || return
	{ printf '\000'; cat "$1.so"; } >"$1/go"
	rm -f "$1".[a-z]*
}

# Lines of the README, as far as they are commands, and of each command an option.
fuzz_seeds_command() {
	local line number=0

	mkdir -p "$1"
	while read -r line; do
		number=$((number + 1))
		{ printf '%b' "\\0$(printf %o $((number % 24)))"; tr ' ' '\n' <<<"$line"; } >"$1/$number"
	done <<-'END'
		-p 1234 -d 10
		vfs_* -p 1234 --min 1ms
		--state D --folded -d 30
		--format pprof --by stack FILE
		--format firefox --clock tsc
		--tau DIR -- make -j 4
		--every 1min --rotate 60 -o FILE
		--by function FILE
		--json --top 5 FILE FILE
		--comm nginx* --uid 0 --cgroup /a/b
		-k -U -w --depth 12 --clock boot
		-p 1,2,3 -t 7 --inherit --trace 1M
		offcpu-f000001.1f-1234-7
		--help
		name mode=oncpu min_us=5
		--stale --limit 1M --symfs /x
		add 1234 ./program --json
	END
}

# fuzz_seeds_export DIRECTORY PROGRAMS: with make_raw in PROGRAMS, each in each format
fuzz_seeds_export() {
	local kind format

	mkdir -p "$1"
	for kind in standard names idle events; do
		# In octal.
		for format in 0 1 2 3 4 5 6 7 10; do
			{ printf '%b' "\\00$format\\00$((format % 4))"; "$2/make_raw" $kind; } \
				>"$1/$kind-$format" || return
		done
	done
}

# fuzz_run DIRECTORY TARGET SEEDS ARGUMENT...: what led to a crash is printed; `cov: N` is
# in the output
fuzz_run() {
	local directory target=$2 seeds=$3 leaks=1

	directory=$(readlink -f "$1")
	shift 3
	# What options make of their values lives as long as the program.
	[ "$target" != command ] || leaks=0
	(cd "$seeds" && ASAN_OPTIONS=detect_leaks=$leaks \
		"$directory/fuzz_$target" -max_len="${fuzz_longest[$target]}" -timeout=600 "$@" .) || {
		base64 "$seeds"/crash-* "$seeds"/leak-* "$seeds"/timeout-* 2>/dev/null
		return 1
	}
}
