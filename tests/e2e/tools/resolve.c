// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve: puts the names of functions into `folded`, so that tests can ask
 * for them. The names come from the symbol tables of the programs themselves.
 *
 * resolve [-a WRITTEN=REAL]... <folded
 *
 * A frame PATH+0xOFFSET becomes FUNCTION if PATH can be read and has a symbol
 * there, and stays as it is otherwise. -a tells where the file is that goes by
 * another name in the input.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES	64
#define MEMORY		4096

struct symbol {
	uint64_t start, end;	/* offsets into the file */
	const char *name;
};

static struct file {
	char *path;
	struct symbol *symbols;
	size_t count;
} files[MAX_FILES];
static unsigned int file_count;

/* The same few frames come again and again. */
static struct remembered {
	const struct file *file;
	uint64_t offset;
	const char *name;
} memory[MEMORY];

static const char *alias[MAX_FILES][2];
static unsigned int aliases;

static int by_start(const void *a, const void *b)
{
	const struct symbol *s = a, *t = b;

	return s->start < t->start ? -1 : s->start > t->start;
}

/* Symbols have addresses, frames are offsets into the file. */
static bool to_offset(const Elf64_Ehdr *elf, uint64_t address, uint64_t *offset)
{
	const Elf64_Phdr *p = (const void *)((const char *)elf + elf->e_phoff);
	unsigned int i;

	for (i = 0; i < elf->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && address >= p[i].p_vaddr &&
		    address - p[i].p_vaddr < p[i].p_filesz) {
			*offset = address - p[i].p_vaddr + p[i].p_offset;
			return true;
		}
	return false;
}

static void read_table(struct file *f, const Elf64_Ehdr *elf,
		       const Elf64_Shdr *sections, const Elf64_Shdr *table)
{
	const char *base = (const char *)elf;
	const char *names = base + sections[table->sh_link].sh_offset;
	const Elf64_Sym *sym = (const void *)(base + table->sh_offset);
	size_t i, n = table->sh_size / sizeof(*sym);

	f->symbols = realloc(f->symbols, (f->count + n) * sizeof(*f->symbols));
	for (i = 0; i < n; i++) {
		struct symbol *s = &f->symbols[f->count];

		if (ELF64_ST_TYPE(sym[i].st_info) != STT_FUNC || !sym[i].st_size ||
		    !to_offset(elf, sym[i].st_value, &s->start))
			continue;
		s->end = s->start + sym[i].st_size;
		s->name = names + sym[i].st_name;
		f->count++;
	}
}

static void read_symbols(struct file *f, const char *real)
{
	const Elf64_Shdr *sections;
	const Elf64_Ehdr *elf;
	struct stat stat;
	unsigned int i;
	int fd;

	fd = open(real, O_RDONLY);
	if (fd < 0)
		return;
	if (fstat(fd, &stat) || (size_t)stat.st_size < sizeof(*elf))
		goto out;
	elf = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (elf == MAP_FAILED || memcmp(elf->e_ident, ELFMAG, SELFMAG) ||
	    elf->e_ident[EI_CLASS] != ELFCLASS64)
		goto out;
	sections = (const void *)((const char *)elf + elf->e_shoff);
	for (i = 0; i < elf->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB ||
		    sections[i].sh_type == SHT_DYNSYM)
			read_table(f, elf, sections, &sections[i]);
	qsort(f->symbols, f->count, sizeof(*f->symbols), by_start);
out:
	close(fd);
}

static struct file *get_file(const char *path)
{
	const char *real = path;
	struct file *f;
	unsigned int i;

	for (i = 0; i < file_count; i++)
		if (!strcmp(files[i].path, path))
			return &files[i];
	if (file_count == MAX_FILES) {
		fputs("resolve: too many files\n", stderr);
		exit(1);
	}
	for (i = 0; i < aliases; i++)
		if (!strcmp(alias[i][0], path))
			real = alias[i][1];
	f = &files[file_count++];
	f->path = strdup(path);
	read_symbols(f, real);
	return f;
}

static const char *find(const struct file *f, uint64_t offset)
{
	size_t low = 0, high = f->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (f->symbols[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	/* Symbols may be nested and doubled. */
	while (low--)
		if (offset < f->symbols[low].end)
			return f->symbols[low].name;
		else if (offset - f->symbols[low].start > 1 << 20)
			break;
	return NULL;
}

static const char *recall(const struct file *f, uint64_t offset)
{
	struct remembered *r = &memory[offset % MEMORY];

	if (r->file != f || r->offset != offset)
		*r = (struct remembered){ f, offset, find(f, offset) };
	return r->name;
}

static void put_frame(char *frame, bool innermost)
{
	char *plus = strstr(frame, "+0x"), *end;
	const char *name = NULL;
	uint64_t offset;

	if (plus && *frame == '/') {
		offset = strtoull(plus + 3, &end, 16);
		if (!*end) {
			*plus = '\0';
			/* A return address may be behind the function's end. */
			name = recall(get_file(frame), offset - !innermost);
			*plus = '+';
		}
	}
	fputs(name ?: frame, stdout);
}

static void put_line(char *line)
{
	char *value = strrchr(line, ' '), *frame, *rest = line;
	bool first = true, innermost;

	if (value)
		*value++ = '\0';
	while ((frame = strsep(&rest, ";"))) {
		/* Innermost of the user part: what is behind is the kernel's. */
		innermost = !rest || (strstr(rest, "_[k]") &&
				      !strstr(frame, "_[k]") &&
				      strcspn(rest, ";") > 4 &&
				      !strncmp(rest + strcspn(rest, ";") - 4, "_[k]", 4));
		if (!first)
			putchar(';');
		put_frame(frame, innermost);
		first = false;
	}
	if (value)
		printf(" %s", value);
	putchar('\n');
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int opt;

	while ((opt = getopt(argc, argv, "a:")) != -1) {
		if (opt != 'a' || aliases == MAX_FILES)
			return 2;
		alias[aliases][0] = strsep(&optarg, "=");
		alias[aliases++][1] = optarg ?: "";
	}
	while ((n = getline(&line, &room, stdin)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		put_line(line);
	}
	return 0;
}
