const words = (text: string): readonly string[] => text.split(' ');

interface Family {
  readonly primaries: readonly string[];
  readonly sidecars: readonly string[];
}

const rasters = words(
  'tif tiff img jp2 j2k ecw sid asc flt bil bip bsq dem ddf dt0 dt1 dt2 hgt bt grd nc vrt jpg jpeg png gif bmp webp src dat raw',
);

const families: readonly Family[] = [
  // Pyramids, statistics, projections, colour tables, headers, camera models.
  {
    primaries: rasters,
    sidecars: words(
      'aux aux.xml ovr msk rrd rde ige prj wld hdr stx clr tab map rpb rpc imd qpj vat.dbf vat.cpg',
    ),
  },
  // World files are named after the picture's kind.
  { primaries: words('tif tiff'), sidecars: words('tfw tifw tiffw tfwx') },
  { primaries: words('jpg jpeg'), sidecars: words('jgw jpw jpgw jpegw jgwx') },
  { primaries: words('png'), sidecars: words('pgw pngw pgwx') },
  { primaries: words('jp2 j2k'), sidecars: words('j2w jp2w') },
  { primaries: words('gif'), sidecars: words('gfw gifw') },
  { primaries: words('bmp'), sidecars: words('bpw bmpw') },
  { primaries: words('webp'), sidecars: words('wpw webpw') },
  { primaries: words('sid'), sidecars: words('sdw') },
  { primaries: words('ecw'), sidecars: words('eww ers') },
  { primaries: words('bil bip bsq flt'), sidecars: words('blw bqw') },
  {
    primaries: words('shp'),
    sidecars: words('shx dbf prj cpg cst sbn sbx qix qmd qpj fix atx ain aih ixs mxs idm ind shp.xml'),
  },
  { primaries: words('las laz copc e57 ply pts ptx xyz'), sidecars: words('prj wkt lax lox') },
  { primaries: words('obj'), sidecars: words('mtl prj') },
  { primaries: words('dae fbx 3ds stl ply'), sidecars: words('prj') },
  { primaries: words('gltf'), sidecars: words('bin') },
  { primaries: words('gml citygml'), sidecars: words('gfs xsd prj') },
  { primaries: words('ifc'), sidecars: words('prj') },
];

/** Sidecars next to a file of their stem, otherwise sources. */
const ambiguous = new Set(words('dbf map tab bin ers'));

const sidecarOf = new Map<string, Set<string>>();
for (const { primaries, sidecars } of families) {
  for (const sidecar of sidecars) {
    const dataExtensions = sidecarOf.get(sidecar) ?? new Set();
    for (const primary of primaries) dataExtensions.add(primary);
    sidecarOf.set(sidecar, dataExtensions);
  }
}

/** Extensions that only sidecars have. */
export const strictSidecars: ReadonlySet<string> = new Set(
  [...sidecarOf.keys()].filter((extension) => !ambiguous.has(extension)),
);

/** Extensions of notes about any file of the same stem. */
export const weakSidecars: ReadonlySet<string> = new Set(
  words('xml txt json csv md5 sha1 sha256 yaml yml html pdf log'),
);

/** Extensions appended to a full file name: `a.tif.ovr`, `a.zip.md5`. */
export const namesInFull: ReadonlySet<string> = new Set([
  ...words('aux xml ovr msk prj wkt hdr points txt json md5 sha1 sha256 sha512 gmd lox lax rrd ige'),
]);

/** Whether these extensions make a sidecar and its primary if the stems are equal. */
export function fitsBesides(sidecar: string, primary: string): boolean {
  return sidecarOf.get(sidecar)?.has(primary) === true;
}
