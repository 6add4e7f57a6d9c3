// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring: has a worker of io_uring do nothing, again and again: a thread that shares this
 * program's memory, and never runs it.
 *
 * ring ROUNDS
 *
 * Gates: "ready", when there is a worker, and "end".
 */
#include <linux/io_uring.h>
#include <sys/mman.h>

#include "work.h"

static int ring;
static struct io_uring_sqe *sqe;
static unsigned int *sq_tail, *sq_array, sq_mask, *cq_head;

static void *map(size_t size, uint64_t offset)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
			(off_t)offset);

	if (at == MAP_FAILED)
		die("cannot map the ring");
	return at;
}

static void open_ring(void)
{
	struct io_uring_params params = { 0 };
	char *sq, *cq;

	ring = (int)syscall(__NR_io_uring_setup, 4, &params);
	if (ring < 0)
		die("no ring");
	sq = map(params.sq_off.array + params.sq_entries * sizeof(unsigned int),
		 IORING_OFF_SQ_RING);
	cq = map(params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
		 IORING_OFF_CQ_RING);
	sqe = map(params.sq_entries * sizeof(*sqe), IORING_OFF_SQES);
	sq_tail = (unsigned int *)(sq + params.sq_off.tail);
	sq_array = (unsigned int *)(sq + params.sq_off.array);
	sq_mask = *(unsigned int *)(sq + params.sq_off.ring_mask);
	cq_head = (unsigned int *)(cq + params.cq_off.head);
}

/* By a worker, as it is asked for that. */
static FRAME void round_trip(uint64_t number)
{
	unsigned int tail = *sq_tail;

	*sqe = (struct io_uring_sqe){ .opcode = IORING_OP_NOP, .flags = IOSQE_ASYNC };
	sq_array[tail & sq_mask] = 0;
	__atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
	if (syscall(__NR_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		die("the ring does not take it");
	__atomic_store_n(cq_head, *cq_head + 1, __ATOMIC_RELEASE);
	/* Meanwhile the worker goes to sleep, now and then for longer. */
	usleep(number % 20 ? 100 : 5000);
	RETURNS_HERE();
}

int main(int argc, char **argv)
{
	uint64_t i, rounds;

	if (argc != 2)
		die("expects a number of rounds");
	rounds = strtoull(argv[1], NULL, 10);
	open_ring();
	round_trip(1);
	wait_at_gate("ready");
	for (i = 0; i < rounds; i++)
		round_trip(i);
	wait_at_gate("end");
	return 0;
}
