// SPDX-License-Identifier: GPL-2.0-only
/*
 * touch: a plugin for QEMU that finds out which cache lines and pages a probe on
 * context switches touches.
 *
 * qemu-system-x86_64 -plugin libtouch.so,out=FILE
 *
 * A program in the guest stores three words at MARK: where the function begins that
 * every switch enters, where it ends, and the number of what is being measured; 0, 0
 * and 0 when it is over. From then on, a switch is what runs from one entry of that
 * function to the next. Its probe is what runs from the first instruction
 * elsewhere, if the function's first few lead there, until the function goes
 * on. For each switch a line is written:
 *
 *	switch NUMBER INSTRUCTIONS DATA WRITTEN CODE ON PAGES OTHER_DATA OTHER_CODE
 *
 * instructions of the probe; lines that it touches and the rest of the switch does
 * not: of data, written ones of these, of code; on how many pages these are, and
 * how many pages the rest of the switch does not touch at all; and for comparison
 * the lines of the rest.
 *
 * One processor: callbacks never run at the same time, and nothing is locked.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT	__attribute__((visibility("default")))

/*
 * What is used of the plugin interface of QEMU 11.1, whose package comes without the
 * header. An emulator with another version of it refuses to load this.
 */
struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct qemu_plugin_value {
	int type;
	union {
		uint64_t u64;
		uint64_t u128[2];
	};
};

EXPORT int qemu_plugin_version = 7;

#define NO_REGISTERS	0
#define READS_AND_WRITES 3

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*call)(struct qemu_plugin_tb *block, void *data),
					   void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*call)(void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*call)(unsigned int cpu, void *data),
					    int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*call)(unsigned int cpu, uint32_t info,
						   uint64_t address, void *data),
				      int flags, int which, void *data);
unsigned int qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);
struct qemu_plugin_value qemu_plugin_mem_get_value(uint32_t info);

/* The same as in bench/ring.c. */
#define MARK		0x5ca1ab1e000UL
/* The probe leaves the function within so many bytes. */
#define FIRST_BYTES	16
#define LINE_SHIFT	6
#define PAGE_SHIFT	12

static FILE *out;
static uint64_t told[3];
static uint64_t begin, end;	/* of the function; 0: not to look */
static enum { NOWHERE, BEFORE, INSIDE, AFTER } where;
static unsigned long instructions;

/* What was touched since the switch began: lines of data, lines of code, pages. */
enum kind { DATA, CODE, PAGE };
enum { BY_PROBE = 1, WRITTEN_BY_PROBE = 2, BY_OTHERS = 4, NEW_LINE = 8 };

#define SLOTS		65536

static struct slot {
	uint64_t key;		/* number of the line or page, and its kind */
	unsigned long turn;	/* the switch that it is of */
	unsigned int how;
} slots[SLOTS];

static unsigned int used[SLOTS / 2], n_used;
static unsigned long turn = 1;

static struct slot *find(enum kind kind, uint64_t number)
{
	uint64_t key = number << 2 | kind;
	unsigned int i = (unsigned int)(key * 0x9e3779b97f4a7c15 >> 48);

	while (slots[i].turn == turn && slots[i].key != key)
		i = (i + 1) % SLOTS;
	if (slots[i].turn != turn) {
		if (n_used == SLOTS / 2) {
			fprintf(stderr, "touch: a switch touches too many lines\n");
			exit(1);
		}
		slots[i] = (struct slot) { .key = key, .turn = turn };
		used[n_used++] = i;
	}
	return &slots[i];
}

static void touch(enum kind kind, uint64_t address, unsigned int size, bool written)
{
	unsigned int how = where == INSIDE ? BY_PROBE | (written ? WRITTEN_BY_PROBE : 0) :
					     BY_OTHERS;
	uint64_t line;

	for (line = address >> LINE_SHIFT; line <= (address + size - 1) >> LINE_SHIFT; line++) {
		find(kind, line)->how |= how;
		find(PAGE, line >> (PAGE_SHIFT - LINE_SHIFT))->how |= how;
	}
}

static void print_switch(void)
{
	unsigned int lines[2] = { 0 }, others[2] = { 0 }, written = 0, on = 0, pages = 0, i;

	for (i = 0; i < n_used; i++) {
		const struct slot *slot = &slots[used[i]];
		enum kind kind = slot->key & 3;

		if (kind == PAGE)
			continue;
		if (slot->how & BY_OTHERS) {
			others[kind]++;
			continue;
		}
		lines[kind]++;
		written += kind == DATA && slot->how & WRITTEN_BY_PROBE;
		find(PAGE, slot->key >> 2 >> (PAGE_SHIFT - LINE_SHIFT))->how |= NEW_LINE;
	}
	for (i = 0; i < n_used; i++) {
		const struct slot *slot = &slots[used[i]];

		if ((slot->key & 3) != PAGE)
			continue;
		on += !!(slot->how & NEW_LINE);
		pages += !(slot->how & BY_OTHERS);
	}
	fprintf(out, "switch %llu %lu %u %u %u %u %u %u %u\n", (unsigned long long)told[2],
		instructions, lines[DATA], written, lines[CODE], on, pages,
		others[DATA], others[CODE]);
}

static void next_switch(void)
{
	/* What ran before the first entry is no whole switch. */
	if (where != NOWHERE)
		print_switch();
	where = BEFORE;
	instructions = 0;
	n_used = 0;
	turn++;
}

/* An instruction's address needs 57 bits; its size goes on top. */
#define SIZE_SHIFT	60

static void on_instruction(unsigned int cpu, void *data)
{
	uint64_t address = (uint64_t)data;
	unsigned int size = (unsigned int)(address >> SIZE_SHIFT);
	bool in_function;

	(void)cpu;
	if (!begin)
		return;
	address = (uint64_t)((int64_t)(address << 7) >> 7);
	if (address == begin)
		next_switch();
	if (where == NOWHERE)
		return;
	in_function = address >= begin && address < end;
	if (where == BEFORE && !in_function)
		where = INSIDE;
	else if (where == BEFORE && address >= begin + FIRST_BYTES)
		where = AFTER;
	else if (where == INSIDE && in_function)
		where = AFTER;
	instructions += where == INSIDE;
	touch(CODE, address, size, false);
}

/* The program tells by storing words in turn; the last one counts. */
static void hear(uint64_t address, uint64_t value)
{
	unsigned int i = (unsigned int)(address - MARK) / 8;

	if (i >= sizeof(told) / sizeof(told[0]))
		return;
	told[i] = value;
	if (i != 2)
		return;
	begin = told[0];
	end = told[1];
	where = NOWHERE;
}

static void on_access(unsigned int cpu, uint32_t info, uint64_t address, void *data)
{
	bool store;

	(void)cpu;
	(void)data;
	if (!begin && address >> PAGE_SHIFT != MARK >> PAGE_SHIFT)
		return;
	store = qemu_plugin_mem_is_store(info);
	if (address >> PAGE_SHIFT == MARK >> PAGE_SHIFT) {
		if (store && qemu_plugin_mem_size_shift(info) == 3)
			hear(address, qemu_plugin_mem_get_value(info).u64);
		return;
	}
	if (where != NOWHERE)
		touch(DATA, address, 1U << qemu_plugin_mem_size_shift(info), store);
}

static void on_translation(struct qemu_plugin_tb *block, void *data)
{
	size_t i, n = qemu_plugin_tb_n_insns(block);

	(void)data;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		uint64_t packed = qemu_plugin_insn_vaddr(insn) << 7 >> 7;

		packed &= (1UL << SIZE_SHIFT) - 1;
		packed |= (uint64_t)qemu_plugin_insn_size(insn) << SIZE_SHIFT;
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, NO_REGISTERS,
						       (void *)packed);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, NO_REGISTERS,
						 READS_AND_WRITES, NULL);
	}
}

static void on_exit_of_emulator(void *data)
{
	(void)data;
	fclose(out);
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	if (!out) {
		fprintf(stderr, "touch: expects out=FILE, a file that can be written\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation, NULL);
	qemu_plugin_register_atexit_cb(id, on_exit_of_emulator, NULL);
	return 0;
}
