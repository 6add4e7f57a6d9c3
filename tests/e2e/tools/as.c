// SPDX-License-Identifier: GPL-2.0-only
/* Run a program as another user: as UID PROGRAM [ARGUMENT...] */
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uid_t uid;

	if (argc < 3)
		errx(2, "expects a user and a program");
	uid = (uid_t)strtoul(argv[1], NULL, 10);
	if (setresuid(uid, uid, uid))
		err(2, "cannot become user %u", uid);
	execvp(argv[2], argv + 2);
	err(2, "%s", argv[2]);
}
