/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_CREW_H
#define SP_CREW_H

struct kunit;

/* Must not use KUNIT_ASSERT_*, which ends the thread of the test itself. */
typedef void (*sp_crew_work)(unsigned int number, void *shared);

void sp_crew_run(struct kunit *test, unsigned int members, sp_crew_work work,
		 void *shared);

#endif
