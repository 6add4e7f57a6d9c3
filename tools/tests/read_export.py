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
	perfetto	what `protoc --decode=Trace tests/exports/perfetto.proto` prints
	perfetto-events	the same, its slices: "LENGTH END THREAD;PID;CPU;NAME;DEPTH;IRQS_OFF;STACK"
	perfetto-notes	what else its slices say: "BEGIN 0 THREAD;NOTE=VALUE..."
	wanted-events	JSON of schedprof itself: the same
	functions	what callgrind_annotate prints: "TIME COUNT FUNCTION" instead
	wanted-functions, wanted-inclusive	FOLDED JSON: that of functions
"""
import ast
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


def read_messages(path):
    """Messages as protoc prints them: of each field, a list of what there is of it."""
    inner = [collections.defaultdict(list)]
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            field, _, value = line.strip().partition(" ")
            if field == "}":
                inner.pop()
                continue
            # What is not in the schema has a number instead.
            assert not field[0].isdigit(), "no such field: " + line
            if value == "{":
                value = collections.defaultdict(list)
                inner[-1][field].append(value)
                inner.append(value)
            elif value[0] == '"':
                inner[-1][field[:-1]].append(ast.literal_eval("b" + value))
            else:
                inner[-1][field[:-1]].append({"true": 1, "false": 0}.get(value) or int(value))
    assert len(inner) == 1
    return inner[0]


class Perfetto:
    """A trace, whose packets are read as Perfetto does: what has a number was told before."""

    tables = {"event_categories": "name", "event_names": "name",
              "debug_annotation_names": "name", "debug_annotation_string_values": "str",
              "function_names": "str", "build_ids": "str", "mapping_paths": "str",
              "source_paths": "str", "mappings": None, "frames": None, "callstacks": None,
              "stack_sample_async_context_descriptors": None}

    def __init__(self, path):
        packets = read_messages(path)["packet"]
        self.told = {table: {} for table in self.tables}
        self.tracks, self.processes, self.threads = {}, set(), {}
        self.open, self.time = collections.defaultdict(list), 0
        self.samples, self.slices, self.notes = [], [], []
        first = packets[0]
        assert first["sequence_flags"] == [1] and first["trace_packet_defaults"]
        for packet in packets:
            assert packet["trusted_packet_sequence_id"] == first["trusted_packet_sequence_id"]
            assert packet is first or packet["sequence_flags"] == [2]
            self.take(packet)
        assert not any(self.open.values()), "slices without an end"

    def take(self, packet):
        for interned in packet["interned_data"]:
            assert interned.keys() <= self.tables.keys()
            for table, told in ((table, told) for table in interned for told in interned[table]):
                iid, = told["iid"]
                assert iid > 0 and iid not in self.told[table]
                self.told[table][iid] = told[self.tables[table]][0] if self.tables[table] else told
        for track in packet["track_descriptor"]:
            self.take_track(track)
        for sample in packet["stack_sample"]:
            assert packet["timestamp"]
            self.take_sample(sample)
        for event in packet["track_event"]:
            # One after the other, so that no program has to sort them.
            assert packet["timestamp"][0] >= self.time
            self.time = packet["timestamp"][0]
            self.take_event(event)

    def text(self, table, iid):
        return name(self.told[table][iid].decode("utf-8"))

    def take_track(self, track):
        uuid, = track["uuid"]
        assert uuid not in self.tracks
        for process in track["process"]:
            self.processes.add(process["pid"][0])
        for thread in track["thread"]:
            key = thread["pid"][0], thread["tid"][0]
            assert key[0] in self.processes
            self.threads[key] = self.tracks[uuid] = (
                name(thread["thread_name"][0].decode("utf-8")), *key)
        for parent in track["parent_uuid"]:
            self.tracks[uuid] = self.tracks[parent]

    def stack(self, message):
        names = []
        for number in message["callstack_iid"]:
            for frame in self.told["callstacks"][number]["frame_ids"]:
                frame = self.told["frames"][frame]
                names.append(self.text("function_names", frame["function_name_id"][0]))
                assert len(frame["mapping_id"]) == len(frame["rel_pc"])
                for mapping in frame["mapping_id"]:
                    mapping = self.told["mappings"][mapping]
                    assert self.text("mapping_paths", mapping["path_string_ids"][0])
                    assert all(self.told["build_ids"][iid] for iid in mapping["build_id"])
        return names

    def take_sample(self, sample):
        task, = sample["task_context"]
        if task["tid"]:
            thread = self.threads[task["pid"][0], task["tid"][0]][0] + f"-{task['tid'][0]}"
        elif task["pid"]:
            assert task["pid"][0] in self.processes
            thread = str(task["pid"][0])
        else:
            context = self.told["stack_sample_async_context_descriptors"][task["async_id"][0]]
            thread = name(context["name"][0].decode("utf-8"))
        weight, = sample["primary_weight"]
        count, = sample["follower_weights"]
        stack = self.stack(sample)
        assert stack, "Perfetto does not show it"
        self.samples.append((weight, count, [thread] + (
            [] if stack == ["[no_stack]"] else stack)))

    def take_event(self, event):
        """On a track, what ends is what began last."""
        track, = event["track_uuid"]
        if event["type"] == [2]:
            assert event.keys() == {"type", "track_uuid"}
            begin, what = self.open[track].pop()
            self.slices.append((self.time - begin, self.time, what))
            return
        assert event["type"] == [1] and self.told["event_categories"][event["category_iids"][0]]
        comm, pid, tid = self.tracks[track]
        notes = {}
        for note in event["debug_annotations"]:
            key = self.text("debug_annotation_names", note["name_iid"][0])
            assert key not in notes
            notes[key] = (note["uint_value"] + note["bool_value"] + [
                self.text("debug_annotation_string_values", iid)
                for iid in note["string_value_iid"]])[0]
        what = [f"{notes.pop('comm', comm)}-{tid}", str(pid), str(notes.pop("cpu")),
                self.text("event_names", event["name_iid"][0]), str(len(self.open[track])),
                "irqs_off" if notes.pop("irqs_off", 0) else ""]
        if notes.pop("waiting_for_work", 0):
            what.append("[waiting_for_work]")
        what += self.stack(event)
        self.open[track].append((self.time, what))
        # JSON has nothing of these.
        if notes:
            self.notes.append((self.time, 0, [what[0]] + [
                f"{key}={value}" for key, value in sorted(notes.items())]))


def read_perfetto(path):
    yield from Perfetto(path).samples


def read_perfetto_events(path):
    yield from Perfetto(path).slices


def read_perfetto_notes(path):
    yield from Perfetto(path).notes


def read_wanted_events(path):
    with open(path, encoding="utf-8") as file:
        whole = json.load(file)
    mode = whole["meta"]["mode"]
    mode = {"offcpu": "off_cpu", "oncpu": "on_cpu"}.get(mode, mode)
    for event in whole["events"]:
        yield event["length_ns"], event["at_ns"], [
            name(event["comm"]) + "-" + str(event["tid"]), str(event["pid"]),
            str(event["cpu"]), name(event.get("function", mode)), str(event.get("depth", 0)),
            "irqs_off" if event["irqs_off"] else ""] + [
                name(frame) for frame in event["stack"].split(";") if frame]


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
    elif kind == "wanted-events":
        rows = read_wanted_events(*paths)
    elif kind.startswith("wanted-"):
        rows = sum_functions(read_wanted(*paths), kind == "wanted-inclusive")
    else:
        rows = {"pprof": read_pprof, "csv": read_csv, "speedscope": read_speedscope,
                "firefox": read_firefox, "otlp": read_otlp, "lines": read_lines,
                "perfetto": read_perfetto, "perfetto-events": read_perfetto_events,
                "perfetto-notes": read_perfetto_notes,
                "functions": read_functions}[kind](*paths)
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sorted(f"{time} {count} {';'.join(stack)}" for time, count, stack in rows):
        print(line)


main(*sys.argv[1:])
