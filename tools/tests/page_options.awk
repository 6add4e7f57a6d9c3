# SPDX-License-Identifier: GPL-2.0-only
#
# The options that a man page (mdoc) explains, as `schedprof --list COMMAND` prints them: a
# line for each, with = if it takes a value; behind a tab, its letter.
/^\.Sh / { inside = $2 == "OPTIONS" }

inside && /^\.It Fl / {
	letter = ""
	for (i = 2; i <= NF; i++) {
		if ($i ~ /^[A-Za-z]$/) {
			letter = $i
		} else if ($i ~ /^-[a-z][a-z-]+$/) {
			print "-" $i ($(i + 1) == "Ar" ? "=" : "") "\t" (letter == "" ? "" : "-" letter)
			letter = ""
		}
	}
}
