# SPDX-License-Identifier: GPL-2.0-only
#
# Asks the kernel what it has: each program in try/ compiles only if its
# feature is there, and then defines SP_HAS_ and its name. Versions are not
# compared, because stable kernels and distributions backport.

sp-try-flags = $(NOSTDINC_FLAGS) $(LINUXINCLUDE) $(KBUILD_CPPFLAGS) \
	$(KBUILD_CFLAGS) $(KBUILD_CFLAGS_MODULE) -DMODULE \
	-Werror=incompatible-pointer-types -Werror=implicit-function-declaration \
	-Wno-missing-prototypes -Wno-missing-declarations \
	-DKBUILD_MODNAME='"try"' -DKBUILD_BASENAME='"try"' -fsyntax-only
sp-try = $(shell $(CC) $(sp-try-flags) $(src)/src/compat/try/$(1).c \
	>/dev/null 2>&1 && echo y)

ifneq ($(call sp-try,sanity),y)
$(error not even an empty module compiles for this kernel: try "make V=1" to see the compiler's command, and check that it is the compiler the kernel was built with)
endif

sp-features = arch_ftrace_regs file_user_path fprobe fprobe_ftrace_regs fprobe_max_active
sp-features += frame_record_meta ftrace_regs
sp-features += get_kretprobe hex_header hrtimer_setup inode_get_mtime kprobe_fault_handler rb_add_cached
sp-features += ring_buffer_commit_alone ring_buffer_read_prepare ring_buffer_read_start
sp-features += switch_tells_state system_dfl_wq task___state throttled_tasks
ccflags-y += $(foreach f,$(sp-features),$(if $(call sp-try,$(f)),-DSP_HAS_$(f)))

sp-has = $(filter -DSP_HAS_$(1),$(ccflags-y))
sp-ftrace-hook := $(if $(CONFIG_X86_64),$(CONFIG_DYNAMIC_FTRACE_WITH_REGS))

# What somebody could look for and does not find on this kernel, and why not: an option
# it is built without, the interface (it has another one), or the architecture.
sp-missing := $(if $(call sp-has,ring_buffer_read_%),,events=$(if $(CONFIG_RING_BUFFER),interface,CONFIG_RING_BUFFER))
sp-missing += $(if $(sp-ftrace-hook),,ftrace=$(if $(CONFIG_X86_64),CONFIG_DYNAMIC_FTRACE_WITH_REGS,x86-64))
sp-missing += $(if $(call sp-has,fprobe),,fprobe=$(if $(CONFIG_FPROBE),interface,CONFIG_FPROBE))
sp-missing += $(if $(CONFIG_SCHED_INFO),,run_delay=CONFIG_SCHED_INFO)
sp-missing += $(if $(CONFIG_X86_64),,tsc=x86-64)
sp-missing += $(if $(CONFIG_X86_64),,unwind_tables=x86-64)
sp-missing := $(strip $(sp-missing))

sp-without-events := there is no event trace
sp-without-ftrace := the hook ftrace is refused
sp-without-fprobe := the mode function uses kretprobes
sp-without-run_delay := selfcheck does not compare the time spent waiting
sp-without-tsc := the clock tsc is refused
sp-without-unwind_tables := user stacks are by frame pointers alone

# Told here, but not twice: modpost reads this, too. And in hooks_status.
sp-name = $(firstword $(subst =, ,$(1)))
sp-reason = $(lastword $(subst =, ,$(1)))
sp-tell = $(info schedprof: no $(sp-name) on this kernel ($(sp-reason)): $(sp-without-$(sp-name)))
ifneq ($(findstring scripts/Makefile.build,$(MAKEFILE_LIST)),)
ifneq ($(quiet),silent_)
$(foreach m,$(sp-missing),$(call sp-tell,$(m)))
endif
endif
sp-line = feature=$(sp-name) missing=$(sp-reason)\n
sp-lines := $(foreach m,$(sp-missing),$(call sp-line,$(m)))
ccflags-y += -DSP_MISSING='"$(subst \n f,\nf,$(sp-lines))"'
