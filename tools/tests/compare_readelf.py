#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""compare_readelf.py FILE TABLE [FUNCTION...]: is an unwind table what readelf makes of the file?

TABLE is what dump_unwind printed. Each row of each function, as `readelf
--debug-dump=frames-interp` has it, is looked up in the table, at its first and at its last
byte; and the table must not have rules where readelf has no function. What readelf only
calls an expression must be one of the two kinds that are made of some, or none. Functions that
are named must have none.
"""
import bisect
import re
import subprocess
import sys

path, table_path, *without = sys.argv[1:]


def readelf(*options):
    # It fails where it only warns of something else in the file.
    return subprocess.run(['readelf', '-W', *options, path], check=False, text=True,
                          capture_output=True).stdout


code = []
for line in readelf('-l').splitlines():
    m = re.match(r'\s+LOAD\s+(0x\S+) (0x\S+) 0x\S+ (0x\S+) 0x\S+ (...)', line)
    if m and 'E' in m[4]:
        offset, address, size = (int(m[i], 16) for i in (1, 2, 3))
        code.append((address, address + size, offset - address))


def file_offset(address):
    for begin, end, bias in code:
        if begin <= address < end:
            return address + bias
    return None


none_of = set()
for line in readelf('-s').splitlines() if without else []:
    # Number, address, size, type, binding, visibility, section, name.
    fields = line.split()
    if len(fields) == 8 and fields[3] == 'FUNC' and fields[7] in without:
        none_of.add(int(fields[1], 16))
        without.remove(fields[7])
if without:
    sys.exit('the file has no ' + ' '.join(without))

rows = []
with open(table_path) as table:
    head = table.readline().split()
    for line in table:
        at, kind, cfa, saved = line.split()
        rows.append((int(at, 16), (kind, int(cfa), int(saved))))
if int(head[1]) != len(rows):
    sys.exit('the table has another number of rows than it says')
starts = [row[0] for row in rows]
if starts != sorted(set(starts)):
    sys.exit('the rows are not in order')


def look_up(offset):
    i = bisect.bisect_right(starts, offset)
    return rows[i - 1][1] if i else ('none', 0, 0)


def words(text):
    number = int(text)
    return number // 8 if number % 8 == 0 else None


def expected(cfa, rbp, ra):
    """The rule; or a list of kinds, where readelf does not tell more."""
    none = ('none', 0, 0)
    if ra == 'u':
        return ('outermost', 0, 0)
    if cfa == 'exp':
        return ['plt', 'signal', 'none']
    if ra != 'c-8':
        return none
    saved = 0
    if rbp.startswith('c-'):
        # The first word is the return address.
        saved = words(rbp[2:]) if rbp != 'c-8' else None
    elif rbp not in ('', 'u', 's'):
        saved = None
    m = re.fullmatch(r'(r[sb]p)\+(\d+)', cfa)
    count = words(m[2]) if m else None
    # More has no room in a row.
    if not count or count > 65535 or saved is None:
        return none
    return ('sp' if m[1] == 'rsp' else 'fp', count, saved)


compared, functions, wrong = 0, [], 0


def compare(begin, end, rule):
    global compared, wrong
    for address in {begin, end - 1}:
        offset = file_offset(address)
        if offset is None:
            continue
        got = look_up(offset)
        compared += 1
        if got != rule if isinstance(rule, tuple) else got[0] not in rule:
            wrong += 1
            if wrong <= 10:
                print(f'{address:#x}: the table has {got}, readelf {rule}')


columns, pending, end = [], None, 0
common = {}


def finish():
    global pending
    if pending and pending[0] < end:
        compare(pending[0], end, pending[1])
    pending = None


cie = False
for line in readelf('--debug-dump=frames-interp').splitlines():
    m = re.match(r'([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) (CIE|FDE|ZERO)(?: .*pc=([0-9a-f]+)\.\.([0-9a-f]+))?',
                 line)
    if m:
        finish()
        cie = m[3] != 'FDE'
        if not cie:
            begin, end = int(m[4], 16), int(m[5], 16)
            if begin < end:
                functions.append((begin, end))
        columns = []
        continue
    if line.split()[:2] == ['LOC', 'CFA']:
        columns = line.split()
        continue
    # A register in another one is two words.
    fields = re.sub(r'(\w+) \((\w+)\)', r'\1:\2', line).split()
    if cie or not columns or not fields or not re.fullmatch(r'[0-9a-f]{16}', fields[0]):
        continue
    row = dict(zip(columns, fields))
    at = int(row['LOC'], 16)
    if pending and pending[0] < at:
        compare(pending[0], at, pending[1])
    rule = expected(row['CFA'], row.get('rbp', ''), row.get('ra', ''))
    pending = (at, rule if begin not in none_of else ('none', 0, 0))
finish()

# Where there is no function, there is no rule.
functions.sort()
covered = 0
for begin, end in functions:
    if covered and begin > covered:
        compare(covered, begin, ('none', 0, 0))
    covered = max(covered, end)
print(f'{len(functions)} functions, {compared} places, {wrong} wrong')
sys.exit(1 if wrong or compared < 2 * len(functions) or not functions else 0)
