/** A file that may name the coordinate system of the one beside it. */
export interface SystemSidecar {
  readonly name: string;
  /** It does only where it holds this; null where its being there is enough. */
  readonly mark: string | null;
}

const statistics = '<SRS';

/** Where the coordinate system of `a/dgm.asc` may stand besides: `a/dgm.prj`, `a/dgm.asc.aux.xml` … */
export function sidecarsWithSystem(key: string): readonly SystemSidecar[] {
  const stem = key.replace(/(?<=[^/])\.[^./]+$/, '');
  return [
    ...[stem, key].flatMap((name) =>
      ['prj', 'qpj', 'wkt'].map((ending) => ({ name: `${name}.${ending}`, mark: null })),
    ),
    ...[stem, key].map((name) => ({ name: `${name}.aux.xml`, mark: statistics })),
  ];
}
