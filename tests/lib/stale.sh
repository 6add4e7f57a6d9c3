# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts that run guests whose processors run at the same time.

# stale LOG: did the guest die, or stand still, of a breakpoint that was in no memory any more?
# Of the byte before the marked one no processor makes a breakpoint. The emulator does, from
# then on, where its thread was stopped by a busy host within a write to code that
# another one translated. Kernels since 6.8 die of it. Older ones look again, for ever, at the
# marked byte or with the one before it; tests/vm/boot makes them say where, when the time is up.
# And where ftrace writes its call, the handler of breakpoints finds a kprobe that is ftrace's: it
# has no copy of the instruction to go on with, so any kernel goes on at 0, as if what calls the
# function had called nothing (setup_singlestep() in arch/x86/kernel/kprobes/core.c). Our code
# has no part in that: who calls is none of it, nor who called that.
stale() {
	tr -d '\r\000' <"$1" | awk '
		/Oops: int3:/ { died = 1 }
		/\] +asm_exc_int3\+/ { stood = 1 }
		# Of the first place alone: what else was wrong before is not excused.
		!nowhere && /\] RIP: 0010:/ { nowhere = /:0x0$/ ? 1 : 2 }
		nowhere == 1 && /\] Modules linked in:/ {
			stale = callers > 0 && !ours
			exit
		}
		nowhere == 1 && /\+0x[0-9a-f]+\/0x/ {
			callers++
			if (/\[schedprof/)
				ours = 1
		}
		(died || stood) && /\] Code: / {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^</ && $(i - 1) != "cc" && (died || $i != "<cc>"))
					stale = 1
			exit
		}
		END { exit !stale }'
}

# said_before LOG: what the kernel said before it died or stood still, which counts also where
# the guest is booted once more
said_before() {
	tr -d '\r\000' <"$1" |
		awk '/Oops: int3:|NULL pointer dereference, address: 0+$|NMI received|Kernel panic|detected stalls?|watchdog: BUG|blocked for more than/ { exit } { print }'
}

# died_innocent CONSOLE OUTPUT: was that all, with nothing wrong before? Then it proves nothing,
# and may be booted once more.
died_innocent() {
	local before result=0

	stale "$1" && ! grep -q '^ *not ok ' "$2" || return
	before=$(mktemp)
	said_before "$1" >"$before"
	"$(dirname "${BASH_SOURCE[0]}")/../vm/scan-log" --module schedprof "$before" >/dev/null || result=1
	rm -f "$before"
	return $result
}
