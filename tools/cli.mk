# SPDX-License-Identifier: GPL-2.0-only
#
# What the command line consists of, for everything that builds it. To be included from a
# directory next to cli, behind lib.mk, whose flags it takes.

cli_dir := $(dir $(lastword $(MAKEFILE_LIST)))cli

cli_sources = $(filter-out $(if $(HAVE_NANOPB),,export/pprof.c export/otlp.c export/perfetto%.c export/message.c),\
	$(patsubst $(cli_dir)/%,%,$(sort $(wildcard $(cli_dir)/*.c $(cli_dir)/export/*.c $(cli_dir)/metrics/*.c))))
cli_objects = $(addprefix $(O)/cli/,$(cli_sources:.c=.o)) $(O)/cli/page_files.o
cli_flags = $(if $(HAVE_NANOPB),-DCLI_HAVE_NANOPB $(nanopb_dir))
cli_libs = $(if $(HAVE_NANOPB),-lprotobuf-nanopb) -lz

$(O)/cli/%.o: $(cli_dir)/%.c
	mkdir -p $(@D)
	$(CC) $(cppflags) $(cli_flags) $(CPPFLAGS) $(cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

# The script and the style of flame graphs become part of the program.
$(O)/cli/page_files.c: $(cli_dir)/page/embed $(cli_dir)/page/flame.js $(cli_dir)/page/flame.css
	mkdir -p $(O)/cli
	$(cli_dir)/page/embed script=$(cli_dir)/page/flame.js style=$(cli_dir)/page/flame.css >$@.new
	mv $@.new $@

$(O)/cli/page_files.o: $(O)/cli/page_files.c
	$(CC) $(cppflags) -I$(cli_dir) $(CPPFLAGS) $(cflags) $(CFLAGS) -c -o $@ $<

-include $(wildcard $(O)/cli/*.d $(O)/cli/export/*.d $(O)/cli/metrics/*.d)
