// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * writer: snapshots to a file, packed or not. Each snapshot is a member of gzip of
 * its own, so that packed files can be added to, and damage ends with a member.
 *
 * A new file is made beside the old one and takes its place when the new one is
 * complete and on disk. What is no regular file (a pipe, a device), or has no name any
 * more, is written to directly. A writer has no lock: one thread at a time uses it. Other
 * processes are kept away from a file that is added to by flock(2).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../shared/replace.h"
#include "abi.h"
#include "error.h"
#include "recording.h"
#include "schedprof.h"

struct schedprof_writer {
	char *path;
	struct replace file;
	bool replaces;		/* the file takes the name at the end; else it has it */
	unsigned int flags;	/* enum schedprof_write_flags */
	bool regular;
	uint64_t bytes;
};

static int failed_write(const struct schedprof_writer *writer, int number,
			struct schedprof_error *error)
{
	return libsp_fail_errno(error, SCHEDPROF_IO, number, "cannot write %s",
				writer->path);
}

static void free_writer(struct schedprof_writer *writer)
{
	replace_close(&writer->file);
	free(writer->path);
	free(writer);
}

static int file_exists(const char *path, struct schedprof_error *error)
{
	return libsp_fail_errno(error, SCHEDPROF_EXISTS, EEXIST,
				"%s is there already; take another name, or remove it",
				path);
}

/* Nothing is added to a damaged file, because readers end at the damage. */
static int check_old(const char *path, struct schedprof_error *error)
{
	struct schedprof_reader *reader = schedprof_read_path(path, error);
	struct schedprof_recording *recording;
	struct schedprof_error why;
	int result;

	if (!reader)
		return error ? -error->code : -SCHEDPROF_IO;
	while ((result = schedprof_next(reader, &recording, &why)) == 1)
		schedprof_recording_free(recording);
	schedprof_reader_close(reader);
	if (result)
		libsp_fail_at(error, why.code, why.offset,
			      "nothing can be added to %s: %.800s", path, why.message);
	return result;
}

/*
 * A file is packed or it is not: what reads one kind takes the other for damage.
 * Return: 0 or a negative code.
 */
static int check_packing(const struct schedprof_writer *writer,
			 struct schedprof_error *error)
{
	bool pack = writer->flags & SCHEDPROF_WRITE_GZIP, packed;
	unsigned char magic[2];
	int fd = open(writer->path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return failed_write(writer, errno, error);
	got = pread(fd, magic, sizeof(magic), 0);
	close(fd);
	packed = got == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
	if (got < 0 || packed == pack)
		return 0;
	return libsp_fail(error, SCHEDPROF_INVALID,
			  "%s is %spacked, so nothing %spacked can be added to it; take another name, or write %spacked",
			  writer->path, packed ? "" : "not ", pack ? "" : "not ",
			  packed ? "" : "not ");
}

/* Does not wait for a reader of a pipe. Return: 0 or a negative code. */
static int open_to_write(struct schedprof_writer *writer, int how,
			 struct schedprof_error *error)
{
	struct stat status;

	writer->file.fd = open(writer->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | how, 0600);
	if (writer->file.fd >= 0) {
		fcntl(writer->file.fd, F_SETFL, fcntl(writer->file.fd, F_GETFL) & ~O_NONBLOCK);
		return 0;
	}
	if (errno == ENXIO && !stat(writer->path, &status) && S_ISFIFO(status.st_mode))
		return libsp_fail_errno(error, SCHEDPROF_IO, ENXIO,
					"nobody reads from the pipe %s; start who reads first",
					writer->path);
	return errno == EEXIST ? file_exists(writer->path, error) :
				 failed_write(writer, errno, error);
}

static int open_append(struct schedprof_writer *writer, struct schedprof_error *error)
{
	int result, how = O_CREAT | O_APPEND;
	struct stat status;

	if (writer->flags & SCHEDPROF_WRITE_EXCLUSIVE)
		how |= O_EXCL;
	result = open_to_write(writer, how, error);
	if (result)
		return result;
	if (fstat(writer->file.fd, &status))
		return failed_write(writer, errno, error);
	writer->regular = S_ISREG(status.st_mode);
	if (!writer->regular)
		return 0;
	if (flock(writer->file.fd, LOCK_EX | LOCK_NB))
		return libsp_fail_errno(error, SCHEDPROF_IO, errno,
					"another process writes to %s; take another name",
					writer->path);
	writer->bytes = (uint64_t)status.st_size;
	if (!status.st_size)
		return 0;
	return check_packing(writer, error) ?: check_old(writer->path, error);
}

static int open_new(struct schedprof_writer *writer, struct schedprof_error *error)
{
	struct stat status;
	bool old = !stat(writer->path, &status);
	int number;

	if (old && writer->flags & SCHEDPROF_WRITE_EXCLUSIVE)
		return file_exists(writer->path, error);
	writer->regular = !old || S_ISREG(status.st_mode);
	if (!replace_find(&writer->path))
		return open_to_write(writer, O_TRUNC, error);
	writer->replaces = true;
	number = replace_open(&writer->file, writer->path);
	return number ? failed_write(writer, -number, error) : 0;
}

static int open_destination(struct schedprof_writer *writer,
			    struct schedprof_error *error)
{
	if (!strcmp(writer->path, "-")) {
		/* What cannot be written to is found now, not at the end. */
		if (fcntl(STDOUT_FILENO, F_GETFL) & O_PATH)
			return failed_write(writer, EBADF, error);
		writer->file.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		return writer->file.fd < 0 ? failed_write(writer, errno, error) : 0;
	}
	if (writer->flags & SCHEDPROF_WRITE_APPEND)
		return open_append(writer, error);
	return open_new(writer, error);
}

LIBSP_EXPORT struct schedprof_writer *
schedprof_writer_open(const char *path, unsigned int flags,
		      struct schedprof_error *error)
{
	struct schedprof_writer *writer = calloc(1, sizeof(*writer));

	if (!writer) {
		libsp_no_memory(error);
		return NULL;
	}
	writer->file.fd = -1;
	writer->flags = flags;
	writer->path = strdup(path);
	if (!writer->path)
		libsp_no_memory(error);
	else if (!open_destination(writer, error))
		return writer;
	free_writer(writer);
	return NULL;
}

/* Return: 0 or a negative errno. */
static int write_bytes(int fd, const unsigned char *at, size_t size, uint64_t *bytes)
{
	while (size) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		at += done;
		size -= (size_t)done;
		*bytes += (uint64_t)done;
	}
	return 0;
}

/* Packs the bytes and writes them. Return: 0 or a negative errno. */
static int write_packed(int fd, const unsigned char *at, size_t size, uint64_t *bytes)
{
	unsigned char room[65536];
	z_stream zip = { };
	int number = 0, result = Z_OK;

	/* 16: in the format of gzip. */
	if (deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	while (!number && result != Z_STREAM_END) {
		/* zlib counts with an int. */
		if (!zip.avail_in && size) {
			zip.next_in = (unsigned char *)at;
			zip.avail_in = size < 1 << 30 ? (uInt)size : 1 << 30;
			at += zip.avail_in;
			size -= zip.avail_in;
		}
		zip.next_out = room;
		zip.avail_out = sizeof(room);
		result = deflate(&zip, size ? Z_NO_FLUSH : Z_FINISH);
		number = write_bytes(fd, room, sizeof(room) - zip.avail_out, bytes);
	}
	deflateEnd(&zip);
	return number;
}

LIBSP_EXPORT int schedprof_writer_add(struct schedprof_writer *writer,
				      const struct schedprof_recording *recording,
				      struct schedprof_error *error)
{
	uint64_t before = writer->bytes;
	int number;

	if (writer->flags & SCHEDPROF_WRITE_GZIP)
		number = write_packed(writer->file.fd, recording->bytes, recording->size,
				      &writer->bytes);
	else
		number = write_bytes(writer->file.fd, recording->bytes, recording->size,
				     &writer->bytes);
	if (!number && writer->regular && writer->flags & SCHEDPROF_WRITE_APPEND &&
	    fdatasync(writer->file.fd))
		number = -errno;
	if (!number)
		return 0;
	/* Half a snapshot would spoil what is added once there is room again. */
	if (writer->regular && !ftruncate(writer->file.fd, (off_t)before)) {
		writer->bytes = before;
		lseek(writer->file.fd, (off_t)before, SEEK_SET);
	}
	return failed_write(writer, -number, error);
}

LIBSP_EXPORT uint64_t schedprof_writer_bytes(const struct schedprof_writer *writer)
{
	return writer->bytes;
}

LIBSP_EXPORT void schedprof_writer_abort(struct schedprof_writer *writer)
{
	if (writer)
		free_writer(writer);
}

LIBSP_EXPORT int schedprof_writer_commit(struct schedprof_writer *writer,
					 struct schedprof_error *error)
{
	int number = 0, closed, result = 0;

	if (writer->regular && fsync(writer->file.fd))
		number = -errno;
	if (!number && writer->replaces)
		number = replace_take_name(&writer->file, writer->path,
					   writer->flags & SCHEDPROF_WRITE_EXCLUSIVE);
	/* Network file systems may say only now that the disk is full. */
	closed = replace_close(&writer->file);
	if (!number)
		number = closed;
	if (number == -EEXIST)
		result = file_exists(writer->path, error);
	else if (number)
		result = failed_write(writer, -number, error);
	free_writer(writer);
	return result;
}
