"""Writes small TIFFs with GDAL into a folder: a corpus of common rasters."""

import struct
import sys
from os.path import join

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
gdal.SetConfigOption("GDAL_TIFF_OVR_BLOCKSIZE", "64")
folder = sys.argv[1]
driver = gdal.GetDriverByName("GTiff")
UTM = (550_000, 2, 0, 5_800_000, 0, -2)
DEGREES = (9.5, 0.001, 0, 52.5, 0, -0.001)

# By system: a definition for osr, and a geotransform in its area.
SYSTEMS = {
    "epsg_25832": ("EPSG:25832", UTM),
    "epsg_25833": ("EPSG:25833", (400_000, 2, 0, 5_800_000, 0, -2)),
    "epsg_32633": ("EPSG:32633", (400_000, 2, 0, 5_800_000, 0, -2)),
    "epsg_32733": ("EPSG:32733", (400_000, 2, 0, 7_500_000, 0, -2)),
    "epsg_4326": ("EPSG:4326", DEGREES),
    "epsg_4258": ("EPSG:4258", DEGREES),
    "epsg_4269": ("EPSG:4269", (-100, 0.001, 0, 40, 0, -0.001)),
    "epsg_4283": ("EPSG:4283", (140, 0.001, 0, -30, 0, -0.001)),
    "epsg_3857": ("EPSG:3857", (1_000_000, 10, 0, 6_900_000, 0, -10)),
    "epsg_2154": ("EPSG:2154", (652_000, 1, 0, 6_862_000, 0, -1)),
    "epsg_2056": ("EPSG:2056", (2_600_000, 1, 0, 1_200_000, 0, -1)),
    "epsg_21781": ("EPSG:21781", (600_000, 1, 0, 200_000, 0, -1)),
    "epsg_28992": ("EPSG:28992", (155_000, 1, 0, 463_000, 0, -1)),
    "epsg_31370": ("EPSG:31370", (150_000, 1, 0, 170_000, 0, -1)),
    "epsg_27700": ("EPSG:27700", (400_000, 1, 0, 300_000, 0, -1)),
    "epsg_31467": ("EPSG:31467", (3_550_000, 1, 0, 5_800_000, 0, -1)),
    "epsg_5514": ("EPSG:5514", (-740_000, 1, 0, -1_040_000, 0, -1)),
    "epsg_31256": ("EPSG:31256", (2_000, 1, 0, 340_000, 0, -1)),
    "epsg_3035": ("EPSG:3035", (4_321_000, 100, 0, 3_210_000, 0, -100)),
    "epsg_2180": ("EPSG:2180", (500_000, 10, 0, 500_000, 0, -10)),
    "epsg_2193": ("EPSG:2193", (1_600_000, 10, 0, 5_400_000, 0, -10)),
    "epsg_3006": ("EPSG:3006", (600_000, 10, 0, 6_600_000, 0, -10)),
    "epsg_3067": ("EPSG:3067", (400_000, 10, 0, 6_700_000, 0, -10)),
    "epsg_4647": ("EPSG:4647", (32_550_000, 10, 0, 5_800_000, 0, -10)),
    "epsg_26917": ("EPSG:26917", (550_000, 10, 0, 4_800_000, 0, -10)),
    "epsg_6347": ("EPSG:6347", (300_000, 10, 0, 4_300_000, 0, -10)),
    "epsg_2263": ("EPSG:2263", (984_000, 10, 0, 200_000, 0, -10)),
    "epsg_2277": ("EPSG:2277", (3_100_000, 10, 0, 10_070_000, 0, -10)),
    "epsg_5070": ("EPSG:5070", (100_000, 30, 0, 2_000_000, 0, -30)),
    "epsg_3413": ("EPSG:3413", (-200_000, 100, 0, -2_000_000, 0, -100)),
    "epsg_3031": ("EPSG:3031", (1_000_000, 100, 0, 1_000_000, 0, -100)),
    "epsg_32661": ("EPSG:32661", (2_100_000, 100, 0, 1_500_000, 0, -100)),
    "epsg_5041": ("EPSG:5041", (2_100_000, 100, 0, 1_500_000, 0, -100)),
    "epsg_28355": ("EPSG:28355", (500_000, 10, 0, 6_200_000, 0, -10)),
    "epsg_31982": ("EPSG:31982", (500_000, 10, 0, 7_200_000, 0, -10)),
    "epsg_6933": ("EPSG:6933", (800_000, 1000, 0, 5_500_000, 0, -1000)),
    "epsg_3832": ("EPSG:3832", (3_300_000, 100, 0, -2_000_000, 0, -100)),
    "epsg_4979": ("EPSG:4979", DEGREES),
    "epsg_4978": ("EPSG:4978", (3_800_000, 1, 0, 600_000, 0, -1)),
    "epsg_5555": ("EPSG:5555", UTM),
    "height_7837": ("EPSG:25832+7837", UTM),
    "height_5783": ("EPSG:25832+5783", UTM),
    "height_3855": ("EPSG:32632+3855", UTM),
    "height_5773": ("EPSG:4326+5773", DEGREES),
    "height_5703": ("EPSG:26917+5703", (550_000, 10, 0, 4_800_000, 0, -10)),
    "height_6360": ("EPSG:2263+6360", (984_000, 10, 0, 200_000, 0, -10)),
    "own_transverse_mercator": ("+proj=tmerc +lat_0=0 +lon_0=9.5 +k=0.9999 +x_0=500000 +ellps=GRS80 +units=m", UTM),
    "own_transverse_mercator_wgs84": ("+proj=tmerc +lat_0=50 +lon_0=10 +k=1 +x_0=100000 +y_0=50000 +datum=WGS84 +units=m", (100_000, 2, 0, 60_000, 0, -2)),
    "own_lambert": ("+proj=lcc +lat_1=48 +lat_2=53 +lat_0=51 +lon_0=10 +x_0=1000000 +y_0=2000000 +datum=WGS84 +units=m", (1_000_000, 2, 0, 2_000_000, 0, -2)),
    "own_lambert_feet": ("+proj=lcc +lat_1=33 +lat_2=45 +lat_0=39 +lon_0=-96 +x_0=600000 +datum=NAD83 +units=us-ft", (2_000_000, 2, 0, 0, 0, -2)),
    "own_albers": ("+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-100 +datum=WGS84 +units=m", (100_000, 2, 0, 2_000_000, 0, -2)),
    "own_equal_area": ("+proj=laea +lat_0=51 +lon_0=9 +x_0=100000 +y_0=200000 +datum=WGS84 +units=m", (100_000, 2, 0, 200_000, 0, -2)),
    "own_polar": ("+proj=stere +lat_0=90 +lat_ts=75 +lon_0=-30 +datum=WGS84 +units=m", (300_000, 100, 0, -1_500_000, 0, -100)),
    "own_mercator": ("+proj=merc +lon_0=10 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m", (10_000, 10, 0, 6_000_000, 0, -10)),
    "own_equidistant": ("+proj=eqc +lat_ts=0 +lon_0=0 +datum=WGS84 +units=m", (1_000_000, 100, 0, 5_000_000, 0, -100)),
    "own_sinusoidal": ("+proj=sinu +lon_0=0 +R=6371007.181 +units=m", (600_000, 500, 0, 5_500_000, 0, -500)),
    "own_utm": ("+proj=utm +zone=32 +datum=WGS84 +units=m", UTM),
    "own_geographic": ("+proj=longlat +ellps=GRS80", DEGREES),
    "own_shift": ("+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m", (3_550_000, 1, 0, 5_800_000, 0, -1)),
    "esri_mollweide": ("ESRI:54009", (600_000, 500, 0, 5_500_000, 0, -500)),
    "esri_albers": ("ESRI:102003", (100_000, 30, 0, 200_000, 0, -30)),
    "esri_name": ('PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]', UTM),
    "local": ('LOCAL_CS["site grid",UNIT["metre",1]]', (100, 1, 0, 200, 0, -1)),
    "moon": ('GEOGCS["GCS_Moon_2000",DATUM["D_Moon_2000",SPHEROID["Moon_2000_IAU_IAG",1737400.0,0.0]],PRIMEM["Reference_Meridian",0.0],UNIT["Degree",0.0174532925199433]]', DEGREES),
}

# By layout: type, bands, creation options, and further settings.
LAYOUTS = {
    "byte_1": (gdal.GDT_Byte, 1, [], {}),
    "byte_2": (gdal.GDT_Byte, 2, [], {}),
    "byte_2_alpha": (gdal.GDT_Byte, 2, ["ALPHA=YES"], {}),
    "byte_3": (gdal.GDT_Byte, 3, [], {}),
    "byte_4": (gdal.GDT_Byte, 4, [], {}),
    "byte_4_plain": (gdal.GDT_Byte, 4, ["PHOTOMETRIC=MINISBLACK"], {}),
    "byte_4_rgba": (gdal.GDT_Byte, 4, ["PHOTOMETRIC=RGB", "ALPHA=YES"], {}),
    "byte_4_premultiplied": (gdal.GDT_Byte, 4, ["PHOTOMETRIC=RGB", "ALPHA=PREMULTIPLIED"], {}),
    "byte_4_infrared": (gdal.GDT_Byte, 4, ["PHOTOMETRIC=RGB", "ALPHA=NO"], {}),
    "byte_5": (gdal.GDT_Byte, 5, [], {}),
    "byte_7_alpha": (gdal.GDT_Byte, 7, ["ALPHA=YES"], {}),
    "byte_40": (gdal.GDT_Byte, 40, [], {}),
    "cmyk": (gdal.GDT_Byte, 4, ["PHOTOMETRIC=CMYK"], {}),
    "white_is_zero": (gdal.GDT_Byte, 1, ["PHOTOMETRIC=MINISWHITE"], {}),
    "jpeg_ycbcr": (gdal.GDT_Byte, 3, ["COMPRESS=JPEG", "PHOTOMETRIC=YCBCR", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"], {}),
    "jpeg_mask": (gdal.GDT_Byte, 3, ["COMPRESS=JPEG"], {"mask": True}),
    "bit_1": (gdal.GDT_Byte, 1, ["NBITS=1"], {}),
    "bit_1_fax": (gdal.GDT_Byte, 1, ["NBITS=1", "COMPRESS=CCITTFAX4"], {}),
    "bits_2": (gdal.GDT_Byte, 1, ["NBITS=2"], {}),
    "bits_4": (gdal.GDT_Byte, 1, ["NBITS=4"], {}),
    "bits_12": (gdal.GDT_UInt16, 3, ["NBITS=12"], {}),
    "palette": (gdal.GDT_Byte, 1, [], {"palette": True}),
    "palette_4": (gdal.GDT_Byte, 1, ["NBITS=4"], {"palette": True}),
    "palette_no_data": (gdal.GDT_Byte, 1, [], {"palette": True, "no_data": 0}),
    "palette_alpha": (gdal.GDT_Byte, 1, [], {"palette": True, "mask": True}),
    "uint16_1": (gdal.GDT_UInt16, 1, [], {"no_data": 65535}),
    "uint16_3": (gdal.GDT_UInt16, 3, [], {}),
    "uint16_4_alpha": (gdal.GDT_UInt16, 4, ["ALPHA=YES"], {}),
    "uint16_8": (gdal.GDT_UInt16, 8, ["INTERLEAVE=BAND"], {}),
    "int16_1": (gdal.GDT_Int16, 1, [], {"no_data": -32768}),
    "int16_9999": (gdal.GDT_Int16, 1, [], {"no_data": -9999}),
    "uint32_1": (gdal.GDT_UInt32, 1, [], {}),
    "int32_1": (gdal.GDT_Int32, 1, [], {"no_data": 0}),
    "signed_byte": (gdal.GDT_Byte, 1, ["PIXELTYPE=SIGNEDBYTE"], {}),
    "float16": (gdal.GDT_Float32, 1, ["NBITS=16"], {}),
    "float24": (gdal.GDT_Float32, 1, ["NBITS=24"], {}),
    "float32_1": (gdal.GDT_Float32, 1, [], {"no_data": -9999}),
    "float32_nan": (gdal.GDT_Float32, 1, [], {"no_data": float("nan")}),
    "float32_least": (gdal.GDT_Float32, 1, [], {"no_data": -3.4028234663852886e38}),
    "float32_plain": (gdal.GDT_Float32, 1, [], {}),
    "float32_3": (gdal.GDT_Float32, 3, [], {}),
    "float64_1": (gdal.GDT_Float64, 1, [], {"no_data": -1.7976931348623157e308}),
    "complex": (gdal.GDT_CFloat32, 1, [], {}),
    "complex_int": (gdal.GDT_CInt16, 1, [], {}),
    "tiled": (gdal.GDT_Byte, 3, ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"], {}),
    "tiled_deflate": (gdal.GDT_Float32, 1, ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16", "COMPRESS=DEFLATE", "PREDICTOR=3"], {"no_data": -9999}),
    "lzw_bands": (gdal.GDT_UInt16, 3, ["COMPRESS=LZW", "INTERLEAVE=BAND", "PREDICTOR=2"], {}),
    "packbits": (gdal.GDT_Byte, 1, ["COMPRESS=PACKBITS"], {}),
    "sparse": (gdal.GDT_Byte, 3, ["SPARSE_OK=TRUE", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"], {"empty": True}),
    "big": (gdal.GDT_Byte, 3, ["BIGTIFF=YES"], {}),
    "big_tiled": (gdal.GDT_Float32, 1, ["BIGTIFF=YES", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"], {"no_data": -9999}),
    "big_big_endian": (gdal.GDT_UInt16, 1, ["BIGTIFF=YES", "ENDIANNESS=BIG"], {"no_data": 0}),
    "big_endian": (gdal.GDT_Byte, 3, ["ENDIANNESS=BIG"], {}),
    "big_endian_float": (gdal.GDT_Float32, 1, ["ENDIANNESS=BIG"], {"no_data": -9999}),
    "big_endian_palette": (gdal.GDT_Byte, 1, ["ENDIANNESS=BIG"], {"palette": True}),
    "one_row_strips": (gdal.GDT_Int16, 1, ["BLOCKYSIZE=1"], {}),
    "overviews": (gdal.GDT_Byte, 3, ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"], {"overviews": True}),
    "many_words": (gdal.GDT_Byte, 1, [], {"words": True}),
}

# By placing: geotransform and creation options, in UTM 32.
PLACINGS = {
    "point": (UTM, ["AREA_OR_POINT=Point"]),
    "point_big_pixels": ((550_000, 1000, 0, 5_800_000, 0, -1000), ["AREA_OR_POINT=Point"]),
    "point_south_up": ((550_000, 2, 0, 5_800_000, 0, 2), ["AREA_OR_POINT=Point"]),
    "point_rotated": ((550_000, 2, 1, 5_800_000, 1, -2), ["AREA_OR_POINT=Point"]),
    "rotated": ((550_000, 1.7, 0.9, 5_800_000, 0.9, -1.7), []),
    "rotated_much": ((550_000, -0.4, 3, 5_800_000, 3, 0.4), []),
    "sheared": ((550_000, 2, 0.5, 5_800_000, 0, -2), []),
    "south_up": ((550_000, 2, 0, 5_800_000, 0, 2), []),
    "mirrored": ((550_000, -2, 0, 5_800_000, 0, -2), []),
    "oblong_pixels": ((550_000, 3, 0, 5_800_000, 0, -0.5), []),
    "tiny_pixels": ((550_000.123456, 0.0123, 0, 5_800_000.654321, 0, -0.0123), []),
    "version_1_1": (UTM, ["GEOTIFF_VERSION=1.1"]),
    "esri_flavour": (UTM, ["GEOTIFF_KEYS_FLAVOR=ESRI_PE"]),
    "tfw_besides": (UTM, ["TFW=YES"]),
    "baseline_tfw": (UTM, ["PROFILE=BASELINE", "TFW=YES"]),
    "baseline": (UTM, ["PROFILE=BASELINE"]),
    "plain_profile": (UTM, ["PROFILE=GeoTIFF"]),
    "no_place": (None, []),
    "no_place_tfw": (None, ["world:tfw"]),
    "no_place_wld": (None, ["world:wld"]),
    "no_place_rotated_tfw": (None, ["world:rotated"]),
    "points": ("gcps", []),
    "four_points": ("corners", []),
    "rational": ("rpc", []),
}


def system_of(text):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(text)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


def make(name, kind=gdal.GDT_Byte, bands=1, options=(), system="EPSG:25832", place=UTM, columns=20, rows=14, mask=False, palette=False, no_data=None, empty=False, overviews=False, words=False):
    path = join(folder, f"{name}.tif")
    point = "AREA_OR_POINT=Point" in options
    world = next((one[6:] for one in options if one.startswith("world:")), None)
    creation = [one for one in options if not one.startswith(("AREA_OR_POINT", "world:"))]
    if mask:
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    made = driver.Create(path, columns, rows, bands, kind, creation)
    if point:
        made.SetMetadataItem("AREA_OR_POINT", "Point")
    if system is not None:
        made.SetSpatialRef(system_of(system))
    if place == "gcps":
        points = [gdal.GCP(550_000 + 2 * x + y, 5_800_000 - 2 * y - x / 3, 0, x, y) for x, y in [(0, 0), (20, 0), (20, 14), (3, 9), (11, 2)]]
        made.SetGCPs(points, system_of(system))
    elif place == "corners":
        points = [gdal.GCP(550_000 + 2 * x, 5_800_000 - 2 * y, 0, x, y) for x, y in [(0, 0), (20, 0), (20, 14), (0, 14)]]
        made.SetGCPs(points, system_of(system))
    elif place == "rpc":
        zeros = " ".join(["1"] + ["0"] * 19)
        line, sample = " ".join(["0", "0", "-1"] + ["0"] * 17), " ".join(["0", "1"] + ["0"] * 18)
        made.SetMetadata({"LINE_OFF": "7", "SAMP_OFF": "10", "LAT_OFF": "52", "LONG_OFF": "9", "HEIGHT_OFF": "0", "LINE_SCALE": "7", "SAMP_SCALE": "10", "LAT_SCALE": "0.1", "LONG_SCALE": "0.1", "HEIGHT_SCALE": "500", "LINE_NUM_COEFF": line, "LINE_DEN_COEFF": zeros, "SAMP_NUM_COEFF": sample, "SAMP_DEN_COEFF": zeros}, "RPC")
    elif place is not None:
        made.SetGeoTransform(place)
    if words:
        made.SetMetadata({f"WORD_{index}": "x" * 40 for index in range(50)})
        made.GetRasterBand(1).SetDescription("first")
        made.GetRasterBand(1).SetScale(0.1)
    if palette:
        colours = gdal.ColorTable()
        for index in range(16):
            colours.SetColorEntry(index, (index * 10, 255 - index, index, 255))
        made.GetRasterBand(1).SetColorTable(colours)
    if no_data is not None:
        made.GetRasterBand(1).SetNoDataValue(no_data)
    if not empty:
        cells = np.arange(columns * rows).reshape(rows, columns) % 2
        for band in range(bands):
            made.GetRasterBand(band + 1).WriteArray(cells)
    if mask:
        made.CreateMaskBand(gdal.GMF_PER_DATASET)
        made.GetRasterBand(1).GetMaskBand().WriteArray(np.full((rows, columns), 255))
    if overviews:
        made.BuildOverviews("NEAREST", [2, 4])
    made = None
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", None)
    lines = {"tfw": (2, 0, 0, -2, 550_001, 5_799_999), "wld": (2, 0, 0, -2, 550_001, 5_799_999), "rotated": (2, 0.5, 0.5, -2, 550_001, 5_799_999)}.get(world)
    if lines:
        ending = "wld" if world == "wld" else "tfw"
        with open(join(folder, f"{name}.{ending}"), "w") as beside:
            beside.write("".join(f"{one}\n" for one in lines))


for name, (system, place) in SYSTEMS.items():
    options = ["GEOTIFF_VERSION=1.1"] if name == "epsg_4979" else []
    try:
        make(f"system_{name}", system=system, place=place, options=options)
    except RuntimeError as problem:
        print(name, problem, file=sys.stderr)
for name, (kind, bands, options, more) in LAYOUTS.items():
    make(f"layout_{name}", kind=kind, bands=bands, options=options, **more)
for name, (place, options) in PLACINGS.items():
    make(f"place_{name}", place=place, options=options, columns=23, rows=11)
make("place_degrees_point", system="EPSG:4326", place=DEGREES, options=["AREA_OR_POINT=Point"])
make("place_degrees_south_up", system="EPSG:4326", place=(9.5, 0.001, 0, 52.5, 0, 0.001))
make("place_no_system", system=None)
make("place_nothing", system=None, place=None)
make("place_date_line", system="EPSG:32660", place=(815_000, 1000, 0, 1_900_000, 0, -1000))
make("place_whole_earth", system="EPSG:4326", place=(-180, 18, 0, 90, 0, -180 / 14))
make("place_large", place=(300_000, 10_000, 0, 5_900_000, 0, -10_000))
plain = gdal.Open(join(folder, "layout_float32_1.tif"))
gdal.GetDriverByName("COG").CreateCopy(join(folder, "cog_float.tif"), plain, options=["BLOCKSIZE=128"])
gdal.GetDriverByName("COG").CreateCopy(join(folder, "cog_rgb.tif"), gdal.Open(join(folder, "layout_byte_3.tif")), options=["COMPRESS=DEFLATE", "BLOCKSIZE=128"])


def raw(name, keys, doubles=(), words="", order="<", big=False, fields=(), bits=8, place=UTM):
    """A TIFF written by hand, with keys that GDAL doesn't write, in either byte order."""
    place_fields = [(33550, "d", (place[1], -place[5], 0)), (33922, "d", (0, 0, 0, place[0], place[3], 0))] if place else []
    entries = sum(([key, 0, 1, value] if isinstance(value, int) else [key, *value] for key, value in sorted(keys.items())), [])
    everything = [
        (256, "H", (8,)), (257, "H", (8,)), (258, "H", (bits,)), (259, "H", (1,)), (262, "H", (1,)), (273, "L", (0,)), (277, "H", (1,)), (278, "H", (8,)), (279, "L", (64,)),
        *place_fields, *fields, (34735, "H", (1, 1, 0, len(keys), *entries)),
        *([(34736, "d", tuple(doubles))] if doubles else []), *([(34737, "s", words)] if words else []),
    ]
    everything.sort(key=lambda one: one[0])
    types = {"s": 2, "H": 3, "L": 4, "d": 12}
    count, entry, offset = ("Q", 20, "Q") if big else ("H", 12, "L")
    inline = 8 if big else 4
    start = 16 if big else 8
    data_at = start + struct.calcsize("=" + count) + entry * len(everything) + inline
    directory, data = struct.pack(order + count, len(everything)), b""
    total = data_at + sum(len(pack(order, kind, values)) + 8 for _, kind, values in everything)
    for tag, kind, values in everything:
        if tag == 273:
            values = (total,)
        body = pack(order, kind, values)
        length = len(values) + 1 if kind == "s" else len(values)
        directory += struct.pack(order + "HH" + offset, tag, types[kind], length)
        if len(body) <= inline:
            directory += body.ljust(inline, b"\0")
        else:
            data += b"\0" * (-(data_at + len(data)) % 8)
            directory += struct.pack(order + offset, data_at + len(data))
            data += body
    directory += struct.pack(order + offset, 0)
    mark = b"II" if order == "<" else b"MM"
    header = mark + (struct.pack(order + "HHHQ", 43, 8, 0, 16) if big else struct.pack(order + "HL", 42, 8))
    with open(join(folder, f"raw_{name}.tif"), "wb") as file:
        file.write((header + directory + data).ljust(total, b"\0") + b"\7" * 64)


def pack(order, kind, values):
    return values.encode() + b"\0" if kind == "s" else struct.pack(f"{order}{len(values)}{kind}", *values)


MODEL, PIXEL, CITATION, GEOGRAPHIC, PROJECTED, PROJECTED_CITATION, VERTICAL = 1024, 1025, 1026, 2048, 3072, 3073, 4096
GEODETIC_CITATION, DATUM, ANGLES, ELLIPSOID, AXIS, FLATTENING = 2049, 2050, 2054, 2056, 2057, 2059
PROJECTION, METHOD, UNITS, VERTICAL_UNITS = 3074, 3075, 3076, 4099
OWN = 32767
raw("code", {MODEL: 1, PIXEL: 1, PROJECTED: 25832})
raw("code_big_endian", {MODEL: 1, PIXEL: 1, PROJECTED: 25832}, order=">")
raw("code_big_big_endian", {MODEL: 1, PIXEL: 2, PROJECTED: 25832}, order=">", big=True)
raw("code_without_model", {PROJECTED: 25832})
raw("geographic_without_model", {GEOGRAPHIC: 4326}, place=DEGREES)
raw("both_codes", {MODEL: 1, GEOGRAPHIC: 4258, PROJECTED: 25832})
raw("geographic_beside_own", {MODEL: 1, PROJECTED: OWN, PROJECTED_CITATION: (34737, 9, 0), GEOGRAPHIC: 4326}, words="site 17 |")
raw("zone_key", {MODEL: 1, GEOGRAPHIC: 4258, PROJECTED: OWN, PROJECTION: 16032})
raw("zone_key_wgs84", {MODEL: 1, GEOGRAPHIC: 4326, PROJECTED: OWN, PROJECTION: 16032})
raw("own_mercator_keys", {MODEL: 1, GEOGRAPHIC: 4258, PROJECTED: OWN, PROJECTION: OWN, METHOD: 1, UNITS: 9001, 3080: (34736, 1, 0), 3081: (34736, 1, 1), 3092: (34736, 1, 2), 3082: (34736, 1, 3), 3083: (34736, 1, 4)}, doubles=(9.0, 0.0, 0.9996, 500000.0, 0.0))
raw("own_datum", {MODEL: 2, GEOGRAPHIC: OWN, GEODETIC_CITATION: (34737, 8, 0), DATUM: OWN, ELLIPSOID: OWN, AXIS: (34736, 1, 0), FLATTENING: (34736, 1, 1)}, doubles=(6378137.0, 298.257223563), words="my own|\0", place=DEGREES)
raw("ellipsoid_code", {MODEL: 2, GEOGRAPHIC: OWN, DATUM: OWN, ELLIPSOID: 7030}, place=DEGREES)
raw("citation_only", {MODEL: 1, CITATION: (34737, 23, 0)}, words="ETRS89 / UTM zone 32N|")
raw("own_projected_citation", {MODEL: 1, PROJECTED: OWN, PROJECTED_CITATION: (34737, 23, 0)}, words="ETRS89 / UTM zone 32N|")
raw("own_model", {MODEL: OWN, CITATION: (34737, 6, 0)}, words="plant|")
raw("geocentric", {MODEL: 3, GEOGRAPHIC: 4978}, place=(3_800_000, 1, 0, 600_000, 0, -1))
raw("heights", {MODEL: 1, PROJECTED: 25832, VERTICAL: 7837, VERTICAL_UNITS: 9001})
raw("heights_feet", {MODEL: 1, PROJECTED: 2263, VERTICAL: 6360, VERTICAL_UNITS: 9003}, place=(984_000, 10, 0, 200_000, 0, -10))
raw("heights_5030", {MODEL: 2, GEOGRAPHIC: 4326, VERTICAL: 5030}, place=DEGREES)
raw("heights_4979", {MODEL: 2, GEOGRAPHIC: 4326, VERTICAL: 4979}, place=DEGREES)
raw("three_dimensions", {MODEL: 2, GEOGRAPHIC: 4979}, place=DEGREES)
raw("old_heights", {MODEL: 1, PROJECTED: 32632, VERTICAL: 5103})
raw("own_heights", {MODEL: 1, PROJECTED: 25832, VERTICAL: OWN, VERTICAL_UNITS: 9001})
raw("only_pixels", {PIXEL: 1})
raw("deprecated_code", {MODEL: 1, PROJECTED: 3785}, place=(1_000_000, 100, 0, 5_000_000, 0, -100))
raw("unknown_code", {MODEL: 1, PROJECTED: 29999})
raw("feet_of_own", {MODEL: 1, PROJECTED: 25832, UNITS: 9003})
raw("no_data_words", {MODEL: 1, PROJECTED: 25832}, fields=[(42113, "s", " -9999.0 ")])
raw("no_data_nonsense", {MODEL: 1, PROJECTED: 25832}, fields=[(42113, "s", "none")])
raw("tie_inside", {MODEL: 1, PROJECTED: 25832}, fields=[(33550, "d", (2, 2, 0)), (33922, "d", (4, 4, 0, 550_008, 5_799_992, 0))], place=None)
raw("negative_scale", {MODEL: 1, PROJECTED: 25832}, fields=[(33550, "d", (2, -2, 0)), (33922, "d", (0, 0, 0, 550_000, 5_800_000, 0))], place=None)
raw("zero_scale", {MODEL: 1, PROJECTED: 25832}, fields=[(33550, "d", (0, 0, 0)), (33922, "d", (0, 0, 0, 550_000, 5_800_000, 0))], place=None)
raw("matrix", {MODEL: 1, PROJECTED: 25832}, fields=[(34264, "d", (2, 0.5, 0, 550_000, 0.5, -2, 0, 5_800_000, 0, 0, 0, 0, 0, 0, 0, 1))], place=None)
raw("matrix_point", {MODEL: 1, PIXEL: 2, PROJECTED: 25832}, fields=[(34264, "d", (2, 0.5, 0, 550_000, 0.5, -2, 0, 5_800_000, 0, 0, 0, 0, 0, 0, 0, 1))], place=None)
raw("two_ties", {MODEL: 1, PROJECTED: 25832}, fields=[(33550, "d", (2, 2, 0)), (33922, "d", (0, 0, 0, 550_000, 5_800_000, 0, 8, 8, 0, 550_016, 5_799_984, 0))], place=None)
