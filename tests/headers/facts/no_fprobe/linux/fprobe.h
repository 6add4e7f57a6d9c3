/* SPDX-License-Identifier: GPL-2.0-only */
#error "fprobes came with 5.18"
