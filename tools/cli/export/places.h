/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places: what formats say of where a frame is, beside its name. Pure functions of
 * frames, so nothing is locked.
 */
#ifndef CLI_EXPORT_PLACES_H
#define CLI_EXPORT_PLACES_H

#include <stdint.h>

#include <schedprof.h>

const char *cli_place_object(const struct schedprof_frame *frame);
const char *cli_place_file(const struct schedprof_frame *frame);
uint64_t cli_place_address(const struct schedprof_frame *frame);

#endif
