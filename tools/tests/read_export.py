#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What is in a file of another program's format, as that program tells it:

	read_export.py FORMAT FILE		a line for each row: "TIME COUNT STACK"
	read_export.py wanted FOLDED JSON	the same, from what schedprof itself prints

Lines are sorted. STACK is as in folded stacks, with _ for whatever cannot be in all of
the formats. FORMAT is

	pprof		what `go tool pprof -symbolize=none -raw` prints
	csv		JSON of sqlite3 or DuckDB, which imported the file
	speedscope	speedscope's own JSON, as it was written or as it was exported again
	functions	what callgrind_annotate prints: "TIME COUNT FUNCTION" instead
	wanted-functions, wanted-inclusive	FOLDED JSON: that of functions
"""
import collections
import json
import re
import sys


def name(text):
    """A name as all formats can have it: what is no UTF-8, no blank and no separator."""
    text = re.sub(r"\\x[0-9a-f]{2}", "_", text)
    return re.sub("[\x00- ;\x7f\ufffd]", "_", text)


def read_pprof(path):
    """Samples refer to locations, which come behind them; labels follow a sample."""
    samples, locations, section, types = [], {}, None, 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line in ("Samples:", "Locations", "Mappings"):
                section = line
            elif section == "Samples:" and not types:
                types = len(line.split())
            elif section == "Samples:" and re.match(r" +\d+( +\d+)*: [\d ]*$", line):
                values, ids = line.split(":")
                samples.append((values.split(), ids.split(), {}))
            elif section == "Samples:":
                for key, value in re.findall(r"(\w+):\[(.*?)\](?= \w+:\[|\s*$)", line):
                    samples[-1][2][key] = value
            elif section == "Locations":
                number, text = re.match(
                    r" +(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*) \S*:\d+ s=0", line).groups()
                locations[number] = name(text)
    for values, ids, labels in samples:
        # The books of a task are a sample that has none of the time.
        if values[:2] == ["0", "0"] and any(value != "0" for value in values[2:]):
            continue
        stack = [locations[number] for number in reversed(ids)]
        thread = name(labels.get("thread", ""))
        if "tid" in labels:
            thread += "-" + labels["tid"]
        if stack == [thread]:
            stack = []
        yield int(values[1]), int(values[0]), [thread] + stack


def read_csv(path):
    with open(path, encoding="utf-8") as file:
        for row in json.load(file):
            thread = name(row["comm"])
            if int(row["tid"]):
                thread += "-" + str(row["tid"])
            time = row["total_ns"] if "total_ns" in row else row["total_cycles"]
            stack = row["stack"] or ""
            yield int(time), int(row["count"]), [thread] + [
                name(frame) for frame in stack.split(";") if frame]


def read_speedscope(path):
    with open(path, encoding="utf-8") as file:
        whole = json.load(file)
    frames = [name(frame["name"]) for frame in whole["shared"]["frames"]]
    profile = whole["profiles"][0]
    assert profile["type"] == "sampled" and profile["unit"] in ("nanoseconds", "none")
    assert len(profile["samples"]) == len(profile["weights"])
    assert profile["endValue"] - profile["startValue"] == sum(profile["weights"])
    for sample, weight in zip(profile["samples"], profile["weights"]):
        yield int(weight), 0, [frames[number] for number in sample]


def read_functions(path):
    """A file:function and its object, behind the figures and their shares."""
    figure = r"([\d,]+|\.) *(?:\([ \d.]+%\))? +"
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(" *" + figure + figure + r" *\S*\?\?\?:(.*?)(?: \[.*)?$", line)
            if match:
                time, count = (int(text.replace(",", "").replace(".", "0"))
                               for text in match.groups()[:2])
                yield time, count, [name(match.group(3))]


def read_wanted(folded, report):
    with open(report, encoding="utf-8") as file:
        whole = json.load(file)
    with open(folded, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    unit = whole["unit"]
    assert len(lines) == len(whole["entries"])
    for line, entry in zip(lines, whole["entries"]):
        stack, value = line.rsplit(" ", 1)
        time = entry["total_" + unit]
        assert int(value) == (time if unit == "cycles" else time // 1000)
        yield time, entry["count"], [name(frame) for frame in stack.split(";")]


def sum_functions(rows, inclusive):
    """The function that is in a stack for the second time is f'2, as callgrind has it."""
    sums = collections.defaultdict(lambda: [0, 0])
    for time, count, stack in rows:
        seen, names = collections.Counter(), []
        for frame in stack:
            seen[frame] += 1
            names.append(frame if seen[frame] == 1 else f"{frame}'{seen[frame]}")
        for frame in names if inclusive else names[-1:]:
            sums[frame][0] += time
            sums[frame][1] += count
    return [(time, count, [frame]) for frame, (time, count) in sums.items()]


def main(kind, *paths):
    if kind == "wanted":
        rows = read_wanted(*paths)
    elif kind.startswith("wanted-"):
        rows = sum_functions(read_wanted(*paths), kind == "wanted-inclusive")
    else:
        rows = {"pprof": read_pprof, "csv": read_csv, "speedscope": read_speedscope,
                "functions": read_functions}[kind](*paths)
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sorted(f"{time} {count} {';'.join(stack)}" for time, count, stack in rows):
        print(line)


main(*sys.argv[1:])
