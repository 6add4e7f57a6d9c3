// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of what instruments functions where the kernel has no fprobe: a probe that
 * cannot be taken away is told of, and not freed under its handlers; a call may come just
 * when one is; and misses are counted.
 *
 * A kernel fails to take a probe away if it has not the memory, or if its own tracing
 * is broken, neither of which is had at will and in silence. So the probe is taken
 * from behind: what is not registered cannot be unregistered.
 *
 * Run: make kunit
 */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/vmalloc.h>

#include "func/function.h"
#include "func/probe.h"
#include "suites.h"
#include "lib/why.h"

/* Never called, so that no handler runs. */
static noinline void target(void)
{
	barrier();
}

/* As much of a session's functions as arming looks at. */
static struct sp_functions *make_functions(struct kunit *test, unsigned long last)
{
	struct sp_function_list *list;
	struct sp_functions *functions;

	functions = kunit_kzalloc(test, sizeof(*functions), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, functions);
	list = kunit_kzalloc(test, struct_size(list, function, 2), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, list);
	list->count = last ? 2 : 1;
	list->function[0].address = (unsigned long)target;
	list->function[0].name = "target";
	list->function[1].address = last;
	list->function[1].name = "no function";
	functions->list = list;
	return functions;
}

static struct sp_probes *arm(struct kunit *test)
{
	struct sp_why why = { };
	struct sp_probes *probes = sp_probes_arm(make_functions(test, 0), &why);

	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(probes), "%s", why.text);
	return probes;
}

static void armed_and_disarmed(struct kunit *test)
{
	struct sp_probes *probes = arm(test);

	KUNIT_EXPECT_EQ(test, sp_probes_missed(probes), 0UL);
	KUNIT_EXPECT_TRUE(test, sp_probes_disarm(probes));
}

static void misses_are_never_less_than_none(struct kunit *test)
{
	struct sp_probes *probes = arm(test);
	struct kretprobe *armed = sp_probes_armed(probes)[0];

	sp_probes_fault(probes, 0);
	KUNIT_EXPECT_EQ(test, sp_probes_missed(probes), 0UL);
	/* Without room for the return. */
	armed->nmissed++;
	KUNIT_EXPECT_EQ(test, sp_probes_missed(probes), 1UL);
	armed->kp.nmissed += 3;
	KUNIT_EXPECT_EQ(test, sp_probes_missed(probes), 3UL);
	KUNIT_EXPECT_TRUE(test, sp_probes_disarm(probes));
}

static void what_cannot_be_disarmed_is_kept(struct kunit *test)
{
	struct sp_probes *probes = arm(test);
	struct kretprobe **armed = sp_probes_armed(probes);

	unregister_kprobe(&armed[0]->kp);
	if (sp_probes_disarm(probes)) {
		KUNIT_FAIL(test, "said to be disarmed");
		return;
	}
	/* It is still there, to be looked at by handlers; there are none here. */
	KUNIT_EXPECT_PTR_EQ(test, armed[0]->kp.addr, (kprobe_opcode_t *)NULL);
	vfree(armed);
	vfree(probes);
	/* And others are not kept from it. */
	KUNIT_EXPECT_TRUE(test, sp_probes_disarm(arm(test)));
}

static void all_or_none(struct kunit *test)
{
	static unsigned long data;
	struct sp_why why = { };
	struct sp_probes *probes;

	probes = sp_probes_arm(make_functions(test, (unsigned long)&data), &why);
	KUNIT_ASSERT_TRUE(test, IS_ERR(probes));
	KUNIT_EXPECT_NOT_NULL(test, strstr(why.text, "'no function'"));
	/* The first one is free again. */
	KUNIT_EXPECT_TRUE(test, sp_probes_disarm(arm(test)));
}

/* Its kretprobe is gone, as far as an activation of it tells. */
static void forget_kretprobe(struct kunit *test, struct kretprobe_instance *instance)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	instance->node.rethook = kunit_kzalloc(test, sizeof(struct rethook), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, instance->node.rethook);
#elif defined(SP_HAS_get_kretprobe)
	instance->rph = kunit_kzalloc(test, sizeof(*instance->rph), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, instance->rph);
#else
	kunit_skip(test, "an activation has its kretprobe to the end here");
#endif
}

/* Another CPU unregisters it between the kernel's look and the handler. */
static void calls_beside_disarming(struct kunit *test)
{
	struct kretprobe_instance *instance;
	struct sp_probes *probes;
	int result;

	/* With room for what the handlers hand on. */
	instance = kunit_kzalloc(test, sizeof(*instance) + 256, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, instance);
	forget_kretprobe(test, instance);
	probes = arm(test);
	/* As in a probe. */
	preempt_disable();
	result = sp_probes_armed(probes)[0]->entry_handler(instance, NULL);
	preempt_enable();
	KUNIT_EXPECT_NE(test, result, 0);
	KUNIT_EXPECT_TRUE(test, sp_probes_disarm(probes));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(armed_and_disarmed),
	KUNIT_CASE(calls_beside_disarming),
	KUNIT_CASE(misses_are_never_less_than_none),
	KUNIT_CASE(what_cannot_be_disarmed_is_kept),
	KUNIT_CASE(all_or_none),
	{}
};

struct kunit_suite sp_kretprobe_suite = {
	.name = "schedprof_kretprobe",
	.test_cases = cases,
};
