"""Prints the results of GDAL, PROJ and an independent LAS reader for each file of a folder, as JSON."""

import json
import math
import os
import struct
import sys
import warnings

import pyproj
from osgeo import gdal, osr

warnings.simplefilter("ignore")
gdal.DontUseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
# Also reports vertical systems of GeoTIFF 1.0 files.
gdal.SetConfigOption("GTIFF_REPORT_COMPD_CS", "YES")
folder = sys.argv[1]


def code_of(srs, part=None):
    code = srs.GetAuthorityCode(part)
    return f"{srs.GetAuthorityName(part)}:{code}" if code else None


def system_of(srs):
    """The horizontal and vertical system as codes, or names without a code."""
    if srs is None or srs.ExportToWkt() == "":
        return {"system": None}
    if srs.IsLocal():
        return {"system": None, "nature": "engineering"}
    is_of_earth = 6.2e6 < srs.GetSemiMajor() < 6.5e6
    nature = {"nature": "elsewhere"} if not is_of_earth else {"nature": "geocentric"} if srs.IsGeocentric() else {}
    if not srs.IsCompound():
        return {"system": code_of(srs) or srs.GetName() or "unnamed", "coded": code_of(srs) is not None, "vertical": None, **nature}
    whole = code_of(srs)
    vertical = code_of(srs, "COMPD_CS|VERT_CS") or srs.GetAttrValue("COMPD_CS|VERT_CS")
    flat = srs.Clone()
    flat.StripVertical()
    return {"system": code_of(flat) or flat.GetName(), "coded": code_of(flat) is not None, "vertical": vertical, "whole": whole}


def raster(path):
    opened = gdal.Open(path)
    if opened is None:
        return None
    info = gdal.Info(opened, format="json")
    band = opened.GetRasterBand(1)
    kind = gdal.GetDataTypeName(band.DataType)
    bits = int(band.GetMetadataItem("NBITS", "IMAGE_STRUCTURE") or gdal.GetDataTypeSize(band.DataType))
    signed = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE") == "SIGNEDBYTE"
    sample = "complex" if kind.startswith("C") else "float" if kind.startswith("Float") else "signed" if kind.startswith("Int") or signed else "unsigned"
    no_data = band.GetNoDataValue()
    place = opened.GetGeoTransform(can_return_null=True)
    corners = None
    if place:
        columns, rows = opened.RasterXSize, opened.RasterYSize
        corners = [[place[0] + x * place[1] + y * place[2], place[3] + x * place[4] + y * place[5]] for x, y in ((0, rows), (columns, rows), (columns, 0), (0, 0))]
    srs = opened.GetSpatialRef() or (opened.GetGCPSpatialRef() if opened.GetGCPCount() else None)
    extent = info.get("wgs84Extent")
    return {
        "driver": opened.GetDriver().ShortName,
        "bands": opened.RasterCount,
        "bits": bits,
        "sample": sample,
        "noData": "nan" if no_data is not None and math.isnan(no_data) else no_data,
        "alpha": any(opened.GetRasterBand(index + 1).GetColorInterpretation() == gdal.GCI_AlphaBand for index in range(opened.RasterCount)),
        "palette": band.GetColorTable() is not None,
        **system_of(srs),
        "corners": corners,
        "extent": extent["coordinates"][0] if extent and extent.get("coordinates") else None,
        "grid": needs_grid(srs) if extent else False,
    }


def needs_grid(srs):
    """Whether PROJ's best transformation to WGS 84 needs a grid."""
    try:
        way = pyproj.Transformer.from_crs(pyproj.CRS.from_wkt(srs.ExportToWkt(["FORMAT=WKT2_2019"])), 4326, always_xy=True)
        return "grids=" in way.definition or "unknown id" in way.description or way.definition.startswith("unavailable")
    except (pyproj.exceptions.ProjError, RuntimeError):
        return True


def cloud(path):
    """LAS 1.4 R15, tables 3 and 4."""
    data = open(path, "rb").read()
    encoding, = struct.unpack_from("<H", data, 6)
    major, minor = data[24], data[25]
    size, begin, records, form, length, count = struct.unpack_from("<HLLBHL", data, 94)
    west_east = struct.unpack_from("<6d", data, 179)
    found = list(walk(data, size, records, 54, "<H"))
    if (major, minor) >= (1, 4):
        further, number, large = struct.unpack_from("<QLQ", data, 235)
        count = large or count
        found += list(walk(data, further, number, 60, "<Q"))
    meant = 2112 if encoding & 0x10 else 34735
    found.sort(key=lambda one: one[0] != meant)
    system = next((one for one in (system_in(number, body) for number, body in found) if one), {"system": None})
    east, west, north, south = west_east[:4]
    return {"version": f"{major}.{minor}", "count": count, "compressed": form & 0xC0 != 0, "box": [west, south, east, north] if count else None, **system}


def walk(data, at, many, head, length_format):
    for _ in range(many):
        user, number = struct.unpack_from("<16sH", data, at + 2)
        length, = struct.unpack_from(length_format, data, at + 20)
        if user.rstrip(b"\0") == b"LASF_Projection" and number in (2112, 34735):
            yield number, data[at + head : at + head + length]
        at += head + length


def system_in(number, body):
    if number == 2112:
        srs = osr.SpatialReference()
        srs.SetFromUserInput(body.rstrip(b"\0").decode())
        return system_of(srs)
    return system_of(by_keys(body))


def by_keys(body):
    """GDAL's system for a directory of GeoTIFF keys, read from a TIFF of one pixel."""
    entries = [(256, 3, 1, 1), (257, 3, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1), (278, 3, 1, 1), (279, 4, 1, 1), (34735, 3, len(body) // 2, 200)]
    directory = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHLL", *one) for one in entries) + b"\0" * 4
    gdal.FileFromMemBuffer("/vsimem/keys.tif", struct.pack("<2sHLL", b"II", 42, 12, 0) + directory.ljust(188, b"\0") + body)
    return gdal.Open("/vsimem/keys.tif").GetSpatialRef()


says = {}
for name in sorted(os.listdir(folder)):
    ending = os.path.splitext(name)[1]
    read = cloud if ending in (".las", ".laz") else raster if ending in (".tif", ".asc", ".img", ".dem", ".flt", ".bil", ".jpg", ".png") else None
    if read:
        says[name] = read(os.path.join(folder, name))
json.dump({"gdal": gdal.__version__, "proj": pyproj.proj_version_str, "files": says}, sys.stdout)
