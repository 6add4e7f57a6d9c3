# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts that run guests whose processors run at the same time.

# stale LOG: did the guest die, or stand still, of a breakpoint that was in no memory any more?
# Of the byte before the marked one no processor makes a breakpoint. The emulator does, from
# then on, where its thread was stopped by a busy host within a write to code that
# another one translated. Kernels since 6.8 die of it. Older ones look again, for ever, at the
# marked byte or with the one before it; tests/vm/boot makes them say where, when the time is up.
stale() {
	tr -d '\r\000' <"$1" | awk '
		/Oops: int3:/ { died = 1 }
		/\] +asm_exc_int3\+/ { stood = 1 }
		(died || stood) && /\] Code: / {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^</ && $(i - 1) != "cc" && (died || $i != "<cc>"))
					stale = 1
			exit
		}
		END { exit !stale }'
}
