// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedprof: where tasks spend their time when they do not do what their
 * users want. Load and unload; each line of one is undone in the other.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "control.h"
#include "hook/hook.h"
#include "hook/switch.h"
#include "report/output.h"
#include "record/recording.h"
#include "lib/why.h"
#include "unwind/spaces.h"
#include "record/lifecycle.h"

static int __init schedprof_init(void)
{
	struct sp_why why = { };
	int err;

	err = sp_hot_init();
	if (err)
		goto err_hot;
	sp_unwind_tables_init();
	err = sp_unwind_spaces_init();
	if (err)
		goto err_spaces;
	err = sp_hook_init(&why);
	if (err) {
		pr_err("not loaded: %s\n", why.text);
		goto err_hook;
	}
	err = sp_recording_init();
	if (err)
		goto err_recording;
	err = sp_output_init();
	if (err) {
		pr_err("not loaded: there is no debugfs for the results (error %d); boot without debugfs=off\n",
		       err);
		goto err_output;
	}
	err = sp_control_init();
	if (err) {
		pr_err("not loaded: no directory in configfs (error %d)\n", err);
		goto err_control;
	}
	return 0;

err_control:
	sp_output_exit();
err_output:
	sp_recording_exit();
err_recording:
	sp_hook_exit();
err_hook:
	sp_unwind_spaces_exit();
err_spaces:
	sp_hot_exit();
err_hot:
	return err;
}

static void __exit schedprof_exit(void)
{
	sp_control_exit();
	sp_output_exit();
	sp_recording_exit();
	sp_hook_exit();
	sp_unwind_spaces_exit();
	sp_unwind_tables_exit();
	sp_hot_exit();
}

module_init(schedprof_init);
module_exit(schedprof_exit);

MODULE_DESCRIPTION("Scheduler profiler: off-CPU time by task and stack");
MODULE_AUTHOR("The schedprof authors");
MODULE_VERSION("0.1.0");
MODULE_LICENSE("GPL");
