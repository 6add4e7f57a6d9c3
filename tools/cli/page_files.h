/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page_files: the files in the directory page as strings, and their hashes as a
 * Content-Security-Policy has them. cli.mk makes them. Never change, so nothing is locked.
 */
#ifndef CLI_PAGE_FILES_H
#define CLI_PAGE_FILES_H

extern const char cli_page_script[], cli_page_script_hash[];
extern const char cli_page_style[], cli_page_style_hash[];

#endif
