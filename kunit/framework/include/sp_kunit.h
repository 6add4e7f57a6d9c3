/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For test modules: KUnit, whether the kernel has it or not.
 *
 * Distribution kernels have CONFIG_KUNIT off. kunit/framework/build makes a
 * kunit.ko for them, but their module loader does not know the section in
 * which kunit_test_suites() leaves the suites, so the module has to hand
 * them over itself.
 */
#ifndef SP_KUNIT_H
#define SP_KUNIT_H

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <kunit/test.h>

#if IS_ENABLED(CONFIG_KUNIT)

#define sp_kunit_suites(...) kunit_test_suites(__VA_ARGS__)

#else

/* Takes the place of module_init() and module_exit(). */
#define sp_kunit_suites(...)						\
	static struct kunit_suite *sp_kunit_list[] = { __VA_ARGS__ };	\
									\
	static int __init sp_kunit_init(void)				\
	{								\
		return __kunit_test_suites_init(sp_kunit_list,		\
						ARRAY_SIZE(sp_kunit_list)); \
	}								\
	module_init(sp_kunit_init);					\
									\
	static void __exit sp_kunit_exit(void)				\
	{								\
		__kunit_test_suites_exit(sp_kunit_list,			\
					 ARRAY_SIZE(sp_kunit_list));	\
	}								\
	module_exit(sp_kunit_exit)

#endif

#endif
