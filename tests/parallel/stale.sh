# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For scripts here that run guests whose processors run at the same time.

# stale LOG...: did the guest die of a breakpoint that was in no memory any more? Of the
# byte before the marked one no processor makes a breakpoint. The emulator does, from
# then on, where its thread was stopped by a busy host within a write to code that
# another one translated; kernels since 6.8 do not look again, as the older ones did.
stale() {
	tr -d '\r\000' <"$1" | awk '
		/Oops: int3:/ { died = 1 }
		died && /\] Code: / {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^</ && $(i - 1) != "cc")
					stale = 1
			exit
		}
		END { exit !stale }'
}
