#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""books.py DIRECTORY LABELS: a machine whose tasks run, wait, sleep, end and are compacted.

For each round there is DIRECTORY/N with what tools/tests/make_books makes a recording of
("books"), and, in "wanted", a line for each sample that is to come of it: its value, a tab,
and its metric and labels as JSON. DIRECTORY/rounds has a line for each: what happened.

What is wanted follows from what was done to the tasks: each row has what was told of it
already, and takes that along when it is merged into another one. Nothing here compares
recordings, as the program must.
"""
import json
import os
import random
import sys
from fractions import Fraction

STATES = ("oncpu", "runqueue", "sleep", "disk")
TASK, IDLE, OTHER_CPU, EXITED = 0, 1, 3, 6
KINDS = {IDLE: "[idle]", OTHER_CPU: "[other cpu]", EXITED: "[exited]"}
FIGURES = {
    "lost_tasks": "lost_tasks_total", "lost_stacks": "lost_stacks_total",
    "lost_entries": "lost_entries_total", "lost_ns": "lost_seconds_total",
    "lost_events": "lost_events_total", "unbooked": "lost_switches_total",
    "lost_blame": "lost_blame_total", "lost_cgroups": "lost_cgroups_total",
    "lost_mappings": "lost_mappings_total", "probe_misses": "lost_probe_hits_total",
    "blind_ns": "lost_sight_seconds_total", "context_switches": "context_switches_total",
    "enabled_ns": "enabled_seconds_total", "overhead_ns": "overhead_seconds_total",
}
CGROUPS = {1: b"/system.slice/web.service", 2: b"/batch \"q\\s\"\n.slice", 3: b"/"}
chance = random.Random(7)


def text_of(name):
    """As a label: no control characters but newlines, and only UTF-8."""
    text = name.decode("utf-8", "replace")
    return "".join("\ufffd" if c < " " and c != "\n" or "\x7f" <= c < "\xa0" else c for c in text)


class Row:
    """What was spent, and what of it was told already."""

    def __init__(self, count):
        self.spent = [0] * count
        self.told = [0] * count

    def take(self, row):
        self.spent = [a + b for a, b in zip(self.spent, row.spent)]
        self.told = [a + b for a, b in zip(self.told, row.told)]

    def tell(self):
        new = [max(0, a - b) for a, b in zip(self.spent, self.told)]
        self.told = [a + b for a, b in zip(self.told, new)]
        return new


class Task:
    count = 100

    def __init__(self, comm, cgroup):
        Task.count += 1
        self.tid, self.start = Task.count, 1000000 + Task.count * 7
        self.comm, self.cgroup, self.gone = comm, cgroup, False
        self.books = Row(4)


class Counters:
    """By label; the greatest keep a counter of their own."""

    def __init__(self, most):
        self.most, self.own, self.other, self.others = most, {}, None, 0

    def tell(self, told):
        """told: label, what is new, and what makes it great, of each row."""
        gains = {}
        for label, new, rank in told:
            gain = gains.setdefault(label, [[0] * len(new), 0])
            gain[0] = [a + b for a, b in zip(gain[0], new)]
            gain[1] += rank
        great = sorted((label for label in gains if label not in self.own and gains[label][1]),
                       key=lambda label: (-gains[label][1], label))
        for label in great[:max(0, self.most - len(self.own))]:
            self.own[label] = [0] * len(gains[label][0])
        self.others = 0
        for label, (new, _) in gains.items():
            if label in self.own:
                self.own[label] = [a + b for a, b in zip(self.own[label], new)]
            else:
                self.others += 1
                self.other = [a + b for a, b in zip(self.other or [0] * len(new), new)]

    def rows(self):
        if not self.own and not self.other:
            return
        yield from self.own.items()
        some = self.other or [0] * len(next(iter(self.own.values())))
        yield ("other", "other"), some


class Machine:
    def __init__(self, most):
        self.most, self.begin = most, 5000000000
        self.tasks, self.version = [], "0.1.0"
        self.forget()
        self.restart()

    def forget(self):
        """As when the state is lost."""
        self.of_tasks, self.of_blame = Counters(self.most), Counters(self.most)
        self.totals = {}

    def restart(self):
        """Another recording, of the tasks that live."""
        self.begin += 1000000000
        self.tasks = [task for task in self.tasks if not task.gone]
        for task in self.tasks:
            task.books = Row(4)
        self.exited, self.blame = Row(4), {}
        self.figures = {name: 0 for name in FIGURES}
        self.waits, self.told_figures = {}, {}

    def task(self, comm, cgroup):
        self.tasks.append(Task(comm, cgroup))
        return self.tasks[-1]

    def run(self, some=None):
        """Everyone spends time, and who waits has somebody to blame."""
        living = [task for task in self.tasks if not task.gone]
        for task in some or living:
            spent = [chance.randrange(1, 10 ** 9) for _ in STATES]
            spent[1] = 0
            for culprit in chance.sample(living, 2) + [IDLE, OTHER_CPU]:
                part = chance.randrange(1, 10 ** 8)
                self.blame.setdefault((task, culprit), Row(1)).spent[0] += part
                self.wait(part)
                spent[1] += part
            task.books.spent = [a + b for a, b in zip(task.books.spent, spent)]
        for name in FIGURES:
            self.figures[name] += chance.randrange(1, 10 ** 6)
        self.figures["enabled_ns"] += 15 * 10 ** 9

    def wait(self, ns):
        row = (ns // 1000).bit_length()
        count, total = self.waits.get(row, (0, 0))
        self.waits[row] = (count + 1, total + ns)

    def end(self, comm):
        for task in self.tasks:
            if task.comm == comm:
                task.gone = True

    def compact(self):
        """All rows of tasks that are gone are merged, as the module does."""
        for task in self.tasks:
            if task.gone:
                self.exited.take(task.books)
        self.tasks = [task for task in self.tasks if not task.gone]
        merged = {}
        for (waiter, culprit), row in self.blame.items():
            key = (None if waiter is None or waiter.gone else waiter,
                   EXITED if isinstance(culprit, Task) and culprit.gone else culprit)
            merged.setdefault(key, Row(1)).take(row)
        self.blame = merged

    def books(self):
        def hexed(name):
            return name.hex()

        def cgroup_of(task):
            return task.cgroup if task else 0
        yield from (f"meta\t{name}\t{value}" for name, value in (
            ("version", self.version), ("kernel", "6.1.0-test"), ("session", "books"),
            ("mode", "runqueue"), ("hook", "kprobe"), ("clock", "mono"), ("unit", "ns"),
            ("addresses", "hidden"), ("state", "live"), ("begin_ns", self.begin)))
        yield from (f"meta\tstats.{name}\t{value}" for name, value in self.figures.items())
        yield from (f"cgroup\t{number}\t{hexed(path)}" for number, path in CGROUPS.items())
        for number, task in enumerate(self.tasks, 1):
            yield f"task\t{number}\t{task.tid}\t{task.start}\t{task.cgroup}\t{hexed(task.comm)}"
        yield f"entry\t1\t{sum(total for _, total in self.waits.values())}"
        for task in self.tasks:
            spent = "\t".join(map(str, task.books.spent))
            yield f"ledger\t{task.tid}\t{task.start}\t{spent}\t{hexed(task.comm)}"
        if any(self.exited.spent):
            yield "ledger\t0\t0\t" + "\t".join(map(str, self.exited.spent)) + "\t" + hexed(b"[exited]")
        for (waiter, culprit), row in self.blame.items():
            tid, start = (waiter.tid, waiter.start) if waiter else (0, 0)
            line = f"blame\t{tid}\t{start}\t{cgroup_of(waiter)}\t"
            if isinstance(culprit, Task):
                line += f"0\t{culprit.tid}\t{culprit.start}\t{culprit.cgroup}\t{row.spent[0]}\t{hexed(culprit.comm)}"
            else:
                line += f"{culprit}\t0\t0\t0\t{row.spent[0]}\t{hexed(KINDS[culprit].encode())}"
            yield line
        for row, (count, _) in sorted(self.waits.items()):
            yield f"histogram\t{1 << row - 1 if row else 0}\t{1 << row}\t{count}"

    def grown(self, name, now):
        """A figure of this recording, and of those before."""
        last = self.told_figures.get(name, 0)
        self.totals[name] = self.totals.get(name, 0) + now - last
        self.told_figures[name] = now
        return self.totals[name]

    def tell(self):
        def place(task):
            return text_of(CGROUPS[task.cgroup])

        def rank(spent):
            return spent[0] + spent[1] + spent[3]
        told = [((text_of(task.comm).replace("[", "("), place(task)), task.books.tell(), rank(task.books.spent))
                for task in self.tasks]
        if any(self.exited.spent):
            told.append((("[exited]", "[unknown]"), self.exited.tell(), rank(self.exited.spent)))
        self.of_tasks.tell(told)
        told = []
        for (waiter, culprit), row in self.blame.items():
            label = (place(waiter) if waiter else "[exited]",
                     place(culprit) if isinstance(culprit, Task) else KINDS[culprit])
            told.append((label, row.tell(), row.spent[0]))
        self.of_blame.tell(told)

    def wanted(self):
        def sample(value, name, **labels):
            return value, dict(labels, __name__="schedprof_" + name, session="books")
        second = Fraction(1, 10 ** 9)
        yield sample(1, "info", version=self.version, kernel="6.1.0-test", hook="kprobe",
                     mode="runqueue")
        for (comm, cgroup), values in self.of_tasks.rows():
            for state, value in zip(STATES, values):
                yield sample(value * second, "task_seconds_total", comm=comm, cgroup=cgroup, state=state)
        for (waiter, culprit), values in self.of_blame.rows():
            yield sample(values[0] * second, "blame_seconds_total", waiter=waiter, culprit=culprit)
        yield sample(self.of_tasks.others, "other_labels", of="task")
        yield sample(self.of_blame.others, "other_labels", of="blame")
        for name, metric in FIGURES.items():
            value = self.grown(name, self.figures[name])
            yield sample(value * second if name.endswith("_ns") else value, metric)
        for us in [4 << n for n in range(20)]:
            count = sum(count for row, (count, _) in self.waits.items() if 1 << row <= us)
            yield sample(self.grown(us, count), "runqueue_wait_seconds_bucket", le=us)
        count = sum(count for count, _ in self.waits.values())
        yield sample(self.grown("all", count), "runqueue_wait_seconds_bucket", le="+Inf")
        yield sample(self.totals["all"], "runqueue_wait_seconds_count")
        total = sum(total for _, total in self.waits.values())
        yield sample(self.grown("sum", total) * second, "runqueue_wait_seconds_sum")


def main():
    directory, most = sys.argv[1], int(sys.argv[2])
    machine = Machine(most)
    rounds = []

    def end_round(what):
        machine.tell()
        path = os.path.join(directory, str(len(rounds) + 1))
        os.makedirs(path)
        with open(os.path.join(path, "books"), "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in machine.books())
        with open(os.path.join(path, "wanted"), "w", encoding="ascii") as file:
            for value, labels in machine.wanted():
                if "le" in labels and labels["le"] != "+Inf":
                    labels["le"] = float(Fraction(labels["le"], 10 ** 6))
                file.write(f"{float(value)!r}\t{json.dumps(labels, sort_keys=True)}\n")
        rounds.append(what)

    for comm in (b"nginx", b"nginx", b"a\"b\\c\nd", b"bad\xff", b"other", b"\x1b[2J", b"bad\xfe"):
        machine.task(comm, 1 + len(machine.tasks) % 3)
    machine.run()
    end_round("begin")
    machine.run()
    end_round("goes on")
    machine.run()
    machine.end(b"bad\xff")
    machine.end(b"other")
    machine.compact()
    machine.run()
    end_round("compacted with what nobody saw")
    for number in range(5):
        machine.task(b"late%d" % number, 2)
    machine.run()
    machine.tasks[0].comm = b"exec"
    machine.run()
    end_round("more labels than there are rows")
    short = machine.task(b"short", 1)
    machine.run([short])
    machine.end(b"short")
    machine.end(b"late1")
    machine.compact()
    end_round("a task that nobody ever saw")
    fallen = chance.randrange(10 ** 6)
    machine.tasks[1].books.spent[2] -= fallen
    end_round("an open interval was no sleep")
    machine.tasks[1].books.spent[2] += fallen
    machine.run()
    end_round("and grows again")
    machine.restart()
    machine.run()
    end_round("another recording")
    machine.run()
    machine.end(b"late2")
    machine.compact()
    machine.run()
    end_round("goes on")
    machine.restart()
    machine.version = "0.2.0"
    machine.run()
    end_round("another module")
    with open(os.path.join(directory, "rounds"), "w", encoding="ascii") as file:
        file.writelines(what + "\n" for what in rounds)
    machine.forget()
    machine.restart()
    machine.run()
    end_round("the state is lost")


main()
