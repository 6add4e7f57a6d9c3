# SPDX-License-Identifier: GPL-2.0-only
#
# For people: `make help`. What the kernel's build system reads is in Kbuild.

help:
	@echo 'make check   run every test'

check:
	tests/check

.PHONY: help check
