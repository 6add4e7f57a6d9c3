# SPDX-License-Identifier: GPL-2.0-only
#
# Asks the kernel what it has: each program in try/ compiles only if its
# feature is there, and then defines SP_HAS_ and its name. Versions are not
# compared, because stable kernels and distributions backport.

sp-try-flags = $(NOSTDINC_FLAGS) $(LINUXINCLUDE) $(KBUILD_CPPFLAGS) \
	$(KBUILD_CFLAGS) $(KBUILD_CFLAGS_MODULE) -DMODULE \
	-Werror=incompatible-pointer-types -Werror=implicit-function-declaration \
	-DKBUILD_MODNAME='"try"' -DKBUILD_BASENAME='"try"' -fsyntax-only
sp-try = $(shell $(CC) $(sp-try-flags) $(src)/src/compat/try/$(1).c \
	>/dev/null 2>&1 && echo y)

ifneq ($(call sp-try,sanity),y)
$(error not even an empty module compiles for this kernel: try "make V=1" to see the compiler's command, and check that it is the compiler the kernel was built with)
endif

sp-features = arch_ftrace_regs file_user_path fprobe fprobe_ftrace_regs fprobe_max_active ftrace_regs
sp-features += get_kretprobe hrtimer_setup inode_get_mtime kprobe_fault_handler rb_add_cached
sp-features += ring_buffer_commit_alone
sp-features += ring_buffer_read_start switch_tells_state system_dfl_wq task___state
ccflags-y += $(foreach f,$(sp-features),$(if $(call sp-try,$(f)),-DSP_HAS_$(f)))
