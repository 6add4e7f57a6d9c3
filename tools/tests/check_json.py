#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
#
# check_json.py SCHEMA FILE...: is each file what the schema says, and is what differs from
# it refused? In copies of all files, each member of each object is left out, one is added,
# and values get another type. What may be left out is listed here, so that the schema
# cannot forget it.
import copy
import json
import sys

import jsonschema

# Members that may be left out, by the path of their object, without the numbers of
# elements. "*": all of them, because a recording has those that it has.
OPTIONAL = {
    "report": {
        "": {"run"},
        "run": {"status"},
        "meta": "*",
        "config": "*",
        "stats": "*",
        "entries": {"inclusive", "lost_stack", "kernel", "user", "waker", "because_of"},
        "frame": {"missing"},
        "waker": {"user"},
        "task": {"cgroup"},
        "tasks": {"irq", "softirq", "stolen"},
        "blame": {"culprit_tid", "culprit_pid", "cgroup", "culprit_cgroup"},
    },
    "diff": {
        "rows": {"tid", "pid"},
        "figures": {"inclusive"},
    },
    "top": {
        "rows": {"tid", "pid", "irq"},
        "blame": {"culprit_tid", "culprit_pid"},
    },
    "unwind": {
        "files": {"build_id", "error"},
    },
    "sessions": {
        "sessions": {"owner", "config"},
        "config": "*",
    },
    "files": {
        "files": {"bytes", "snapshots"},
    },
    "metrics": {
        "labels": {"comm", "cgroup", "state", "waiter", "culprit", "le", "of", "version", "kernel",
                   "hook", "mode"},
    },
}
# Of several objects the same.
ALIASES = {"frames": "frame", "before": "figures", "after": "figures"}
# A frame has these together, or none of each line.
TOGETHER = [{"function", "offset_bytes", "module"},
            {"path", "file_offset_bytes", "build_id"},
            {"source", "line"}, {"function", "depth"}]
# What may be left out where the rest of it stays.
LAST = {"module", "build_id"}


def objects(value, path=()):
    """Each object, with its path."""
    if isinstance(value, dict):
        yield path, value
        for name, member in value.items():
            yield from objects(member, path + (name,))
    elif isinstance(value, list):
        for number, element in enumerate(value):
            yield from objects(element, path + (number,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def kind_of(path):
    names = [step for step in path if isinstance(step, str)]
    name = names[-1] if names else ""
    return ALIASES.get(name, name)


def is_optional(optional, path, name):
    names = optional.get(kind_of(path), set())
    plain = name.rsplit("_", 1)[0] if name.endswith(("_ns", "_cycles")) else name
    return names == "*" or name in names or plain in names or kind_of(path) == "frame" and name in LAST


def other_type(value):
    return 1 if isinstance(value, (str, list, dict)) else "text"


class Checker:
    def __init__(self, path):
        with open(path) as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)
        self.optional = OPTIONAL[path.rsplit("/", 1)[-1][:-len(".json")]]
        self.refused = 0

    def wants(self, document, good, what):
        if self.validator.is_valid(document) != good:
            sys.exit(f"{what}: {'refused' if good else 'not refused'}")
        self.refused += not good

    def mutate(self, file, document):
        seen = set()
        for path, original in objects(document):
            # Objects that look the same are the same to the schema.
            key = (kind_of(path), len(path), tuple(sorted(original)))
            if key in seen:
                continue
            seen.add(key)
            where = f"{file}: {'.'.join(map(str, path)) or 'the whole'}"
            changed = copy.deepcopy(document)
            at(changed, path)["unknown"] = 1
            self.wants(changed, False, f"{where} with an unknown member")
            for name, value in original.items():
                changed = copy.deepcopy(document)
                del at(changed, path)[name]
                self.wants(changed, is_optional(self.optional, path, name),
                           f"{where} without {name}")
                changed = copy.deepcopy(document)
                at(changed, path)[name] = other_type(value)
                self.wants(changed, False, f"{where} with {name} of another type")
            for name in original:
                if not name.endswith("_ns") or kind_of(path) in ("meta", "stats", "task", "run", "sessions"):
                    continue
                changed = copy.deepcopy(document)
                members = at(changed, path)
                members[name[:-2] + "cycles"] = members.pop(name)
                self.wants(changed, False, f"{where} with {name} in cycles")

    def check(self, file):
        with open(file) as text:
            document = json.load(text)
        for error in self.validator.iter_errors(document):
            sys.exit(f"{file}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
        self.mutate(file, document)


def main():
    checker = Checker(sys.argv[1])
    for file in sys.argv[2:]:
        checker.check(file)
    print(f"{len(sys.argv) - 2} files, {checker.refused} changes refused")


main()
