#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads files profile.N.0.T as the tools of TAU do, and checks what must hold
for any of them: read_tau.py FILE... prints a line for each timer: the file's
number, its name in quotes, calls, subrs, exclusive and inclusive time in us."""

import re
import sys
import xml.etree.ElementTree

TIMER = re.compile(r'^"([^"]*)" (\d+) (\d+) ([\d.]+) ([\d.]+) 0 GROUP="([^"]+)"$')


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    count = re.fullmatch(r"(\d+) templated_functions_MULTI_(\w+)", lines[0])
    head, metadata = lines[1].split(" # ", 1)
    assert head == "# Name Calls Subrs Excl Incl ProfileCalls", head
    facts = {a.findtext("name"): a.findtext("value")
             for a in xml.etree.ElementTree.fromstring(metadata)}
    assert facts["Metric Name"] == count[2], facts
    n = int(count[1])
    timers = [TIMER.fullmatch(line) for line in lines[2:2 + n]]
    assert all(timers), lines[2:2 + n]
    assert lines[2 + n:] == ["0 aggregates", "0 userevents", ""], lines[2 + n:]
    return facts, timers


def check(path):
    facts, timers = read(path)
    flat = [t for t in timers if " => " not in t[1]]
    whole = [t for t in flat if t[1] == ".TAU application"]
    assert len(whole) == 1 and whole[0][2] == "1", path
    assert len({t[1] for t in timers}) == len(timers), path
    # All of the time is some timer's own, once in the flat part.
    own = sum(float(t[4]) for t in flat)
    assert abs(own - float(whole[0][5])) < 0.01, (path, own, whole[0][5])
    for timer in timers:
        path_group = " => " in timer[1]
        assert ("TAU_CALLPATH" in timer[6]) == path_group, timer[0]
    number = path.rsplit("profile.", 1)[1]
    for timer in sorted(timers, key=lambda t: t[1]):
        print(number, '"%s"' % timer[1], *timer.group(2, 3),
              *(float(x) for x in timer.group(4, 5)))
    print(number, "comm", facts["comm"])


for name in sys.argv[1:]:
    check(name)
