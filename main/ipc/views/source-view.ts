import { basename, dirname, extname, relative, sep } from 'node:path';
import type { ForecastView, LastChoiceView, SourcePartView, SourceView } from '../../../preload/contract.ts';
import { findLacking } from '../../source/heads/lacking.ts';
import type { Look } from '../../source/heads/look-inside.ts';
import { suggestKind } from '../../source/kind-of-data.ts';
import type { Scan } from '../../source/model.ts';
import type { SourcePart } from '../../source/source-parts.ts';

export interface InspectedSource {
  readonly paths: readonly string[];
  readonly scan: Scan;
  readonly parts: readonly SourcePart[];
  readonly looks: ReadonlyMap<string, Look>;
}

/** What is known beyond the source itself. */
export interface Knowledge {
  readonly forecast: (bytes: number, files: number) => ForecastView | null;
  /** What was chosen last for a kind of data. */
  readonly recall: (kindKey: string) => LastChoiceView | null;
}

const mostListed = 500;
/** Kinds of which one file or folder is a whole data set, not a tile of one. */
const wholeByThemselves = new Set(['3D_MODEL', 'BIM_CAD', 'KML', '3DTILES', 'TERRAIN_DATABASE']);

/** What the New asset sheet says of a scanned source. */
export function sourceView(source: InspectedSource, knowledge: Knowledge): SourceView {
  const { paths, scan, looks } = source;
  const { ignored, links = [], emptyFolders = [] } = scan;
  const parts = source.parts.map((part) => partView(part, looks, knowledge));
  const relativeToSource = (path: string) => displayPath(path, paths);
  return {
    ...partView({ paths, ...scan }, looks, knowledge),
    paths,
    extensions: countExtensions(scan),
    ignoredCount: ignored.length,
    ignoredNames: ignored.slice(0, mostListed).map(relativeToSource).sort(),
    linkCount: links.length,
    links: links.slice(0, mostListed).map(relativeToSource).sort(),
    emptyFolderCount: emptyFolders.length,
    emptyFolders: emptyFolders.slice(0, mostListed).map(relativeToSource).sort(),
    lacking: findLacking(
      scan.files.map(({ key }) => key),
      [...looks.values()],
    ),
    parts,
    suggestParts: suggestParts(source.parts, parts),
  };
}

function partView(
  { paths, files, archivedNames }: SourcePart,
  looks: ReadonlyMap<string, Look>,
  { forecast, recall }: Knowledge,
): SourcePartView {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const looked = files.flatMap(({ key }) => looks.get(key) ?? []);
  const suggestion = suggestKind({ files, ...(archivedNames ? { archivedNames } : {}) }, looked);
  // Data that nobody recognises is remembered by its commonest ending.
  const kindKey =
    suggestion?.sourceType ?? (countExtensions({ files })[0]?.extension.slice(0, 200) || 'none');
  return {
    paths,
    suggestedName: suggestName(paths),
    fileCount: files.length,
    bytes,
    suggestion,
    kindKey,
    lastChoice: recall(kindKey),
    forecast: forecast(bytes, files.length),
  };
}

/** Different kinds are different assets; of one kind, folders, archives and what is whole by itself. Files of one kind are rather tiles of one data set. */
function suggestParts(parts: readonly SourcePart[], views: readonly SourcePartView[]): boolean {
  const kinds = new Set(views.map(({ suggestion }) => suggestion?.sourceType));
  if (parts.length < 2 || kinds.has(undefined)) return false;
  const [only = ''] = kinds;
  if (kinds.size > 1 || wholeByThemselves.has(only)) return true;
  return parts.every(
    ({ paths, files, archivedNames }) =>
      archivedNames !== undefined || (paths.length === 1 && files.every(({ path }) => path !== paths[0])),
  );
}

function countExtensions({ files }: Pick<Scan, 'files'>): SourceView['extensions'] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const extension = extname(file.key).toLowerCase();
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return [...counts].map(([extension, count]) => ({ extension, count })).sort((a, b) => b.count - a.count);
}

/** Relative to the one dropped folder; with its name before it where several were dropped. */
function displayPath(path: string, paths: readonly string[]): string {
  const entry = paths.find((one) => path === one || path.startsWith(one.endsWith(sep) ? one : one + sep));
  if (entry === undefined) return path;
  return relative(paths.length === 1 ? entry : dirname(entry), path) || basename(path);
}

/** The folder's or file's name as a person would say it: `LoD2_Altstadt.zip` becomes "LoD2 Altstadt". */
function suggestName(paths: readonly string[]): string {
  const first = paths[0] ?? '';
  const name = basename(first, extname(first)) || basename(first);
  return name.replaceAll('_', ' ').trim();
}
