#!/usr/bin/zsh -f
# SPDX-License-Identifier: GPL-2.0-only
#
# complete.zsh LINE: what zsh offers at the end of this line, a word on a line, and then what it
# makes of the line. The directory of the completion is in $COMPLETION, schedprof in $PATH.
zmodload zsh/zpty
to=$(mktemp -d) || exit
export COMPLETION TO=$to
cat >$to/setup <<'END'
PS1='' fpath=($COMPLETION $fpath)
autoload -U compinit
compinit -u -d $TO/dump
# Those that fit are told before they are offered.
compadd() {
	local -a fit
	if [[ " ${@[1,(i)(-|--)]}" != *\ -[OAD]* ]]; then
		builtin compadd -A fit "$@"
		(( ! $#fit )) || print -rl -- $IPREFIX${^fit} >>$TO/offered
	fi
	builtin compadd "$@"
}
tell() {
	zle complete-word
	print -r -- "$BUFFER" >$TO/line.new
	mv $TO/line.new $TO/line
}
zle -N tell
bindkey '^X' tell
END
zpty shell zsh -f -i
zpty -w shell "source $to/setup; touch $to/ready"
for file in ready line; do
	for i in {1..200}; do
		[[ ! -e $to/$file ]] || break
		sleep 0.05
	done
	[[ $file != ready ]] || zpty -w -n shell "$1"$'\x18'
done
zpty -d shell
[[ ! -e $to/offered ]] || sort -u $to/offered
print "line: $(<$to/line)"
# No trap: the other shell would have it, too.
rm -rf $to
