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
	speedscope	speedscope's own JSON, as it was written or as it was exported again: then
			neighbours of the same stack are one row
	otlp		JSON that an OpenTelemetry Collector hands on
	lines		"TIME NAME"
	firefox		the JSON of the Firefox Profiler
	functions	what callgrind_annotate prints: "TIME COUNT FUNCTION" instead
	wanted-functions, wanted-inclusive	FOLDED JSON: that of functions
"""
import collections
import decimal
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
            # For DuckDB, "" is NULL.
            thread = name(row["comm"] or "")
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
    assert profile["unit"] in ("nanoseconds", "none")
    if profile["type"] == "evented":
        yield from read_speedscope_events(profile, frames)
        return
    assert profile["type"] == "sampled"
    assert len(profile["samples"]) == len(profile["weights"])
    assert profile["endValue"] - profile["startValue"] == sum(profile["weights"])
    for sample, weight in zip(profile["samples"], profile["weights"]):
        yield int(weight), 0, [frames[number] for number in sample]


def read_speedscope_events(profile, frames):
    """As speedscope exports: frames open and close, and time passes in between."""
    stack, before = [], profile["startValue"]
    for event in profile["events"]:
        if event["at"] > before:
            yield int(event["at"] - before), 0, [frames[number] for number in stack]
            before = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert stack.pop() == event["frame"]
    assert not stack and before == profile["endValue"]


def read_firefox(path):
    """Weights are ms, of which nothing may be lost to floating point."""
    with open(path, encoding="utf-8") as file:
        whole = json.load(file, parse_float=decimal.Decimal)
    assert whole["meta"]["preprocessedProfileVersion"] == 55
    for thread in whole["threads"]:
        strings, stacks = thread["stringArray"], thread["stackTable"]
        functions = thread["funcTable"]["name"]
        whose = name(thread["name"]) + ("-" + str(thread["tid"]) if thread["tid"] else "")
        samples = thread["samples"]
        assert samples["weightType"] == "tracing-ms"
        assert samples["time"] == sorted(samples["time"])
        for number, weight in zip(samples["stack"], samples["weight"]):
            stack = []
            while number is not None:
                function = thread["frameTable"]["func"][stacks["frame"][number]]
                stack.append(name(strings[functions[function]]))
                number = stacks["prefix"][number]
            if stack == ["[no_stack]"]:
                stack = []
            # The first and the last sample say what there is to be shown.
            elif not stack:
                assert weight == 0
                continue
            yield int(weight * 1000000), 0, [whose] + stack[::-1]


def read_otlp(path):
    """As JSON, in which 64 bits are text, and what is 0 is left out."""
    with open(path, encoding="utf-8") as file:
        whole = json.load(file)
    tables = whole["dictionary"]
    strings, attributes = tables["stringTable"], tables["attributeTable"]
    functions, locations = tables["functionTable"], tables["locationTable"]
    assert all(table[0] in ("", {}, {"value": {}}) for table in tables.values())
    rows = {}
    for resource in whole["resourceProfiles"]:
        for profile in (profile for scope in resource["scopeProfiles"]
                        for profile in scope["profiles"]):
            kind = strings[profile["sampleType"]["typeStrindex"]]
            if kind.startswith("task_"):
                continue
            kind = 0 if kind in ("intervals", "calls") else 1
            for position, sample in enumerate(profile["samples"]):
                labels = {strings[attributes[index]["keyStrindex"]]: attributes[index]["value"]
                          for index in sample.get("attributeIndices", [])}
                thread = name(labels.get("thread.name", {}).get("stringValue", ""))
                if "thread.id" in labels:
                    thread += "-" + labels["thread.id"]["intValue"]
                stack = [name(strings[functions[line["functionIndex"]]["nameStrindex"]])
                         for index in tables["stackTable"][sample["stackIndex"]]["locationIndices"]
                         for line in locations[index]["lines"]][::-1]
                key = id(resource), position, ";".join([thread] + [] if stack == [thread]
                                                       else [thread] + stack)
                rows.setdefault(key, [0, 0])[kind] = int(sample["values"][0])
    for (_, _, stack), (count, time) in rows.items():
        yield time, count, [stack]


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            time, text = line.rstrip("\n").split(" ", 1)
            yield int(time), 0, [name(text)]


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
                "firefox": read_firefox, "otlp": read_otlp, "lines": read_lines,
                "functions": read_functions}[kind](*paths)
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sorted(f"{time} {count} {';'.join(stack)}" for time, count, stack in rows):
        print(line)


main(*sys.argv[1:])
