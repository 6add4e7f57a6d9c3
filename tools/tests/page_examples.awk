# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v to=PREFIX -f page_examples.awk PAGE: the examples of a man page (mdoc), each as a
# script PREFIX1, PREFIX2 ...: what stands behind prompts. Those without a question before
# them, or without a command, are an error.
function wrong(why) {
	print FILENAME ": line " FNR ": " why
	status = 1
}

/^\.Sh / { inside = $2 == "EXAMPLES" }
!inside { next }

/^\.Bd / {
	if (before !~ /\?$/)
		wrong("an example without a question")
	count++
	file = to count
	printf "" >file
	commands = 0
	next
}
/^\.Ed/ {
	if (!commands)
		wrong("an example without a command")
	close(file)
	file = ""
	next
}
file != "" {
	if (!sub(/^[#$] /, ""))
		wrong("a line of an example without a prompt")
	gsub(/\\e/, "\\")
	print >file
	commands++
	next
}
{ before = $0 }
END { exit status }
