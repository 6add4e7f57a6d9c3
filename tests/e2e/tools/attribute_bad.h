/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that no attribute of a kind takes, and with which error. For
 * attributes.c, which fills the long ones.
 */
#ifndef ATTRIBUTE_BAD_H
#define ATTRIBUTE_BAD_H

#include "attribute_check.h"

static char long_x[PAGE], long_digits[PAGE], long_blank[PAGE];

static const struct bad bad_everywhere[] = {
	{ TEXT("\n"), EINVAL },
	{ TEXT("\n\n\n"), EINVAL },
	{ TEXT(" "), EINVAL },
	{ TEXT("\0"), EINVAL },
	{ TEXT("\0" "1"), EINVAL },
	{ TEXT("0x10"), EINVAL },
	{ TEXT("1.5"), EINVAL },
	{ TEXT("1e3"), EINVAL },
	{ TEXT("nonsense"), EINVAL },
	{ TEXT("12abc"), EINVAL },
	{ TEXT("\33[31mred"), EINVAL },
	{ TEXT("\377\376"), EINVAL },
	{ TEXT("%s%n%x"), EINVAL },
	{ TEXT("../../enable"), EINVAL },
	{ { long_x, 4094 }, EINVAL },
	{ { long_x, 4095 }, E2BIG },
	{ { long_x, 4096 }, E2BIG },
	{ { long_digits, 4095 }, E2BIG },
	{ { long_digits, 4096 }, E2BIG },
	{ { long_blank, 4095 }, E2BIG },
	{ }
};

static const struct bad bad_number[] = {
	{ TEXT("-1"), ERANGE, EINVAL },
	{ TEXT("-9223372036854775808"), ERANGE, EINVAL },
	{ TEXT("18446744073709551615"), ERANGE },
	{ TEXT("18446744073709551616"), ERANGE },
	{ TEXT("99999999999999999999999999"), ERANGE },
	{ { long_digits, 4094 }, ERANGE },
	{ TEXT("+5"), EINVAL },
	{ TEXT("1 2"), EINVAL },
	{ TEXT("1,2"), EINVAL },
	{ TEXT("1\n2"), EINVAL },
	{ TEXT("1" "\0" "2"), EINVAL },
	{ TEXT("all"), EINVAL },
	{ TEXT("--1"), EINVAL },
	{ TEXT("1k"), EINVAL },
	{ TEXT("1us"), EINVAL },
	{ }
};

static const struct bad bad_word[] = {
	{ TEXT("0"), EINVAL },
	{ TEXT("1"), EINVAL },
	{ TEXT("-1"), EINVAL },
	{ TEXT("18446744073709551616"), EINVAL },
	{ TEXT("+1"), EINVAL },
	{ }
};

static const struct bad bad_switch[] = {
	{ TEXT("2"), EINVAL, ERANGE },
	{ TEXT("-1"), EINVAL, ERANGE },
	{ TEXT("18446744073709551616"), EINVAL, ERANGE },
	{ TEXT("18446744073709551617"), EINVAL, ERANGE },
	{ TEXT("4294967297"), EINVAL, ERANGE },
	{ TEXT("11"), EINVAL, ERANGE },
	{ TEXT("+1"), EINVAL },
	{ TEXT("yes"), EINVAL },
	{ TEXT("on"), EINVAL },
	{ TEXT("1 1"), EINVAL },
	{ TEXT("1,0"), EINVAL },
	{ TEXT("1" "\0" "1"), EINVAL },
	{ }
};

#endif
