"""Reads PROJ's database and prints GDAL's WKT 1 of each current projected or geographic 2D EPSG system, as JSON.

Shared base systems, and the words of texts that only differ in numbers, are stored once. The reassembled
text is compared with PROJ's.
"""

import json
import re
import sqlite3
import sys
import warnings
from os.path import join

from pyproj import CRS
from pyproj.datadir import get_data_dir

warnings.simplefilter("ignore")
# Separates parameter values from the words.
PARAMETER = re.compile(r'(PARAMETER\["[^"]*",)([-+0-9.eE]+)\]')


def end_of(text, start):
    """Offset after the bracket that closes the first one after `start`."""
    depth = 0
    quoted = False
    for at in range(start, len(text)):
        if text[at] == '"':
            quoted = not quoted
        elif not quoted and text[at] == "[":
            depth += 1
        elif not quoted and text[at] == "]":
            depth -= 1
            if depth == 0:
                return at + 1
    raise ValueError(text)


def index_in(known, text):
    return known.setdefault(text, len(known))


def taken_apart(code, name, wkt, bases, shapes):
    start = wkt.index("GEOGCS[")
    end = end_of(wkt, start)
    base = index_in(bases, wkt[start:end])
    if start == 0:
        return f"{code}|{base}"
    said = re.match(r'PROJCS\["([^"]*)"', wkt).group(1)
    words = 'PROJCS["{name}"' + wkt[:start][len(f'PROJCS["{said}"') :] + "{base}" + wkt[end:]
    words = words.replace(f'AUTHORITY["EPSG","{code}"]', 'AUTHORITY["EPSG","{code}"]')
    numbers = [value for _, value in PARAMETER.findall(words)]
    shape = index_in(shapes, PARAMETER.sub(r"\1#]", words))
    return "|".join([str(code), str(base), str(shape), "" if said == name else said, *numbers])


def put_together(row, name, bases, shapes):
    code, base, *rest = row.split("|")
    if not rest:
        return bases[int(base)]
    shape, said, *numbers = rest
    values = iter(numbers)
    words = re.sub(r"#", lambda _: next(values), shapes[int(shape)])
    return words.replace("{name}", said or name).replace("{code}", code).replace("{base}", bases[int(base)])


database = sqlite3.connect(join(get_data_dir(), "proj.db"))
systems = database.execute(
    """select cast(code as integer), name from crs_view
    where auth_name = 'EPSG' and deprecated = 0 and type in ('projected', 'geographic 2D') order by 1"""
)
bases, shapes, rows, unsaid = {}, {}, [], []
for code, name in systems:
    wkt = CRS.from_epsg(code).to_wkt("WKT1_GDAL")
    if wkt is None:
        unsaid.append(code)
        continue
    row = taken_apart(code, name, wkt, bases, shapes)
    if put_together(row, name, list(bases), list(shapes)) != wkt:
        raise ValueError(f"{code} is not put together as it was")
    rows.append(row)
print(f"{len(rows)} systems, {len(unsaid)} that WKT 1 can't say: {unsaid}", file=sys.stderr)
json.dump({"bases": list(bases), "shapes": list(shapes), "systems": rows}, sys.stdout, ensure_ascii=False, indent=1)
print()
