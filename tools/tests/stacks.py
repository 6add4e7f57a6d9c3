#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# stacks.py WHICH: stacks for make_stacks, on standard output. WHICH is
#
#	app, after	a server that does this and that, and some time later
#	wall		what one did on a CPU, waiting for one, and asleep
#	hostile		names that would do harm if a page took them for its own text
#	deep		hundreds of frames
#	huge		times whose sum a double cannot hold
#	many		100,000 different stacks
#	wide		200,000 different innermost functions
#	nothing		none
#
# No two frames with the same callers have the same time, so that their order is known.
import random
import sys

SYSCALL = "entry_SYSCALL_64_after_hwframe;do_syscall_64;"
SYNC = SYSCALL + "__x64_sys_fdatasync;ext4_sync_file;jbd2_log_wait_commit;schedule"
READ = SYSCALL + "__x64_sys_pread64;vfs_read;filemap_read;folio_wait_bit;io_schedule;schedule"
FUTEX = SYSCALL + "__x64_sys_futex;do_futex;futex_wait;futex_wait_queue;schedule"
POLL = SYSCALL + "__x64_sys_epoll_wait;do_epoll_wait;ep_poll;schedule"
WAKER = "try_to_wake_up;wake_up_q;futex_wake;do_futex"


def stack(comm, tid, ns, user="", kernel="", flags="", waker="", from_where=""):
    print(comm, tid, ns, flags, user, kernel, waker, from_where, sep="\t")


def app(scale):
    rest = random.Random(7)
    functions = ["parse", "optimize", "execute", "search", "commit", "flush", "Sort"]
    for tid in range(1000, 1004):
        for kernel in SYNC, READ, FUTEX:
            for _ in range(4):
                user = ["_start", "main"] + rest.sample(functions, 3)
                waker = kernel is FUTEX and rest.random() < 0.7
                stack("server", tid, int(scale * rest.paretovariate(1) * 1e7) + rest.randrange(1000),
                      ";".join("/usr/sbin/server:" + f for f in user), kernel,
                      waker="client" if waker else "", from_where=WAKER if waker else "")
    stack("server", 1007, 220000001, "/usr/sbin/server:main;/usr/sbin/server:loop", POLL, "i")
    stack("proxy", 88, 30000003, "/usr/sbin/proxy:work", READ, "c")
    stack("proxy", 89, int(21000004 / scale), "/usr/sbin/proxy:work", READ, "f")
    stack("kworker", 12, int(44000005 / scale), "", "ret_from_fork;kthread;worker_thread;schedule")
    if scale != 1:
        stack("newcomer", 500, 90000006, "/usr/bin/newcomer:main", READ)
    else:
        stack("leaver", 501, 70000006, "/usr/bin/leaver:main", READ)


def hostile():
    names = ["</script><img/src=x/onerror=alert(1)>", "<!--<script>", "&quot&lt", "\"'`${1}",
             "\\u003c/script\\u003e", "]]>--><svg/onload=alert(1)>", "</noscript><b>",
             "constructor", "__proto__", "ä€😀", "</style>", "%s%n"]
    for i, name in enumerate(names):
        stack(name.encode()[:15].decode(errors="ignore"), 200 + i, (i + 10) * 1000003,
              f"/a/{name};/b{name}", f"do_{name};schedule", "", "waker", f"wake_{name}")


def wall():
    """As in mode wall, with blame and interrupts."""
    loop = "/usr/sbin/server:main;/usr/sbin/server:loop"
    stack("server", 1001, 90000001, loop, "", "o")
    # It is in that function, but does not wait for work there.
    stack("server", 1001, 33000002, loop, POLL, "o")
    stack("server", 1001, 21000003, loop, READ, "oq")
    for i, culprit in enumerate(["rival", "[interrupts]", "[idle]", "[other cpu]"]):
        stack("server", 1001, 11000004 + i * 5000001, loop, READ, "q", culprit)
    stack("server", 1001, 5000007, loop, READ, "q")
    stack("server", 1001, 60000008, loop, POLL, "i", "client", WAKER)
    stack("server", 1001, 47000009, loop, FUTEX, "", "client", WAKER)
    stack("kworker", 12, 8000010, "", "ret_from_fork;kthread;worker_thread", "o")


def many():
    for i in range(100000):
        user = ";".join(f"/usr/bin/app:f{d}_{(i * 7919 >> d) % (3 + d * 4)}" for d in range(12))
        kernel = f"do_syscall_64;sys_{i % 97};wait_{i % 1009};schedule"
        stack(f"task{i % 40}", 1000 + i % 200, 1000 + i * 2654435761 % 5000000, user, kernel)


def wide():
    for i in range(200000):
        stack("wide", 1, 1000 + i * 2654435761 % 5000000007, "", f"do_syscall_64;wait_{i}")


def deep():
    frames = ";".join(f"/r:level{i}" for i in range(300))
    stack("deep", 1, 5000000, frames, SYNC)
    stack("deep", 1, 1000000, frames[:200].rsplit(";", 1)[0], READ)


def huge():
    stack("old", 1, 2**60 + 1, "/r:main", SYNC)
    stack("old", 2, 2**60 + 3, "/r:main", READ)
    stack("old", 3, 7, "/r:main", FUTEX)


def nothing():
    pass


which = sys.argv[1]
if which in ("app", "after"):
    app(1 if which == "app" else 1.6)
else:
    {"wall": wall, "hostile": hostile, "many": many, "wide": wide, "deep": deep, "huge": huge,
     "nothing": nothing}[which]()
