// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program that heeds all signals: shells have what they start in the background ignore some.
 * heeding PROGRAM [ARGUMENT...]
 */
#include <err.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int number;

	if (argc < 2)
		errx(2, "expects a program");
	for (number = 1; number <= SIGRTMAX; number++)
		signal(number, SIG_DFL);
	execvp(argv[1], argv + 1);
	err(2, "%s", argv[1]);
}
