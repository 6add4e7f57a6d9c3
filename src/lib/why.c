// SPDX-License-Identifier: GPL-2.0-only
/*
 * why: the sentence that goes with an errno. No lock: struct sp_why belongs to the caller.
 */
#include <linux/kernel.h>

#include "lib/export.h"
#include "lib/why.h"

/**
 * sp_refuse() - say why, and fail
 * @why: gets the sentence, cut to SP_ERROR_LEN
 * @err: a negative errno
 * @format: as printf(); what a user wrote is printed with %pE, so that it
 *	cannot bring control characters in
 *
 * Return: @err.
 */
int sp_refuse(struct sp_why *why, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return err;
}
SP_EXPORT_FOR_KUNIT(sp_refuse);
