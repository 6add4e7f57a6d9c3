// SPDX-License-Identifier: GPL-2.0-only
/*
 * file_id: which file it is that a program has mapped, so that its functions are
 * not looked up in another one that has the same path later, or elsewhere.
 *
 * Nothing here waits for a disk, a server or a program that is a file system: the
 * inode is in memory, and the build-id is read only if the first page of the file is in
 * the page cache, as perf's events do it. That page is copied before it is looked at,
 * since whoever may write the file may change it meanwhile.
 *
 * No lock: the caller holds a reference to the file.
 */
#include <linux/dcache.h>
#include <linux/elf.h>
#include <linux/fs.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/pagemap.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/file_id.h"

/* Elsewhere NT_GNU_BUILD_ID, which not all kernels' headers have. */
#define BUILD_ID_NOTE	3

/* Files have less than ten. Whoever makes one with very many keeps nobody busy. */
#define MAX_NOTES 64

/* Part of the head of a file. */
struct part {
	u64 at;
	u64 bytes;
};

/* A file may say anything. */
static bool is_within_head(const struct part *part)
{
	return part->at <= SP_FILE_HEAD && part->bytes <= SP_FILE_HEAD - part->at;
}

static bool get_header64(const u8 *head, unsigned int number, struct part *notes)
{
	struct part at = { .bytes = sizeof(struct elf64_phdr) };
	struct elf64_phdr header;
	struct elf64_hdr elf;

	memcpy(&elf, head, sizeof(elf));
	at.at = elf.e_phoff + (u64)number * sizeof(header);
	if (number >= elf.e_phnum || elf.e_phentsize != sizeof(header) ||
	    elf.e_phoff > SP_FILE_HEAD || !is_within_head(&at))
		return false;
	memcpy(&header, head + at.at, sizeof(header));
	notes->at = header.p_offset;
	notes->bytes = header.p_type == PT_NOTE ? header.p_filesz : 0;
	return true;
}

static bool get_header32(const u8 *head, unsigned int number, struct part *notes)
{
	struct part at = { .bytes = sizeof(struct elf32_phdr) };
	struct elf32_phdr header;
	struct elf32_hdr elf;

	memcpy(&elf, head, sizeof(elf));
	at.at = elf.e_phoff + (u64)number * sizeof(header);
	if (number >= elf.e_phnum || elf.e_phentsize != sizeof(header) ||
	    !is_within_head(&at))
		return false;
	memcpy(&header, head + at.at, sizeof(header));
	notes->at = header.p_offset;
	notes->bytes = header.p_type == PT_NOTE ? header.p_filesz : 0;
	return true;
}

/*
 * A segment of notes, if number @number is one; else its length is 0.
 * Return: is there such a number?
 */
static bool get_notes(const u8 *head, unsigned int number, struct part *notes)
{
	bool there = head[EI_CLASS] == ELFCLASS64 ?
		     get_header64(head, number, notes) :
		     get_header32(head, number, notes);

	if (there && !is_within_head(notes))
		notes->bytes = 0;
	return there;
}

/* Is the build-id among these notes? @left: how many may be looked at */
static bool find_build_id(const u8 *head, const struct part *notes, unsigned int *left,
			  struct sp_file_id *id)
{
	static const char owner[] = "GNU";
	u64 at = notes->at, end = notes->at + notes->bytes, name;
	struct elf32_note note;	/* the same in 64-bit files */

	for (; at <= end && end - at >= sizeof(note) && *left; (*left)--) {
		memcpy(&note, head + at, sizeof(note));
		name = at + sizeof(note);
		at = name + ALIGN((u64)note.n_namesz, 4);
		if (at > end || note.n_descsz > end - at)
			return false;
		if (note.n_type == BUILD_ID_NOTE &&
		    note.n_namesz == sizeof(owner) && note.n_descsz &&
		    note.n_descsz <= SP_BUILD_ID_MAX &&
		    !memcmp(head + name, owner, sizeof(owner))) {
			memcpy(id->build_id, head + at, note.n_descsz);
			id->build_id_bytes = note.n_descsz;
			return true;
		}
		at += ALIGN((u64)note.n_descsz, 4);
	}
	return false;
}

static bool is_elf_of_ours(const u8 *head)
{
	u8 order = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? ELFDATA2MSB : ELFDATA2LSB;

	return !memcmp(head, ELFMAG, SELFMAG) && head[EI_DATA] == order &&
	       (head[EI_CLASS] == ELFCLASS64 || head[EI_CLASS] == ELFCLASS32);
}

/*
 * Copied without a fault: there are kinds of memory that even the kernel may not
 * read. Both architectures have all memory mapped.
 */
static bool copy_head(struct file *file, u8 *head)
{
	struct page *page = find_get_page(file->f_mapping, 0);
	bool done;

	if (!page)
		return false;
	done = PageUptodate(page) && !PageHWPoison(page) &&
	       !copy_from_kernel_nofault(head, page_address(page), SP_FILE_HEAD);
	put_page(page);
	return done;
}

/**
 * sp_build_id_in() - the build-id of a file
 * @head: its first SP_FILE_HEAD bytes
 * @id: filled in if it is there
 *
 * Context: any; some thousand steps at most.
 */
void sp_build_id_in(const u8 *head, struct sp_file_id *id)
{
	unsigned int i, left = MAX_NOTES;
	struct part notes;

	if (!is_elf_of_ours(head))
		return;
	for (i = 0; get_notes(head, i, &notes); i++)
		if (find_build_id(head, &notes, &left, id))
			return;
}
SP_EXPORT_FOR_KUNIT(sp_build_id_in);

/**
 * sp_file_id() - which file is it?
 * @file: that somebody has mapped
 * @scratch: SP_FILE_HEAD bytes; NULL: its build-id is not asked for
 * @id: filled in
 *
 * Device and inode are those of the path by which the program knows the file: with an
 * overlay, those of the overlay. What no path leads to (memfd and the like) is told by
 * nothing.
 *
 * Context: process. Does not wait, and does no I/O.
 */
void sp_file_id(struct file *file, void *scratch, struct sp_file_id *id)
{
	const struct inode *inode = file_inode(file);
	const struct inode *shown = d_inode(sp_file_path(file)->dentry);
	struct timespec64 mtime;

	memset(id, 0, sizeof(*id));
	if (!S_ISREG(inode->i_mode) || inode->i_sb->s_flags & SB_NOUSER)
		return;
	id->inode = shown->i_ino;
	id->device = shown->i_sb->s_dev;
	id->generation = inode->i_generation;
	mtime = sp_inode_mtime(inode);
	id->mtime_ns = timespec64_to_ns(&mtime);
	if (scratch && copy_head(file, scratch))
		sp_build_id_in(scratch, id);
}

/**
 * sp_file_id_same() - is it the same file, unchanged?
 * @a: one
 * @b: another one. Whether their build-ids were known then is not asked
 *
 * Context: any.
 */
bool sp_file_id_same(const struct sp_file_id *a, const struct sp_file_id *b)
{
	return a->inode == b->inode && a->device == b->device &&
	       a->generation == b->generation && a->mtime_ns == b->mtime_ns;
}
SP_EXPORT_FOR_KUNIT(sp_file_id_same);

/**
 * sp_file_id_hash() - a number that is the same for what sp_file_id_same() says is the same
 * @id: a file
 *
 * Context: any.
 * Return: the number, never 0.
 */
u32 sp_file_id_hash(const struct sp_file_id *id)
{
	/* Without the build-id, and there is no gap before it. */
	BUILD_BUG_ON(offsetof(struct sp_file_id, build_id_bytes) != 24);
	return jhash(id, offsetof(struct sp_file_id, build_id_bytes), 0) ?: 1;
}
SP_EXPORT_FOR_KUNIT(sp_file_id_hash);
