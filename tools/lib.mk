# SPDX-License-Identifier: GPL-2.0-only
#
# What the library consists of and what it needs, for everything that builds it. To be
# included from a directory next to lib. NO_LIBDW=1 and NO_LIBIBERTY=1 leave out what
# finds the names of user functions, and what reads those of C++ and Rust; NO_NANOPB=1
# those formats of the command line that are protobuf.

lib_dir := $(dir $(lastword $(MAKEFILE_LIST)))lib

# What the compiler can use, asked once.
try = $(shell $(CC) $(CPPFLAGS) $(LDFLAGS) -fPIC -o /dev/null $(lib_dir)/try/$(1).c $(2) \
	>/dev/null 2>&1 && echo y)
# Where Debian has its headers; elsewhere they are not in a directory of their own.
iberty_dir = -I/usr/include/libiberty
nanopb_dir = -I/usr/include/nanopb
HAVE_LIBDW := $(if $(NO_LIBDW),,$(call try,libdw,-ldw -lelf))
HAVE_LIBIBERTY := $(if $(NO_LIBIBERTY),,$(call try,libiberty,-liberty $(iberty_dir)))
HAVE_NANOPB := $(if $(NO_NANOPB),,$(call try,nanopb,$(nanopb_dir) -lprotobuf-nanopb))
iberty_flags = $(if $(HAVE_LIBIBERTY),-DLIBSP_HAVE_LIBIBERTY $(iberty_dir))

lib_sources = $(filter-out $(if $(HAVE_LIBDW),symbolize_none.c,\
	symbolize.c find_debug.c generated.c perf_map.c),\
	$(notdir $(sort $(wildcard $(lib_dir)/*.c))))

# Of the library; those of a static one are also its user's.
libs = $(if $(HAVE_LIBDW),-ldw -lelf) -lz -lpthread
static_libs = $(if $(HAVE_LIBIBERTY),-liberty)
