# SPDX-License-Identifier: GPL-2.0-only
# Lines through pipes, alarms, and children.
use strict;
use warnings;

pipe(my $from, my $to) or die;
my $pid = fork();
if (!$pid) {
	close($from);
	syswrite($to, "line $_\n") for 1 .. 3000;
	exit(0);
}
close($to);
$SIG{CHLD} = sub { select(undef, undef, undef, 0.0001) };
my $sum = 0;
while (<$from>) {
	$sum += length;
	select(undef, undef, undef, 0.0001) if $. % 64 == 0;
}
waitpid($pid, 0);
for (1 .. 5) {
	my $text = `/bin/busybox echo $_`;
}
