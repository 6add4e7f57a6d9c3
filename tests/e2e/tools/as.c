// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program as another user, or as a root that has no capabilities:
 * as UID|bare PROGRAM [ARGUMENT...]
 */
#include <err.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { };

	/* Or exec gives them back. */
	if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED))
		err(2, "cannot set secure bits");
	if (syscall(SYS_capset, &head, none))
		err(2, "cannot drop capabilities");
}

int main(int argc, char **argv)
{
	uid_t uid;

	if (argc < 3)
		errx(2, "expects a user and a program");
	if (!strcmp(argv[1], "bare")) {
		drop_capabilities();
	} else {
		uid = (uid_t)strtoul(argv[1], NULL, 10);
		if (setresuid(uid, uid, uid))
			err(2, "cannot become user %u", uid);
	}
	execvp(argv[2], argv + 2);
	err(2, "%s", argv[2]);
}
