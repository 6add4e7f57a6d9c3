# SPDX-License-Identifier: GPL-2.0-only
#
# What the command line consists of, for everything that builds it. To be included from a
# directory next to cli, with the flags of lib.mk.

cli_dir := $(dir $(lastword $(MAKEFILE_LIST)))cli

cli_objects = $(patsubst $(cli_dir)/%.c,$(O)/cli/%.o,$(sort $(wildcard $(cli_dir)/*.c))) \
	$(O)/cli/page_files.o

$(O)/cli/%.o: $(cli_dir)/%.c
	mkdir -p $(O)/cli
	$(CC) $(cppflags) $(CPPFLAGS) $(cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

# The script and the style of flame graphs become part of the program.
$(O)/cli/page_files.c: $(cli_dir)/page/embed $(cli_dir)/page/flame.js $(cli_dir)/page/flame.css
	mkdir -p $(O)/cli
	$(cli_dir)/page/embed script=$(cli_dir)/page/flame.js style=$(cli_dir)/page/flame.css >$@.new
	mv $@.new $@

$(O)/cli/page_files.o: $(O)/cli/page_files.c
	$(CC) $(cppflags) -I$(cli_dir) $(CPPFLAGS) $(cflags) $(CFLAGS) -c -o $@ $<

-include $(wildcard $(O)/cli/*.d)
