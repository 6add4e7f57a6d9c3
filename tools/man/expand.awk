# SPDX-License-Identifier: GPL-2.0-only
#
# A man page with what several of them have: a line ".so FILE" is the text of that file,
# by its name from here, without its comments. awk -v here=DIRECTORY -f expand.awk PAGE
function expand(path, inner,  line, got) {
	while ((got = (getline line <path)) > 0) {
		if (line ~ /^\.so /)
			expand(here "/" substr(line, 5), 1)
		else if (!inner || line !~ /^\.\\"/)
			print line
	}
	close(path)
	if (got < 0) {
		print "cannot read " path >"/dev/stderr"
		exit 1
	}
}

BEGIN { expand(ARGV[1], 0) }
