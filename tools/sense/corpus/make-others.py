"""Writes rasters of other formats and their sidecars into a folder."""

import sys
import zipfile
from os.path import join

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
folder = sys.argv[1]
WORLD = "2\n0\n0\n-2\n550001\n5799999\n"
TURNED = "2\n0.5\n0.5\n-2\n550001\n5799999\n"


def wkt(code, version="WKT1_GDAL"):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(code)
    return srs.ExportToWkt([f"FORMAT={version}"])


def write(name, text):
    with open(join(folder, name), "w") as file:
        file.write(text)


def pam(code, place=None):
    words = f"<SRS>{wkt(code).replace(chr(34), '&quot;')}</SRS>"
    return f"<PAMDataset>{words}{f'<GeoTransform>{place}</GeoTransform>' if place else ''}</PAMDataset>"


plain = gdal.GetDriverByName("MEM").Create("", 21, 13, 3)
for band in range(3):
    plain.GetRasterBand(band + 1).WriteArray((np.arange(21 * 13).reshape(13, 21) * (band + 3)) % 251)
for ending, driver, world in (("jpg", "JPEG", "jgw"), ("png", "PNG", "pgw")):
    for name in ("plain", "world", "wld", "turned", "aux", "aux_place"):
        gdal.GetDriverByName(driver).CreateCopy(join(folder, f"{name}_{ending}.{ending}"), plain)
    write(f"world_{ending}.{world}", WORLD)
    write(f"world_{ending}.{ending}.aux.xml", pam("EPSG:25832"))
    write(f"wld_{ending}.wld", WORLD)
    write(f"wld_{ending}.{ending}.aux.xml", pam("EPSG:25832"))
    write(f"turned_{ending}.{world}", TURNED)
    write(f"turned_{ending}.{ending}.aux.xml", pam("EPSG:25832"))
    write(f"aux_{ending}.{ending}.aux.xml", pam("EPSG:25832"))
    write(f"aux_place_{ending}.{ending}.aux.xml", pam("EPSG:2154", "652000, 2, 0, 6862000, 0, -2"))
GRID = "ncols 5\nnrows 4\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value -9999\n" + "1 2 3 4 5\n" * 4
for name, code, version, x, y, size in (
    ("grid_code", "EPSG:25832", "WKT1_GDAL", 550_000, 5_800_000, 2),
    ("grid_esri", "EPSG:25832", "WKT1_ESRI", 550_000, 5_800_000, 2),
    ("grid_esri_french", "EPSG:2154", "WKT1_ESRI", 652_000, 6_862_000, 2),
    ("grid_esri_dutch", "EPSG:28992", "WKT1_ESRI", 155_000, 463_000, 2),
    ("grid_esri_german", "EPSG:31467", "WKT1_ESRI", 3_550_000, 5_800_000, 2),
    ("grid_esri_austrian", "EPSG:31256", "WKT1_ESRI", 2_000, 340_000, 2),
    ("grid_esri_degrees", "EPSG:4326", "WKT1_ESRI", 9, 50, 0.001),
    ("grid_esri_texan", "EPSG:2277", "WKT1_ESRI", 3_100_000, 10_070_000, 10),
    ("grid_esri_polar", "EPSG:3413", "WKT1_ESRI", -200_000, -2_000_000, 100),
    ("grid_esri_web", "EPSG:3857", "WKT1_ESRI", 1_000_000, 6_900_000, 10),
    ("grid_esri_british", "EPSG:27700", "WKT1_ESRI", 400_000, 300_000, 10),
    ("grid_heights", "EPSG:25832+7837", "WKT1_GDAL", 550_000, 5_800_000, 2),
    ("grid_wkt2", "EPSG:25832", "WKT2_2019", 550_000, 5_800_000, 2),
):
    write(f"{name}.asc", GRID.format(x, y, size))
    write(f"{name}.prj", wkt(code, version))
write("grid_plain.asc", GRID.format(550_000, 5_800_000, 2))
place = gdal.GetDriverByName("MEM").Create("", 21, 13, 1, gdal.GDT_Float32)
place.SetGeoTransform((550_000, 2, 0, 5_800_000, 0, -2))
reference = osr.SpatialReference()
reference.ImportFromEPSG(25832)
place.SetSpatialRef(reference)
place.GetRasterBand(1).WriteArray(np.arange(21 * 13).reshape(13, 21) / 7)
gdal.GetDriverByName("HFA").CreateCopy(join(folder, "imagine_float.img"), place)
gdal.GetDriverByName("HFA").CreateCopy(join(folder, "imagine_bytes.img"), plain)
gdal.GetDriverByName("HFA").CreateCopy(join(folder, "imagine_packed.img"), place, options=["COMPRESSED=YES"])
for name, kind in (("int16", gdal.GDT_Int16), ("uint16", gdal.GDT_UInt16), ("double", gdal.GDT_Float64)):
    gdal.GetDriverByName("HFA").Create(join(folder, f"imagine_{name}.img"), 21, 13, 1, kind)


def placed(code, x, y, size, kind=gdal.GDT_Float32, turned=0):
    made = gdal.GetDriverByName("MEM").Create("", 14, 11, 1, kind)
    reference = osr.SpatialReference()
    reference.SetFromUserInput(code)
    made.SetSpatialRef(reference)
    made.SetGeoTransform((x, size, turned, y, turned / 2, -size))
    made.GetRasterBand(1).WriteArray(np.arange(14 * 11).reshape(11, 14) + 100)
    made.GetRasterBand(1).SetNoDataValue(-9999 if kind != gdal.GDT_Byte else 255)
    return made


PLACED = (
    ("utm", "EPSG:25832", 550_000, 5_800_000, 10),
    ("utm_84", "EPSG:32733", 500_000, 7_500_000, 10),
    ("utm_27", "EPSG:26717", 500_010, 4_500_000, 30),
    ("degrees", "EPSG:4326", 9, 50, 0.001),
    ("degrees_83", "EPSG:4269", -100, 40, 0.001),
    ("french", "EPSG:2154", 652_000, 6_862_000, 2),
    ("new_york", "EPSG:2263", 1_000_000, 200_000, 10),
    ("texan", "EPSG:2277", 3_100_000, 10_070_000, 10),
    ("albers", "EPSG:5070", 13_000, 1_539_000, 30),
    ("laea", "EPSG:3035", 3_974_000, 3_519_000, 100),
    ("german", "EPSG:31467", 3_550_000, 5_800_000, 2),
    ("british", "EPSG:27700", 400_000, 300_000, 10),
    ("polar", "EPSG:3413", -200_000, -2_000_000, 100),
    ("web", "EPSG:3857", 1_000_000, 6_900_000, 10),
    ("esri", "ESRI:102003", 13_000, -67_000, 30),
)
for name, code, x, y, size in PLACED:
    made = placed(code, x, y, size)
    path = join(folder, f"imagine_in_{name}.img")
    gdal.GetDriverByName("HFA").CreateCopy(path, made)
    # ERDAS itself doesn't write ESRI's text.
    with open(path, "rb") as file:
        content = file.read()
    with open(join(folder, f"imagine_fields_{name}.img"), "wb") as file:
        file.write(content.replace(b"ProjectionX", b"ProjectionY").replace(b"Eprj_MapProjection842\0", b"Eprj_MapProjection999\0"))
gdal.GetDriverByName("HFA").CreateCopy(join(folder, "imagine_turned.img"), placed("EPSG:25832", 550_000, 5_800_000, 10, turned=3))
for name, code, x, y, size in (
    *PLACED[:5],
    ("utm_83", "EPSG:26917", 500_010, 4_500_000, 30),
    ("degrees_72", "EPSG:4322", -100, 40, 0.001),
    ("degrees_27", "EPSG:4267", -100, 40, 0.001),
):
    if code != "EPSG:25832":
        gdal.GetDriverByName("USGSDEM").CreateCopy(join(folder, f"sheet_{name}.dem"), placed(code, x, y, 1 / 1200 if size < 1 else size, gdal.GDT_Int16))
for name, code, x, y, size in PLACED[:7]:
    for ending, kind in (("flt", gdal.GDT_Float32), ("bil", gdal.GDT_Int16)):
        gdal.GetDriverByName("EHdr").CreateCopy(join(folder, f"plain_{ending}_{name}.{ending}"), placed(code, x, y, size, kind))

CONTENT = {"a/one.gml": b"<a/>" * 40, "a/two.jpg": bytes(range(256)) * 3, "empty.txt": b""}


def archive(name, kind, comment=b"", large=False, before=b""):
    path = join(folder, name)
    with open(path, "wb") as file:
        file.write(before)
    with zipfile.ZipFile(path, "a" if before else "w", kind) as made:
        made.comment = comment
        for inner, words in CONTENT.items():
            with made.open(zipfile.ZipInfo(inner, (2026, 1, 1, 0, 0, 0)), "w", force_zip64=large) as into:
                into.write(words)


archive("stored.zip", zipfile.ZIP_STORED)
archive("deflated.zip", zipfile.ZIP_DEFLATED)
archive("packed_otherwise.zip", zipfile.ZIP_LZMA)
archive("comment.zip", zipfile.ZIP_DEFLATED, comment=b"made by hand, twice")
archive("large_fields.zip", zipfile.ZIP_STORED, large=True)
archive("behind_a_program.zip", zipfile.ZIP_STORED, before=b"MZ" + b"\0" * 90)
with zipfile.ZipFile(join(folder, "in_another.zip"), "w", zipfile.ZIP_STORED) as outer:
    outer.write(join(folder, "stored.zip"), "stored.zip")
with zipfile.ZipFile(join(folder, "many.zip"), "w", zipfile.ZIP_STORED) as made:
    for index in range(60):
        made.writestr(zipfile.ZipInfo(f"tile_{index}.txt", (2026, 1, 1, 0, 0, 0)), "x" * index)
# Variants of real programs: progressive, grey, with a palette, interlaced, with trailing text.
for name, driver, options in (
    ("progressive.jpg", "JPEG", ["PROGRESSIVE=ON"]),
    ("coarse.jpg", "JPEG", ["QUALITY=10"]),
    ("fine.jpg", "JPEG", ["QUALITY=100"]),
    ("words.jpg", "JPEG", ["COMMENT=made by hand"]),
    ("level_1.png", "PNG", ["ZLEVEL=1"]),
    ("level_9.png", "PNG", ["ZLEVEL=9"]),
):
    gdal.GetDriverByName(driver).CreateCopy(join(folder, name), plain, options=options)
grey = gdal.GetDriverByName("MEM").Create("", 40, 30, 1, gdal.GDT_UInt16)
grey.GetRasterBand(1).WriteArray(np.arange(1200).reshape(30, 40) * 41 % 65_000)
gdal.GetDriverByName("PNG").CreateCopy(join(folder, "grey_16.png"), grey)
colours = gdal.GetDriverByName("MEM").Create("", 40, 30, 1)
table = gdal.ColorTable()
for index in range(8):
    table.SetColorEntry(index, (index * 30, 10, 10, 255))
colours.GetRasterBand(1).SetColorTable(table)
colours.GetRasterBand(1).WriteArray(np.arange(1200).reshape(30, 40) % 8)
gdal.GetDriverByName("PNG").CreateCopy(join(folder, "palette.png"), colours)
