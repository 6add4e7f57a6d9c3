#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""top_books.py DIRECTORY [TASKS [interrupts]]: a machine for schedprof top, whose tasks run, wait and end.

DIRECTORY/MODE.N has what tools/tests/make_books makes a recording of: what a session of that
mode knows when it is read for the N-th time. DIRECTORY/wanted.N.BY has what top shows then, a
line for each row with tabs: name, number, threads, percent on a CPU, waiting, asleep and in
disk sleep, the mean wait and the longest in us, how often it switched and was woken per second,
whose fault most of its waits were, and how much of them in percent, and interrupts in percent,
which are no part of its own time on a CPU then; "-" if nobody told them apart.

What is wanted follows from what the tasks did in that round; recordings have sums of all
rounds, and nothing here takes differences of them, as the program must. With TASKS there are
so many more.
"""
import os
import random
import sys

ROUND = 2_000_000_000
MS = 1_000_000
ROUNDS = 5
CGROUPS = {1: "/system.slice/nginx.service", 2: "/backup.slice/nightly dump.service", 3: "/"}
# More than any kernel has, as proc must not know it.
NEVER = 5000032
chance = random.Random(11)


class Task:
    def __init__(self, tid, tgid, comm, leader, cgroup):
        self.tid, self.tgid, self.comm, self.leader, self.cgroup = tid, tgid, comm, leader, cgroup
        self.start = 1000 * MS + tid
        self.number = tid
        self.book = [0] * 4
        self.foreign = [0] * 3  # interrupts, softirqs, stolen
        self.switches = [0, 0]
        self.wakeups = self.total = self.count = self.longest = 0
        self.blame = {}
        self.rounds = {}
        self.gone = None        # the round at whose end it is among [exited]


def comm_hex(name):
    return name.encode().hex()


def make_tasks(more):
    tasks = [
        Task(101, 101, "nginx", "nginx", 1),
        Task(102, 101, "nginx:w1", "nginx", 1),
        Task(103, 101, "nginx:w2", "nginx", 1),
        Task(4194303, 4194303, "tar", "tar", 2),
        Task(205, 205, "gzip -9", "gzip -9", 2),
        Task(31, 31, "kworker/0:1", "kworker/0:1", 3),
        Task(NEVER, NEVER, "kswapd0", "kswapd0", 3),
        Task(666, 666, "ev\x1b[31mil\n\xe4", "ev\x1b[31mil\n\xe4", 3),
        Task(777, 777, "grün-世界", "grün-世界", 3),
        Task(888, 888, "short", "short", 2),
    ]
    for i in range(more):
        tasks.append(Task(10000 + i, 10000 + i // 8 * 8, f"load-{i:04}", f"load-{i // 8 * 8:04}",
                          1 + i % 3))
    return tasks


def live_one_round(task, tasks, number, interrupts):
    """What a task does; it is all told at the end of the round."""
    alive = ROUND
    if task.comm == "short" and number != 2:
        alive = 0 if number > 2 or number < 1 else ROUND // 2
    parts = sorted(chance.randrange(alive // MS + 1) for _ in range(3))
    oncpu, runqueue, sleep = (parts[0] * MS, (parts[1] - parts[0]) * MS, (parts[2] - parts[1]) * MS)
    disk = alive - oncpu - runqueue - sleep
    if task.comm == "kswapd0":      # sleeps, and never waited
        oncpu, runqueue, sleep, disk = 0, 0, alive, 0
    count = 0
    longest = 0
    blame = {}
    if runqueue:
        count = chance.randrange(1, 40)
        culprits = chance.sample([t for t in tasks if t is not task and t.comm != "short"], 3)
        rest = runqueue
        for culprit in culprits[:2]:
            share = rest * 2 // 3
            blame[culprit] = share
            rest -= share
        blame[None if number % 2 else culprits[2]] = rest
        blame = {c: ns for c, ns in blame.items() if ns}
        longest = max(runqueue // count, 1) + chance.randrange(MS // 2)
        longest = min(longest, runqueue)
    switches = [chance.randrange(400) if alive else 0, chance.randrange(40) if alive else 0]
    wakeups = chance.randrange(400) if alive else 0
    foreign = [oncpu // 7, oncpu // 11, oncpu // 50] if interrupts else [0] * 3
    did = {"book": [oncpu, runqueue, sleep, disk], "foreign": foreign, "count": count, "blame": blame,
           "switches": switches, "wakeups": wakeups, "longest": longest, "wall": alive}
    task.rounds[number] = did
    task.book = [a + b for a, b in zip(task.book, did["book"])]
    task.foreign = [a + b for a, b in zip(task.foreign, foreign)]
    task.switches = [a + b for a, b in zip(task.switches, switches)]
    task.wakeups += wakeups
    task.total += runqueue
    task.count += count
    task.longest = max(task.longest, longest)
    for culprit, ns in blame.items():
        total, pieces, most = task.blame.get(culprit, (0, 0, 0))
        task.blame[culprit] = (total + ns, pieces + 1, max(most, ns))


def records(tasks, number):
    """What the module tells after a round."""
    lines = ["meta\tversion\t0.1.0", "meta\tkernel\t6.1.0-test", "meta\thostname\tmachine",
             "meta\tmode\trunqueue", "meta\tunit\tns", "meta\tclock\tmono", "meta\tstate\tenabled",
             f"meta\tduration_ns\t{(number + 1) * ROUND}",
             f"meta\tstats.enabled_ns\t{(number + 1) * ROUND}",
             f"meta\tstats.context_switches\t{(number + 1) * 24862}",
             f"meta\tstats.overhead_ns\t{(number + 1) * 6 * MS}", "meta\tstats.lost_ns\t0"]
    for cgroup, path in CGROUPS.items():
        lines.append(f"cgroup\t{cgroup}\t{comm_hex(path)}")
    for task in tasks:
        if not any(task.book):
            continue
        who = f"{task.tid}\t{task.tgid}\t{task.start}"
        name, leader = comm_hex(task.comm)[:30], comm_hex(task.leader)[:30]
        if task.count:
            lines.append(f"thread\t{task.number}\t{who}\t{task.cgroup}\t{name}\t{leader}")
            lines.append(f"waits\t{task.number}\t0\t0\t0\t{task.total}\t{task.count}\t{task.longest}")
        lines.append("book\t" + who + "\t" + "\t".join(map(str, task.book + task.switches)) +
                     f"\t{task.wakeups}\t{name}\t" + "\t".join(map(str, task.foreign)))
        for culprit, (total, pieces, most) in task.blame.items():
            if culprit is None:
                by = f"1\t0\t0\t0\t0\t{comm_hex('[idle]')}\t"
            else:
                by = (f"0\t{culprit.tid}\t{culprit.tgid}\t{culprit.start}\t{culprit.cgroup}\t"
                      f"{comm_hex(culprit.comm)[:30]}\t{comm_hex(culprit.leader)[:30]}")
            lines.append(f"blamed\t{who}\t{task.cgroup}\t{name}\t{leader}\t{by}\t{total}\t{pieces}\t{most}")
    return lines


def fold(tasks, number):
    """Who has ended is among all that did; the row has what they had before."""
    gone = Task(0, 0, "[exited]", "[exited]", 0)
    gone.number, gone.start = 9999, 0
    left = []
    for task in tasks:
        if task.comm == "short" and number >= 3:
            gone.book = [a + b for a, b in zip(gone.book, task.book)]
            gone.foreign = [a + b for a, b in zip(gone.foreign, task.foreign)]
            gone.switches = [a + b for a, b in zip(gone.switches, task.switches)]
            gone.wakeups += task.wakeups
            gone.total += task.total
            gone.count += task.count
            gone.longest = max(gone.longest, task.longest)
            gone.blame = dict(task.blame)
        else:
            left.append(task)
    return left + ([gone] if any(gone.book) else [])


def shown(name, limit):
    """As it is printed for people: hexadecimal where that cannot be, and no word of ours."""
    raw = name.encode()[:15]
    text, i = "", 0
    while i < len(raw):
        for n in (1, 2, 3, 4):
            try:
                letter = raw[i:i + n].decode()
                break
            except UnicodeDecodeError:
                letter = None
        if letter and letter != "\\" and letter.isprintable():
            text += letter
            i += n
        else:
            text += f"\\x{raw[i]:02x}"
            i += 1
    return text.replace("[", "(")


def key_of(task, by):
    if by == "thread":
        return task.tid, shown(task.comm, 15)
    if by == "process":
        return task.tgid, shown(task.leader, 15)
    # Only waits tell.
    if task.tid == NEVER:
        return 0, "[unknown]"
    return 0, CGROUPS[task.cgroup]


def culprit_key(task, culprit, by):
    if culprit is None:
        return "[idle]", False
    number, name = key_of(culprit, by)
    return CGROUPS[culprit.cgroup] if by == "cgroup" else name, culprit.tgid == task.tgid, number


def wanted(tasks, number, by, interrupts):
    rows = {}
    for task in tasks:
        did = task.rounds[number]
        if not did["wall"]:
            continue
        row = rows.setdefault(key_of(task, by), {"threads": 0, "book": [0] * 4, "foreign": 0, "count": 0, "blame": {},
                                                 "switches": 0, "wakeups": 0, "longest": 0})
        row["threads"] += 1
        row["book"] = [a + b for a, b in zip(row["book"], did["book"])]
        row["foreign"] += sum(did["foreign"])
        row["count"] += did["count"]
        row["switches"] += sum(did["switches"])
        row["wakeups"] += did["wakeups"]
        so_far = max(task.rounds[n]["longest"] for n in range(number + 1))
        row["longest"] = max(row["longest"], so_far)
        for culprit, ns in did["blame"].items():
            key = culprit_key(task, culprit, by)
            row["blame"][key] = row["blame"].get(key, 0) + ns
    lines = []
    for (pid, name), row in rows.items():
        own = [row["book"][0] - row["foreign"]] + row["book"][1:]
        percents = [f"{100 * ns / ROUND:.4f}" for ns in own]
        irq = f"{100 * row['foreign'] / ROUND:.4f}" if interrupts else "-"
        mean = f"{row['book'][1] / row['count'] / 1000:.3f}" if row["count"] else "-"
        longest = f"{row['longest'] / 1000:.3f}" if row["longest"] else "-"
        culprit = share = "-"
        if row["blame"]:
            key, ns = max(row["blame"].items(), key=lambda item: item[1])
            culprit = "[self]" if key[1] else key[0]
            share = f"{100 * ns / row['book'][1]:.4f}"
        lines.append("\t".join([name, str(pid), str(row["threads"]), *percents, mean, longest,
                                f"{row['switches'] * 1e9 / ROUND:.4f}",
                                f"{row['wakeups'] * 1e9 / ROUND:.4f}", culprit, share, irq]))
    return lines


def stacks(mode, n):
    """What a session of that mode knows of task 102 when it is read for the N-th time."""
    text = {0x1000: "schedule+0x10/0x80", 0x2000: "do_epoll_wait+0x20/0x100",
            0x3000: "__x64_sys_epoll_wait+0x5/0x40", 0x4000: "io_schedule+0x10/0x20",
            0x5000: "folio_wait_bit_common+0x13d/0x350", 0x6000: "vfs_read+0x9b/0x1a0",
            0x7000: "try_to_wake_up+0x9/0x90", 0x8000: "sock_def_readable+0x38/0x70"}
    base = 0xffffffff81000000
    lines = records([], n)
    lines = [line.replace("\trunqueue", "\t" + mode) for line in lines]
    lines += [f"symbol\t{base + at}\t{name.encode().hex()}" for at, name in text.items()]
    frames = [[0x1000, 0x2000, 0x3000], [0x1000, 0x4000, 0x5000, 0x6000]]
    for number, addresses in enumerate(frames, 1):
        flags = 1 << 13 if number == 1 else 0
        lines.append(f"stack\t{number}\t{flags}\t\t" + ",".join(str(base + at) for at in addresses))
    for number, (waker, flags) in enumerate((("tar", 1 << 8), ("", 1 << 8 | 1 << 9)), 3):
        lines.append(f"stack\t{number}\t{flags}\t{waker.encode().hex()}\t{base + 0x7000},{base + 0x8000}")
    lines.append(f"thread\t1\t102\t101\t{1000 * MS + 102}\t1\t{b'nginx:w1'.hex()}\t{b'nginx'.hex()}")
    for stack, waker, ns, count in ((1, 3, 900 * MS, 9), (2, 3, 90 * MS, 3), (2, 4, 10 * MS, 7)):
        lines.append(f"waits\t1\t{stack}\t0\t{waker}\t{(n + 1) * ns}\t{(n + 1) * count}\t{ns // 2}")
    for row, count in enumerate((5, 12, 3)):
        lines.append(f"histogram\t{1 << row}\t{2 << row}\t{(n + 1) * count}")
    return lines


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    directory, more = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
    interrupts = sys.argv[3:] == ["interrupts"]
    tasks = make_tasks(more)
    os.makedirs(directory, exist_ok=True)
    for number in range(ROUNDS):
        for task in tasks:
            live_one_round(task, tasks, number, interrupts)
        write(f"{directory}/runqueue.{number + 1}", records(fold(tasks, number), number) +
              [f"meta\tconfig.interrupts\t{int(interrupts)}"])
        for by in ("thread", "process", "cgroup"):
            write(f"{directory}/wanted.{number + 1}.{by}", wanted(tasks, number, by, interrupts))
    for mode in ("offcpu", "blocked", "oncpu"):
        for number in range(2):
            write(f"{directory}/{mode}.{number + 1}", stacks(mode, number))


main()
