#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What schedprof top shows, read from a captured screen or from what --batch prints.

read_top.py table WANTED FILE [NUMBER]	is the NUMBER-th table what tools/tests/top_books.py wants
read_top.py json WANTED FILE [NUMBER]	the same of the NUMBER-th line of --json, but exactly
read_top.py sorted COLUMN FILE		is that column in order, the greatest first
read_top.py part WANTED FILE ROWS	has it so many rows of that, of which what is there is right
read_top.py colors FILE			are colours (capture-pane -e) such as anybody can tell apart
"""
import json
import re
import sys
import unicodedata

UNITS = {"us": 1, "ms": 1000, "s": 1000000}
TIMES = ("on%", "irq%", "runq%", "sleep%", "disk%")
FIGURES = TIMES + ("sw/s", "wake/s", "mean", "max")
# Of a line that top_books.py wants.
WANTED = ("NAME", "PID", "tasks", "on%", "runq%", "sleep%", "disk%", "mean", "max", "sw/s", "wake/s",
          "culprit", "share", "irq%")


def cells(line):
    """One element for each column of the screen; a wide letter takes two."""
    out = []
    for letter in line:
        out.append(letter)
        if unicodedata.east_asian_width(letter) in "WF":
            out.append("")
    return out


def tables(path, wide):
    """Rows of each table, as {heading: text}. In a file of --batch a wide letter may be one wide."""
    found = []
    head = None
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for line in lines:
        words = line.split()
        if len(words) > 4 and words[0] in ("PID", "tasks", "NAME") and "on%" in words:
            head = [(word, line.index(word), line.index(word) + len(word)) for word in words]
            found.append([])
        elif not line.strip() or line.startswith(("---", "#", "[")):
            head = None
        elif head:
            letters = cells(line) if wide else list(line)
            row, end = {}, 0
            for i, (word, begin, until) in enumerate(head):
                if word == "NAME":
                    until = head[i + 1][1]
                    # Numbers stand right: nothing of them is before their heading or a blank.
                    while until > begin and until - 1 < len(letters) and letters[until - 1].isdigit():
                        until -= 1
                if word == "blame":
                    until = len(letters)
                row[word] = "".join(letters[end:until]).strip()
                end = until
            found[-1].append(row)
    return found


def value_of(text):
    """A time in us, or a number; and how exact it is."""
    match = re.fullmatch(r"(\d+(?:\.(\d+))?)(us|ms|s)?\*?", text)
    if not match:
        raise ValueError(f"'{text}' is no number")
    unit = UNITS[match[3]] if match[3] else 1
    return float(match[1]) * unit, unit * (0.1 if match[2] else 1)


def near(what, wanted, got, problems):
    if wanted == "-" or got == "-":
        if wanted != got:
            problems.append(f"{what}: wanted {wanted}, got {got}")
        return
    number, step = value_of(got)
    if abs(number - float(wanted)) > step * 0.51:
        problems.append(f"{what}: wanted {wanted}, got {got}")


def same_name(wanted, got):
    if "+" in got:
        before, _, after = got.partition("+")
        return wanted.startswith(before) and wanted.endswith(after)
    return wanted == got


def times_of(fields):
    """What the wanted ones add up to."""
    return [float(fields[WANTED.index(column)]) for column in TIMES
            if fields[WANTED.index(column)] != "-"]


def compare(wanted, rows, part=False):
    """Return: what is wrong. A part has not all rows, nor all columns."""
    problems = []
    if part:
        wanted = [line for line in wanted if line.split("\t")[1] in [row["PID"] for row in rows]]
    if len(wanted) != len(rows):
        problems.append(f"{len(wanted)} rows are wanted, and there are {len(rows)}")
    for line in wanted:
        want = dict(zip(WANTED, line.split("\t")))
        mine = [row for row in rows if same_name(want["NAME"], row["NAME"]) and
                ("PID" not in row or row["PID"] == want["PID"])]
        if len(mine) != 1:
            problems.append(f"{want['NAME']} has {len(mine)} rows")
            continue
        row = mine[0]
        for column in FIGURES:
            if column in row:
                near(f"{want['NAME']} {column}", want[column], row[column], problems)
        if "PID" not in row and row["tasks"] != want["tasks"]:
            problems.append(f"{want['NAME']}: {row['tasks']} threads")
        if "blame" not in row:
            continue
        culprit, _, share = row["blame"].rpartition(" ")
        if not culprit:
            culprit, share = share or "-", "-"
        if want["culprit"] == "-":
            if row["blame"]:
                problems.append(f"{want['NAME']} blames {row['blame']}")
            continue
        near(f"{want['NAME']} share of blame", want["share"], share.rstrip("%"), problems)
        if not same_name(want["culprit"], culprit):
            problems.append(f"{want['NAME']} blames {culprit}, wanted {want['culprit']}")
    for row in [] if part else rows:
        whole = sum(value_of(row[column])[0] for column in TIMES if column in row)
        wanted_whole = [sum(times_of(line.split("\t"))) for line in wanted
                        if same_name(line.split("\t")[0], row["NAME"])]
        if not any(abs(whole - all_of_it) <= 0.26 for all_of_it in wanted_whole):
            problems.append(f"{row['NAME']}: its times add up to {whole:.1f}%")
    return problems


def table(wanted_path, path, number=1):
    with open(wanted_path, encoding="utf-8") as file:
        wanted = file.read().splitlines()
    problems = None
    for wide in (True, False):
        found = tables(path, wide)
        if len(found) < number:
            return [f"there are {len(found)} tables"]
        try:
            problems = compare(wanted, found[number - 1])
        except ValueError as error:
            problems = [str(error)]
        if not problems:
            return []
    return problems


def exact(wanted_path, path, number=1):
    """Each figure of a line of JSON, with as many digits as are wanted."""
    with open(path, encoding="utf-8") as file:
        look = json.loads(file.read().splitlines()[number - 1])
    with open(wanted_path, encoding="utf-8") as file:
        wanted = [dict(zip(WANTED, line.split("\t"))) for line in file.read().splitlines()]
    wall = look["wall_ns"]
    problems = [] if len(wanted) == len(look["rows"]) == look["row_count"] else ["not so many rows"]
    members = {"on%": "oncpu_ns", "irq%": "irq_ns", "runq%": "runqueue_ns", "sleep%": "sleep_ns",
               "disk%": "disk_ns"}
    for want in wanted:
        # What others chose is not written as it is on a screen.
        mine = [row for row in look["rows"] if "\\x" in want["NAME"] or row["name"] == want["NAME"]]
        mine = [row for row in mine if want["PID"] == str(row.get("tid", row.get("pid", 0)))]
        if len(mine) != 1:
            problems.append(f"{want['NAME']} has {len(mine)} rows")
            continue
        row = mine[0]
        got = {column: f"{100 * row[name] / wall:.4f}" if name in row else "-" for column, name in members.items()}
        got["sw/s"] = f"{row['switches'] * 1e9 / wall:.4f}"
        got["wake/s"] = f"{row['wakeups'] * 1e9 / wall:.4f}"
        got["mean"] = f"{row['waited_ns'] / row['waits'] / 1000:.3f}" if row["waits"] else "-"
        got["max"] = f"{row['longest_ns'] / 1000:.3f}" if row["longest_ns"] else "-"
        got["tasks"] = str(row["threads"])
        got["culprit"] = got["share"] = "-"
        if row["blame"]:
            most = row["blame"][0]
            got["culprit"] = "[self]" if most["self"] else most["culprit"]
            got["share"] = f"{100 * most['total_ns'] / row['runqueue_ns']:.4f}"
        if sum(part["total_ns"] for part in row["blame"]) != row["runqueue_ns"]:
            problems.append(f"{want['NAME']}: blame is not what it waited")
        problems += [f"{want['NAME']} {column}: wanted {want[column]}, got {value}"
                     for column, value in got.items()
                     if value != want[column] and "\\x" not in want[column]]
    return problems


def is_sorted(column, path):
    rows = tables(path, True)[0]
    values = [value_of(row[column])[0] if row[column] != "-" else 0 for row in rows]
    return [] if len(values) > 3 and values == sorted(values, reverse=True) else [f"{column}: {values}"]


def part_of(wanted_path, path, count):
    rows = (tables(path, True) or [[]])[0]
    if len(rows) != count:
        return [f"{count} rows are wanted, and there are {len(rows)}"]
    with open(wanted_path, encoding="utf-8") as file:
        wanted = file.read().splitlines()
    try:
        return compare(wanted, rows, True)
    except ValueError as error:
        return [str(error)]


# How the colour-blind see, by G. M. Machado and others, 2009: no red, no green, no blue.
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                 (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                (0.004733, 0.691367, 0.303900)),
}


def linear(number):
    """One of 256 colours of a terminal, in linear red, green and blue."""
    if number >= 232:
        rgb = (8 + 10 * (number - 232),) * 3
    else:
        steps = (0, 95, 135, 175, 215, 255)
        number -= 16
        rgb = (steps[number // 36], steps[number // 6 % 6], steps[number % 6])
    return [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]


def luminance(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def lab(rgb):
    x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505
    z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, luminance(rgb), z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def colors(path):
    with open(path, encoding="utf-8") as file:
        used = sorted({int(n) for n in re.findall(r"\x1b\[[0-9;]*38;5;(\d+)", file.read())})
    problems = [] if len(used) >= 4 else [f"these colours only: {used}"]
    for number in used:
        light = luminance(linear(number))
        if min(1.05 / (light + 0.05), (light + 0.05) / 0.05) < 3:
            problems.append(f"{number} is hard to read on black or on white")
    for sight, matrix in SIGHTS.items():
        seen = {n: lab([min(1, max(0, sum(a * b for a, b in zip(row, linear(n))))) for row in matrix])
                for n in used}
        for n in used:
            for m in used:
                if n < m and sum((a - b) ** 2 for a, b in zip(seen[n], seen[m])) ** 0.5 < 20:
                    problems.append(f"{n} and {m} look alike to who has {sight}")
    return problems


def main():
    what, *words = sys.argv[1:]
    if what == "table":
        problems = table(words[0], words[1], int(words[2]) if len(words) > 2 else 1)
    elif what == "json":
        problems = exact(words[0], words[1], int(words[2]) if len(words) > 2 else 1)
    elif what == "sorted":
        problems = is_sorted(*words)
    elif what == "part":
        problems = part_of(words[0], words[1], int(words[2]))
    else:
        problems = colors(words[0])
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


main()
