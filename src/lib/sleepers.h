/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Kernel functions that only sleep for their callers. What a task waits for is told by the
 * innermost frame that is none of them. Constant, for the module and for the library.
 *
 * What runs when a task is preempted is not among them, nor what waits for a lock or for a
 * disk: whoever stands there does not stand where its caller waits.
 */
#ifndef SP_LIB_SLEEPERS_H
#define SP_LIB_SLEEPERS_H

#define SP_SLEEPERS(S)							\
	S("schedule") S("__schedule_loop")				\
	S("schedule_timeout") S("schedule_timeout_interruptible")	\
	S("schedule_timeout_uninterruptible") S("schedule_timeout_killable") \
	S("schedule_timeout_idle")					\
	S("schedule_hrtimeout") S("schedule_hrtimeout_range")		\
	S("schedule_hrtimeout_range_clock") S("poll_schedule_timeout")	\
	S("do_wait_intr") S("do_wait_intr_irq") S("wait_woken")		\
	/* accept() of a Unix domain socket waits for a datagram. */	\
	S("__skb_wait_for_more_packets") S("__skb_recv_datagram")	\
	S("skb_recv_datagram")						\
	S("do_wait_for_common") S("__wait_for_common") S("wait_for_common") \
	S("wait_for_completion") S("wait_for_completion_timeout")	\
	S("wait_for_completion_interruptible")				\
	S("wait_for_completion_interruptible_timeout")			\
	S("wait_for_completion_killable") S("wait_for_completion_state")

#endif
