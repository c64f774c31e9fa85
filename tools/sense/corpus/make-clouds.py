"""Writes small LAS files into a folder, byte by byte from the specification (ASPRS LAS 1.4 R15)."""

import struct
import sys
from os.path import join

from osgeo import osr

folder = sys.argv[1]
BOX = (550_000.0, 5_800_000.0, 10.0, 550_100.0, 5_800_050.0, 30.0)
LENGTHS = (20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67)


def keys(*pairs):
    return struct.pack(f"<{4 + 4 * len(pairs)}H", 1, 1, 0, len(pairs), *(value for key, one in pairs for value in (key, 0, 1, one)))


def wkt(code, version="WKT1_GDAL"):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(code)
    return srs.ExportToWkt([f"FORMAT={version}"]).encode() + b"\0"


def record(number, body, user=b"LASF_Projection", extended=False):
    head = struct.pack("<H16sH", 0, user, number) + (struct.pack("<Q", len(body)) if extended else struct.pack("<H", len(body)))
    return head + b"\0" * 32 + body


def cloud(name, minor=2, form=1, points=5, records=(), further=(), wkt_bit=False, box=BOX, old_count=None, gap=0, extra=0, packed=False, scale=0.001, streamed=False):
    size = {0: 227, 1: 227, 2: 227, 3: 235, 4: 375}[minor]
    vlrs = b"".join(records)
    begin = size + len(vlrs) + gap
    length = LENGTHS[form] + extra
    legacy = points if old_count is None else old_count
    west, south, low, east, north, high = box
    head = struct.pack("<4sHH16sBB32s32sHHHLLBHL5L", b"LASF", 0, 0x10 if wkt_bit else 0, b"", 1, minor, b"corpus", b"make-clouds", 1, 2026, size, begin, len(records), form | (0x80 if packed else 0), length, legacy, 0, 0, 0, 0, 0)
    head += struct.pack("<12d", scale, scale, scale, west, south, low, east, west, north, south, high, low)
    if minor >= 3:
        head += struct.pack("<Q", 0)
    if minor >= 4:
        end = begin + points * length
        head += struct.pack("<QLQ15Q", end if further else 0, len(further), points, *([0] * 15))
    assert len(head) == size, (len(head), size)
    body = b"".join(struct.pack("<lll", at * 1000, at * 500, at * 100).ljust(length, b"\2") for at in range(points))
    if packed:
        table = begin + 8 + 40
        # Compressed points and the chunk table, whose encoder begins with four bytes.
        body = struct.pack("<q", -1 if streamed else table) + b"\x55" * 40 + struct.pack("<LL", 0, 1) + b"\x11" * 4
        body += struct.pack("<q", table) if streamed else b""
    with open(join(folder, f"{name}.{'laz' if packed else 'las'}"), "wb") as file:
        file.write(head + vlrs + b"\0" * gap + body + b"".join(further))


UTM = keys((1024, 1), (3072, 25832))
for minor in range(5):
    for form in {0: (0,), 1: (0, 1), 2: (0, 1, 2, 3), 3: (1, 3, 4, 5), 4: (0, 1, 3, 6, 7, 8, 9, 10)}[minor]:
        cloud(f"v1{minor}_format_{form}", minor, form, records=[record(34735, UTM)])
for code in (4326, 4258, 2154, 28992, 27700, 2056, 3857, 26917, 6347, 2263, 31467, 5514):
    geographic = code in (4326, 4258)
    cloud(f"keys_{code}", records=[record(34735, keys((1024, 2 if geographic else 1), (2048 if geographic else 3072, code)))])
for code in ("EPSG:25832", "EPSG:25832+7837", "EPSG:26917+5703", "EPSG:5555", "EPSG:4326", "EPSG:4979", "EPSG:4978", "EPSG:2263+6360", "EPSG:6414+5703", "EPSG:28355+5711"):
    name = code.replace(":", "_").replace("+", "_").lower()
    cloud(f"wkt2_{name}", 4, 6, records=[record(2112, wkt(code, "WKT2_2019"))], wkt_bit=True)
    if code == "EPSG:4979":
        continue  # WKT 1 doesn't support these systems.
    cloud(f"wkt_{name}", 4, 6, records=[record(2112, wkt(code))], wkt_bit=True)
    cloud(f"wkt_behind_{name}", 4, 6, further=[record(2112, wkt(code), extended=True)], wkt_bit=True)
cloud("wkt_esri", 4, 6, records=[record(2112, wkt("EPSG:25832", "WKT1_ESRI"))], wkt_bit=True)
cloud("wkt_local", 4, 6, records=[record(2112, b'LOCAL_CS["site",UNIT["metre",1]]\0')], wkt_bit=True)
cloud("both_meant_wkt", 4, 6, records=[record(34735, UTM), record(2112, wkt("EPSG:25833"))], wkt_bit=True)
cloud("both_meant_keys", 4, 1, records=[record(34735, UTM), record(2112, wkt("EPSG:25833"))])
cloud("heights", records=[record(34735, keys((1024, 1), (3072, 25832), (4096, 7837)))])
cloud("heights_5103", records=[record(34735, keys((1024, 1), (3072, 26917), (4096, 5103), (4099, 9001)))])
cloud("own_keys", records=[record(34735, keys((1024, 1), (2048, 4258), (3072, 32767), (3074, 16032)))])
cloud("no_system")
cloud("no_system_records", records=[record(7, b"x" * 30, b"somebody"), record(22204, b"y" * 50, b"laszip encoded")])
cloud("gap", gap=64, records=[record(34735, UTM)])
cloud("extra_bytes", extra=6, records=[record(34735, UTM)])
cloud("no_points", points=0, box=(0,) * 6, records=[record(34735, UTM)])
cloud("no_points_14", 4, 6, points=0, box=(0,) * 6, records=[record(34735, UTM)])
cloud("new_count_only", 4, 6, old_count=0, records=[record(2112, wkt("EPSG:25832"))], wkt_bit=True)
cloud("counts_differ", 4, 1, old_count=3, records=[record(34735, UTM)])
cloud("many_records", records=[record(9, b"z" * 20, b"somebody")] * 60 + [record(34735, UTM)])
cloud("degrees", box=(9.0, 50.0, 10.0, 9.1, 50.1, 30.0), scale=1e-7, records=[record(34735, keys((1024, 2), (2048, 4326)))])
cloud("packed", 2, 1, points=50_000, packed=True, records=[record(34735, UTM), record(22204, struct.pack("<H", 2) + b"\0" * 50, b"laszip encoded")])
cloud("packed_14", 4, 6, points=50_000, packed=True, records=[record(2112, wkt("EPSG:25832+7837")), record(22204, struct.pack("<H", 3) + b"\0" * 50, b"laszip encoded")], wkt_bit=True)
for minor, form in ((0, 0), (1, 1), (2, 2), (3, 3), (4, 6), (4, 7)):
    compressor = record(22204, struct.pack("<H", 3 if form > 5 else 2) + b"\0" * 50, b"laszip encoded")
    for streamed in (False, True):
        name = f"packed_1{minor}_{form}{'_streamed' if streamed else ''}"
        cloud(name, minor, form, points=900, packed=True, streamed=streamed, records=[record(34735, UTM), compressor])
