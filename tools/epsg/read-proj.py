"""Reads PROJ's database and prints the input of main.ts for the table and the oracle, as JSON.

For each current EPSG system: kind, name, area of use, order of axes, PROJ string with the shift to WGS 84
that is closest to PROJ's results in that area, and these results for points spread over it.
`--deprecated`: the deprecated projected and geographic 2D systems, with their current successors.
"""

import json
import sqlite3
import sys
import warnings
from os.path import join

import numpy as np
import pyproj
from pyproj import CRS, Transformer
from pyproj.datadir import get_data_dir

warnings.simplefilter("ignore")
WGS84 = CRS.from_epsg(4326)
# Fractions of an area's box, from west and south. The first three go into the oracle; all are compared with proj4.
FRACTIONS = [(0.5, 0.5), (0.1, 0.3), (0.9, 0.7)] + [
    (x, y) for x in (0, 0.1, 0.3, 0.5, 0.7, 0.9, 1) for y in (0, 0.1, 0.3, 0.5, 0.7, 0.9, 1)
]
# EPSG codes of units: metres, arc seconds, parts per million. The few shifts in other units are fitted.
METRE, ARC_SECOND, PPM = 9001, 9104, 9202
# Geographic 2D methods: geocentric translations; position vector; coordinate frame, with rotations of opposite sign.
TRANSLATION, POSITION_VECTOR, COORDINATE_FRAME = 9603, 9606, 9607

is_deprecated = "--deprecated" in sys.argv
database = sqlite3.connect(join(get_data_dir(), "proj.db"))


def systems():
    """Code, kind, name and largest area of all current or deprecated systems."""
    kinds = "'projected', 'geographic 2D'" + ("" if is_deprecated else ", 'geographic 3D', 'geocentric', 'compound'")
    rows = database.execute(
        f"""select v.code, v.type, v.name, e.description, e.west_lon, e.south_lat, e.east_lon, e.north_lat
        from crs_view v
        join usage u on u.object_auth_name = v.auth_name and u.object_code = v.code
          and u.object_table_name = v.table_name
        join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
        where v.auth_name = 'EPSG' and v.deprecated = {int(is_deprecated)} and v.type in ({kinds})
          and e.west_lon is not null
        order by cast(v.code as integer), (e.north_lat - e.south_lat), e.code"""
    )
    return list({int(row[0]): row for row in rows}.values())


def published_shifts():
    """towgs84 parameters (position vector) by the code of the source system."""
    found = {}
    for row in database.execute(
        """select source_crs_code, target_crs_code, method_code, tx, ty, tz, rx, ry, rz, scale_difference,
        translation_uom_code, rotation_uom_code, scale_difference_uom_code
        from helmert_transformation_table where auth_name = 'EPSG' and deprecated = 0
        order by cast(code as integer)"""
    ):
        source, target, method, tx, ty, tz, rx, ry, rz, scale, *units = row
        # Some versions of the database store codes as text.
        method, units = int(method), [None if one is None else int(one) for one in units]
        if method not in (TRANSLATION, POSITION_VECTOR, COORDINATE_FRAME) or units[0] != METRE:
            continue
        if method == TRANSLATION:
            shift = (tx, ty, tz)
        elif units[1:] == [ARC_SECOND, PPM]:
            sign = -1 if method == COORDINATE_FRAME else 1
            shift = (tx, ty, tz, sign * rx, sign * ry, sign * rz, scale)
        else:
            continue
        found.setdefault(int(source), []).append(shift)
        found.setdefault(int(target), []).append(tuple(-one for one in shift))
    return found


def geocentric(lon, lat, ellipsoid):
    a, b = ellipsoid.semi_major_metre, ellipsoid.semi_minor_metre
    e2 = 1 - (b / a) ** 2
    lon, lat = np.radians(lon), np.radians(lat)
    n = a / np.sqrt(1 - e2 * np.sin(lat) ** 2)
    return np.array([n * np.cos(lat) * np.cos(lon), n * np.cos(lat) * np.sin(lon), n * (1 - e2) * np.sin(lat)])


# Metres: less than SAME is rounding; beyond FAR, make-table.ts omits the definition.
SAME, FAR = 0.5, 900


def shifted(xyz, shift):
    """Applies PROJ's formula of towgs84."""
    tx, ty, tz, rx, ry, rz, s = (*shift, 0, 0, 0, 0)[:7]
    rx, ry, rz = np.radians(np.array([rx, ry, rz]) / 3600)
    turn = np.array([[1, -rz, ry], [rz, 1, -rx], [-ry, rx, 1]])
    return np.array([[tx], [ty], [tz]]) + (1 + s * 1e-6) * (turn @ xyz)


def misses(xyz, shift, target):
    """Distance on the ground for each point, in metres, without the height."""
    up = target / np.linalg.norm(target, axis=0)
    off = shifted(xyz, shift) - target
    return np.linalg.norm(off - up * np.sum(off * up, axis=0), axis=0)


def miss(xyz, shift, target):
    """The largest distance."""
    return float(np.max(misses(xyz, shift, target)))


def fitted(xyz, target):
    """Fits three parameters, and seven, by least squares."""
    x, y, z = xyz
    second = np.radians(1 / 3600)
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        [
            np.stack([one, zero, zero, zero, z * second, -y * second, x * 1e-6], axis=1),
            np.stack([zero, one, zero, -z * second, zero, x * second, y * 1e-6], axis=1),
            np.stack([zero, zero, one, y * second, -x * second, zero, z * 1e-6], axis=1),
        ]
    )
    off = target - xyz
    seven = np.linalg.lstsq(rows, off.reshape(-1), rcond=1e-12)[0]
    return [tuple(np.round(off.mean(axis=1), 2)), tuple(np.round(seven[:3], 2)) + tuple(np.round(seven[3:6], 4)) + (np.round(seven[6], 3),)]


def best_shift(base, lon, lat, true_lon, true_lat, published):
    """
    The published shift that PROJ uses for most of the area; at its edges, mostly at sea, PROJ uses another one
    or none. Otherwise the closest published shift, or a fitted one if that is over 5 m better.
    """
    xyz = geocentric(lon, lat, base.ellipsoid)
    target = geocentric(true_lon, true_lat, WGS84.ellipsoid)
    usual = max(published, key=lambda shift: np.sum(misses(xyz, shift, target) < SAME), default=None)
    if usual and np.sum(misses(xyz, usual, target) < SAME) * 2 >= len(lon) and miss(xyz, usual, target) < FAR:
        return usual
    known = min([(0, 0, 0), *published], key=lambda shift: miss(xyz, shift, target))
    fit = min(fitted(xyz, target), key=lambda shift: miss(xyz, shift, target))
    return known if miss(xyz, known, target) <= miss(xyz, fit, target) + 5 else fit


def spread(west, south, east, north):
    width = east - west + (360 if east < west else 0)
    lon = np.array([west + x * width for x, _ in FRACTIONS])
    # At the poles every longitude is right.
    lat = np.clip([south + y * (north - south) for _, y in FRACTIONS], -89.9, 89.9)
    return np.where(lon > 180, lon - 360, lon), lat


def one_code(query, code):
    row = database.execute(query, (code,)).fetchone()
    return int(row[0]) if row else 0


def geographic_base(code, kind):
    """Code of the underlying geographic system."""
    query = "select geodetic_crs_code from projected_crs where auth_name = 'EPSG' and code = ?"
    return one_code(query, code) if kind == "projected" else int(code)


def definition_of(crs, shift):
    """A PROJ string for proj4, with the unit of geographic systems unless it is the degree."""
    words = []
    said = crs.to_proj4().split()
    for word in said:
        name = word.split("=")[0]
        if name in ("+no_defs", "+type", "+towgs84", "+nadgrids", "+vunits", "+vto_meter"):
            continue
        words.append("+ellps=WGS84" if word == "+datum=WGS84" else "+ellps=GRS80" if word == "+datum=NAD83" else word)
    words = ["+ellps=clrk66" if word == "+datum=NAD27" else word for word in words]
    # Web Mercator uses the ellipsoid's angles unchanged on the sphere.
    words.append("+nadgrids=@null" if "+nadgrids=@null" in said else "+towgs84=" + ",".join(f"{float(one) + 0:.10g}" for one in (shift if any(shift) else shift[:3])))
    if crs.is_geographic:
        if abs(degrees_of(crs) - 1) > 1e-9:
            words.append(f"+to_degree={degrees_of(crs):.10g}")
    return " ".join(words)


def degrees_of(crs):
    """The unit in degrees."""
    return np.degrees(crs.axis_info[0].unit_conversion_factor)


def axes_of(crs):
    return "".join({"east": "E", "north": "N", "west": "W", "south": "S"}.get(axis.direction, "?") for axis in crs.axis_info[:2])


def successor_of(code):
    """The only current successor; 0 if there is none, or several."""
    rows = database.execute(
        """select distinct d.replacement_code from deprecation d
        join crs_view v on v.auth_name = 'EPSG' and v.code = d.replacement_code and v.deprecated = 0
          and v.type in ('projected', 'geographic 2D')
        where d.deprecated_auth_name = 'EPSG' and d.deprecated_code = ? and d.replacement_auth_name = 'EPSG'
          and d.table_name in ('projected_crs', 'geodetic_crs')""",
        (code,),
    ).fetchall()
    return int(rows[0][0]) if len(rows) == 1 else 0


def horizontal_of(code, kind):
    """Code of the horizontal system, or 0."""
    if kind == "compound":
        return one_code("select horiz_crs_code from compound_crs where auth_name = 'EPSG' and code = ?", code)
    return one_code(
        """select flat.code from geodetic_crs flat
        join geodetic_crs deep on flat.datum_code = deep.datum_code and flat.datum_auth_name = deep.datum_auth_name
        where flat.auth_name = 'EPSG' and flat.type = 'geographic 2D' and flat.deprecated = 0
          and deep.auth_name = 'EPSG' and deep.code = ?
        order by flat.name <> deep.name, cast(flat.code as integer)""",
        code,
    )


def through(source, target, x, y):
    """Transforms between systems, east first. PROJ refuses a system's transformation to itself."""
    if source == target:
        return x, y
    try:
        return Transformer.from_crs(source, target, always_xy=True).transform(x, y)
    except pyproj.exceptions.ProjError as problem:
        print(source.to_epsg(), target.to_epsg(), problem, file=sys.stderr)
        return np.full(len(x), np.inf), np.full(len(y), np.inf)


def described(row, shifts):
    code, kind, name, area, west, south, east, north = row
    crs = CRS.from_epsg(code)
    one = {"code": int(code), "kind": kind, "name": name, "area": area, "box": [west, south, east, north], "axes": axes_of(crs)}
    if is_deprecated:
        one["successor"] = successor_of(code)
    if kind == "geocentric":
        return one
    if kind in ("geographic 3D", "compound"):
        return {**one, "horizontal": horizontal_of(code, kind)}
    base_code = geographic_base(code, kind)
    base = CRS.from_epsg(base_code)
    lon, lat = spread(west, south, east, north)
    meridian = base.prime_meridian.longitude * np.degrees(base.prime_meridian.unit_conversion_factor)
    x, y = through(base, crs, (lon - meridian) / degrees_of(base), lat / degrees_of(base))
    true_lon, true_lat = through(crs, WGS84, x, y)
    fine = np.isfinite(x) & np.isfinite(y) & np.isfinite(true_lon) & np.isfinite(true_lat)
    # Points outside a projection's range return to a different position.
    again = np.abs((true_lon - lon + 180) % 360 - 180) * np.cos(np.radians(lat)) + np.abs(true_lat - lat)
    fine &= np.where(fine, again, 9) < 0.05
    points = [
        [round(float(one), 9 if crs.is_geographic else 2) for one in (x[i], y[i])]
        + [round(float(true_lon[i]), 7), round(float(true_lat[i]), 7)]
        if fine[i]
        else None
        for i in range(len(FRACTIONS))
    ]
    if not fine.any():
        return {**one, "points": points}
    shift = best_shift(base, lon[fine], lat[fine], true_lon[fine], true_lat[fine], shifts.get(base_code, []))
    return {**one, "definition": definition_of(crs, shift), "points": points}


# Optional arguments restrict the codes.
asked = {int(one) for one in sys.argv[1:] if one.isdigit()}
metadata = dict(database.execute("select key, value from metadata"))
published = published_shifts()
json.dump(
    {
        "proj": pyproj.proj_version_str,
        "epsg": metadata["EPSG.VERSION"],
        "systems": [described(row, published) for row in systems() if not asked or int(row[0]) in asked],
    },
    sys.stdout,
    ensure_ascii=False,
)
