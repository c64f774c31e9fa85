import { basename, dirname, extname, relative, sep } from 'node:path';
import type { Forecast, MadeBeforeView, SeparateSourceView, SourceView } from '../../../preload/contract.ts';
import type { FindingGroup } from '../../../shared/findings.ts';
import { findKind } from '../../../shared/kinds.ts';
import type { Scan } from '../../files/model.ts';
import { createPage, type Page } from '../../files/pages.ts';
import type { InspectedSource, RecognizedSource } from '../../inspect/inspect-source.ts';
import { say } from '../../say.ts';
import { pieceViews } from './piece-views.ts';

/** What is known beyond the source itself. */
export interface Knowledge {
  readonly forecast: (bytes: number, files: number) => Forecast | null;
  /** What was chosen last for a kind of data. */
  readonly recall: (kindKey: string) => SourceView['lastChoice'];
  /** Findings with what lies beside their files; default: nothing does. */
  readonly withOffers?: (groups: readonly FindingGroup[]) => readonly FindingGroup[];
  /** What became of each of several assets; default: nothing is known. */
  readonly madeBefore?: readonly (MadeBeforeView | null)[];
}

const maxListed = 500;

/** What the New asset sheet says of a source. */
export async function sourceView(source: InspectedSource, knowledge: Knowledge): Promise<SourceView> {
  const page = createPage();
  const { withOffers = (groups) => groups } = knowledge;
  const { paths, scan, findings, separate, suggestSeparate, footprints, taken } = source;
  const { ignored, links = [], emptyFolders = [], notUtf8 = [] } = scan;
  const views: SeparateSourceView[] = [];
  for (const [group, one] of separate.entries()) {
    const made = knowledge.madeBefore?.[group];
    const view = { ...(await separateView(one, knowledge, page)), group };
    views.push(made ? { ...view, madeBefore: made } : view);
  }
  const relativeToSource = (path: string) => displayPath(path, paths);
  return {
    ...(await separateView(source, knowledge, page)),
    paths,
    extensions: await countExtensions(scan, page),
    ignoredCount: ignored.length,
    ignoredNames: ignored.slice(0, maxListed).map(relativeToSource).sort(),
    linkCount: links.length,
    links: links.slice(0, maxListed).map(relativeToSource).sort(),
    emptyFolderCount: emptyFolders.length,
    emptyFolders: emptyFolders.slice(0, maxListed).map(relativeToSource).sort(),
    ...(notUtf8.length > 0 && {
      notUtf8: { count: notUtf8.length, names: notUtf8.slice(0, maxListed).map(relativeToSource).sort() },
    }),
    footprints,
    findings: withOffers(findings),
    density: null,
    seen: null,
    separate: withOwnNames(views),
    assets: separate.map(({ seen }, group) => ({
      ...{ group, ...seen },
      findings: withOffers(seen.findings),
    })),
    suggestSeparate,
    pieces: await pieceViews(source.allPieces, scan.files, page),
    taken,
    fileCount: scan.files.length,
    bytes: scan.bytes,
  };
}

async function separateView(
  { paths, files, pieces, primary, suggestion }: RecognizedSource,
  { forecast, recall }: Knowledge,
  page: Page,
): Promise<Omit<SeparateSourceView, 'group'>> {
  let bytes = 0;
  for (const { size } of files) {
    bytes += size;
    if (page.isFull()) await page.turn();
  }
  // Data that nobody recognises is remembered by its commonest extension.
  const kindKey =
    suggestion?.sourceType ??
    ((await countExtensions({ files }, page))[0]?.extension.slice(0, 200) || 'none');
  return {
    paths,
    pieces,
    suggestedName: suggestName(primary === null ? paths : [primary]),
    fileCount: files.length,
    bytes,
    suggestion,
    kindKey,
    lastChoice: recall(kindKey),
    forecast: forecast(bytes, files.length),
  };
}

/** Of several with one name each is told by its kind: `Essen · Imagery`. */
function withOwnNames(separate: readonly SeparateSourceView[]): readonly SeparateSourceView[] {
  const names = Map.groupBy(separate, ({ suggestedName }) => suggestedName);
  return separate.map((one) => {
    const known = findKind(one.suggestion?.sourceType ?? '');
    if (!known || (names.get(one.suggestedName)?.length ?? 0) < 2) return one;
    return { ...one, suggestedName: `${one.suggestedName} · ${say(`kinds.source.${known.sourceType}`)}` };
  });
}

async function countExtensions(
  { files }: Pick<Scan, 'files'>,
  page: Page,
): Promise<SourceView['extensions']> {
  const counts = new Map<string, number>();
  for (const file of files) {
    const extension = extname(file.key).toLowerCase();
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
    if (page.isFull()) await page.turn();
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
