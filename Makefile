# SPDX-License-Identifier: GPL-2.0-only
#
# For people: `make help`. What the kernel's build system reads is in Kbuild.

# Which kernel the module is built for: a release, or its build directory.
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
# Where tests run: a kernel of tests/vm/kernel; suites also on host.
KERNEL ?= stock debug

kbuild = $(MAKE) -C $(KDIR) M=$(CURDIR)
# What KDIR is for, which need not be KVER: as uname -r prints it there. Where the headers
# of KVER are gone, it is KVER.
release = $(or $(shell sed -n 's/^.define UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h 2>/dev/null),$(if \
	$(filter /lib/modules/$(KVER)/build,$(KDIR)),$(KVER)))
root = $(INSTALL_MOD_PATH)
# The one place that says which version this is.
version = $(shell sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' src/main.c)

all: modules

help:
	@echo 'make             build schedprof.ko for KVER=$(KVER)'
	@echo 'make install     install it for that kernel (as root), then: modprobe schedprof'
	@echo 'make uninstall   remove it again'
	@echo 'make tools       build what is in user space: the library libschedprof, the command schedprof'
	@echo 'make install-tools  install that; DESTDIR, PREFIX=/usr/local and libdir as usual'
	@echo 'make clean       remove what was built here'
	@echo 'make demo        profile a real program in a throw-away virtual machine'
	@echo 'make demo HOST=1 the same on the running kernel'
	@echo 'make pictures    draws what the README shows of that'
	@echo 'make check       lint, build, suites, virtual machines; all of them briefly'
	@echo 'make kunit       the unit suites; KERNEL= one or more of stock debug lockdep host uml x86_64'
	@echo 'make check-vm    the end-to-end tests; KERNEL= one or more of stock debug lockdep'
	@echo 'make check-kernels  the same on every kernel in the README; KERNELS= for some of them'
	@echo 'make check-parallel  what looks for races, on processors that run at the same time; KERNELS= as above'
	@echo 'make check-exact  walks each stack that is recognised, and compares, until there were EVENTS=300000'
	@echo 'make check-accuracy  compares user stacks of real programs with eu-stack; PROGRAMS= for some of them'
	@echo 'make check-exports  has other programs open what is written for them, and compares'
	@echo 'make check-metrics  has Prometheus scrape two machines, and compares with what these counted'
	@echo 'make torture     tries to break it, for an hour; HOURS=, EVENTS=, ROW=, SEED=, KERNELS='
	@echo 'make busted      puts one bug after the other back; the tests must find each; PATCHES= for some of tests/busted'
	@echo 'make bench       what a context switch costs more, in instructions'
	@echo 'make lint        style and static checks'
	@echo 'make deb, make rpm  packages, in build/'
	@echo 'make check-packages  install them in Debian releases and boot those; SUITES= for some of them'
	@echo 'make version     what version this is'
	@echo
	@echo 'Tests run on KERNEL="$(KERNEL)" unless told otherwise.'
	@echo 'KVER= (a release) or KDIR= (its build directory) choose the kernel to build for.'

modules:
	@test -e '$(KDIR)/Makefile' || { \
		echo 'There are no headers for kernel $(KVER): $(KDIR) is missing.'; \
		echo 'Install linux-headers-$(KVER), or choose a kernel with KVER= or KDIR=.'; \
		exit 1; } >&2
	$(kbuild) modules

install: modules
	$(kbuild) modules_install
	depmod $(if $(root),-b $(root)) $(release)

# What DKMS has put there is its own; some distributions have that in a directory of their choice.
uninstall:
	@test -n '$(release)' || { \
		echo 'What kernel $(KDIR) is for is not known: it has no headers.'; \
		echo 'Say which with KVER=, without KDIR=.'; \
		exit 1; } >&2
	@command -v cmp >/dev/null || { \
		echo 'What is of DKMS cannot be told without cmp: install diffutils.' >&2; exit 1; }
	@test -d '$(root)/lib/modules/$(release)' || { \
		echo 'There is no kernel $(release): $(root)/lib/modules/$(release) is missing.' >&2; \
		exit 1; }
	find $(root)/lib/modules/$(release) -name 'schedprof.ko*' ! -path '*/updates/dkms/*' | \
	while read -r file; do \
		for built in $(root)/var/lib/dkms/schedprof/kernel-$(release)-*/module/schedprof.ko*; do \
			cmp -s "$$file" "$$built" && continue 2; \
		done; \
		rm -f "$$file" || exit; \
	done
	depmod $(if $(root),-b $(root)) $(release)

tools:
	$(MAKE) -C tools

install-tools:
	$(MAKE) -C tools install

clean:
	$(if $(wildcard tools/Makefile),$(MAKE) -C tools clean)
	$(if $(wildcard $(KDIR)/Makefile),$(kbuild) clean)

demo:
	tests/demo/run

pictures:
	tests/demo/pictures

check:
	tests/check

kunit:
	@status=0; for k in $(KERNEL); do kunit/run $$k || status=1; done; exit $$status

check-vm:
	@status=0; for k in $(KERNEL); do tests/e2e/run $$k || status=1; done; exit $$status

check-kernels:
	tests/check-kernels $(KERNELS)

check-parallel:
	@status=0; for k in $(or $(KERNELS),stock 6.12-rt 7.2 kcsan); do \
		tests/parallel/run $$k || status=1; done; exit $$status

check-exact:
	@status=0; for k in $(filter-out debug,$(KERNEL)); do tests/exact/run $$k || status=1; done; exit $$status

check-accuracy:
	tests/check tests/accuracy/run $(PROGRAMS)

check-exports:
	tests/check tests/check-exports

check-metrics:
	tests/check tests/check-metrics

torture:
	tests/check tests/torture/run $(ROW)

busted:
	tests/busted/run $(PATCHES)

version:
	@echo '$(version)'

# What DKMS builds the module from, and nothing else, for packages.
dkms-source: dkms = $(DESTDIR)/usr/src/schedprof-$(version)
dkms-source:
	for f in dkms.conf Kbuild $$(find src configfs -name '*.[ch]' ! -name '*.mod.c' -o -name '*.mk'); do \
		install -D -m 644 "$$f" "$(dkms)/$$f" || exit; \
	done

deb:
	tests/packages/deb build

rpm:
	tests/packages/rpm build

check-packages:
	tests/check tests/packages/run $(SUITES)

.PHONY: pictures check-accuracy check-exact check-exports check-metrics check-parallel torture busted version dkms-source deb rpm check-packages

bench:
	bench/run

lint:
	tests/lint

.PHONY: all help modules install uninstall tools install-tools clean demo check kunit check-vm \
	check-kernels bench lint
