import type { LeftOutReason, Seen } from '../../../shared/source.ts';
import type { CallContext } from '../../files/call-thread.ts';
import { bytesOf, PickedFiles } from '../../files/file-table.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { giveMemoryBack } from '../../free-memory.ts';
import { systemClock } from '../../ports.ts';
import { soleRootOf } from '../findings/tilesets.ts';
import type { WalkResults } from '../header-scan/first-results.ts';
import type { HeaderScanProgress } from '../header-scan/header-scan.ts';
import { decisionMs } from '../headers/look-inside.ts';
import type { InspectedSource, RecognizedSource } from '../inspect-source.ts';
import { asUploaded } from './as-uploaded.ts';
import { createInspection } from './inspection.ts';
import { type SentRequest, scanSentFiles, statedSystems } from './sent-files.ts';
import { Sheet } from './sheet.ts';

/** Files excluded for one reason. */
export interface CheckedRest {
  readonly reason: LeftOutReason | 'name-not-utf8';
  readonly files: number;
  readonly bytes: number;
  /** Keys, capped. */
  readonly names: readonly string[];
}

/** An asset by its index in `separate`; `whole`: all assets; `all`: includes excluded files. */
type AssetName = number | 'whole' | 'all';

/** An asset for unattended use. */
export interface DecidedAsset extends Pick<RecognizedSource, 'paths' | 'primary' | 'suggestion'> {
  readonly asset: AssetName;
  readonly files: number;
  readonly bytes: number;
  /** Key of the file, if there is only one. */
  readonly onlyFile?: string;
  /** Key of a file that makes the kind uncertain, or null. */
  readonly inDoubt: string | null;
  /** As `soleRootOf`, for a tileset. */
  readonly tilesetRoot?: string;
}

export interface DecidedSource
  extends Pick<InspectedSource, 'paths' | 'suggestSeparate' | 'taken' | 'leftBehind' | 'isPart'> {
  readonly whole: DecidedAsset;
  readonly separate: readonly DecidedAsset[];
  /** Includes excluded files. */
  readonly totals: { readonly files: number; readonly bytes: number };
  readonly leftOutFiles: readonly CheckedRest[];
  readonly notUtf8: readonly string[];
}

/** The proposal of the New asset sheet. */
export interface Proposal extends Pick<RecognizedSource, 'suggestion'> {
  readonly sourceTypes: ReadonlySet<string>;
  /** Indexes of files outside all assets. */
  readonly leftOut: readonly number[];
  /** As `soleRootOf`, for a tileset. */
  readonly tilesetRoot?: string;
}

export interface DecideWishes {
  readonly sidecarsOnly?: boolean;
  /** Gitignore lines of files to leave out. */
  readonly exclude?: readonly string[];
}

/** Paths per message; 100,000 at once would block the caller. */
const pathsAtATime = 5_000;
/** Fewer leave little garbage. */
const manyFiles = 5_000;
/** Keys listed per reason. */
const maxNames = 1_000;

/**
 * Serves the inspection thread and owns the files of all inspected sources: the sheet's, a command's and
 * those of watched folders.
 *
 * @param file script of its own threads; default: the TypeScript source, for plain Node
 */
export function createSession(file?: URL) {
  const inspection = createInspection(systemClock, file);
  const sheet = new Sheet(inspection);
  let decided: InspectedSource | null = null;
  const givenSources = new Map<
    number,
    { readonly folder: string | undefined; readonly files: SourceFile[] }
  >();
  const given = (id: number) => givenSources.get(id) ?? { folder: undefined, files: [] };
  const lists = new Map<number, readonly string[]>();
  let lastList = 0;
  const filesOf = (asset: AssetName): SourceFiles => {
    if (typeof asset === 'number') return decided?.separate[asset]?.files ?? [];
    return (asset === 'whole' ? decided?.files : decided?.scan.files) ?? [];
  };
  const pathsFrom = (
    paths: { readonly length: number; at(place: number): string | undefined },
    startIndex: number,
  ) =>
    Array.from(
      { length: Math.min(pathsAtATime, paths.length - startIndex) },
      (_, index) => paths.at(startIndex + index) ?? '',
    );
  const scanFiles = (files: SourceFiles, { signal, notify }: CallContext<Seen>, folder?: string) =>
    inspection.scanHeaders(files, signal, ({ seen: results }) => notify(results), { folder });
  return {
    /** Inspects paths for unattended use; waits up to `decisionMs` for headers. */
    decide: async ({ paths, ...wishes }: DecideWishes & { paths: readonly string[] }) => {
      const { source, inDoubt } = await inspection.inspect(paths, { longestMs: decisionMs, ...wishes });
      decided = source;
      const factsOf = (recognized: RecognizedSource, asset: AssetName): DecidedAsset => ({
        ...{ asset, paths: recognized.paths, primary: recognized.primary, suggestion: recognized.suggestion },
        ...{ files: recognized.files.length, bytes: bytesOf(recognized.files), inDoubt: inDoubt(recognized) },
        ...(recognized.files.length === 1 && { onlyFile: recognized.files.at(0)?.key ?? '' }),
        ...rootIn(recognized, source.scan.files),
      });
      const { scan, suggestSeparate, taken, leftBehind, isPart } = source;
      return {
        ...{ paths: source.paths, suggestSeparate, taken, leftBehind, isPart },
        whole: factsOf(source, 'whole'),
        separate: source.separate.map(factsOf),
        totals: { files: scan.files.length, bytes: scan.bytes },
        leftOutFiles: restOf(source),
        notUtf8: scan.notUtf8 ?? [],
      } satisfies DecidedSource;
    },
    /** Returns the paths of a decided asset's files, one batch per call. */
    decidedPaths: ({ asset, startIndex }: { asset: AssetName; startIndex: number }) => {
      const files = filesOf(asset);
      return pathsFrom({ length: files.length, at: (place) => files.at(place)?.path }, startIndex);
    },
    scanDecided: (asset: AssetName, hearing: CallContext<Seen>) => scanFiles(filesOf(asset), hearing),
    /** Inspects what an upload sent. */
    scanSent: async (request: SentRequest, { signal, notify }: CallContext<Seen>) => {
      const files = await scanSentFiles(request, { signal, ...(file && { worker: file }) });
      const { home, keysFrom } = request.exactly ?? {};
      await inspection.scanHeaders(files, signal, ({ seen: results }) => notify(results), {
        folder: home ?? keysFrom,
        statedSystem: statedSystems(files, request),
      });
      return { files: files.length, bytes: bytesOf(files) };
    },

    /** Takes files of a source, of a watched folder if one is named. */
    give: ({ id, folder, files }: { id: number; folder?: string; files: readonly SourceFile[] }) => {
      const source = givenSources.get(id) ?? { folder, files: [] };
      source.files.push(...files);
      givenSources.set(id, source);
    },
    forget: (id: number) => {
      if (given(id).files.length >= manyFiles) giveMemoryBack();
      givenSources.delete(id);
    },
    /** Waits for headers. */
    propose: async ({ id, paths }: { id: number; paths: readonly string[] }): Promise<Proposal> => {
      const { files, folder } = given(id);
      const { source, inDoubt, isLate } = await inspection.inspect(paths, {
        ...{ longestMs: decisionMs, files, folder },
      });
      return {
        suggestion: inDoubt(source) === null ? source.suggestion : null,
        ...rootIn(source, files),
        sourceTypes: new Set(source.allPieces.flatMap(({ kind }) => kind ?? [])),
        // Photos without their headers may still be a capture.
        leftOut: isLate
          ? []
          : source.allPieces.flatMap(({ reason, files }) => (reason === null ? [] : files)),
      };
    },
    scanGiven: (id: number, hearing: CallContext<Seen>) =>
      scanFiles(given(id).files, hearing, given(id).folder),
    inspectCompleteness: (id: number) => inspection.inspectCompleteness(given(id).files, given(id).folder),
    readBeginning: ({ length, ...file }: { path: string; folder: string; length: number }) =>
      inspection.readBeginning(file, length),

    show: (wish: Parameters<Sheet['show']>[0], { notify }: CallContext<WalkResults>) =>
      sheet.show(wish, notify),
    scanHeaders: (assets: Parameters<Sheet['scanHeaders']>[0], hearing: CallContext<HeaderScanProgress>) =>
      sheet.scanHeaders(assets, hearing),
    fingerprints: (assets: Parameters<Sheet['fingerprints']>[0]) => sheet.fingerprints(assets),
    leftOut: (wish: Parameters<Sheet['leftOut']>[0]) => sheet.leftOut(wish),
    fileToShow: (wish: Parameters<Sheet['fileToShow']>[0]) => sheet.fileToShow(wish),
    partFile: (wish: Parameters<Sheet['partFile']>[0]) => sheet.partFile(wish),
    placeAs: (wish: Parameters<Sheet['placeAs']>[0]) => sheet.placeAs(wish),
    /** Returns lengths instead of path lists, which the caller then fetches. */
    wanted: async (wish: Parameters<Sheet['requestPart']>[0]) => {
      const { changes, ...part } = await sheet.requestPart(wish);
      if (!changes) return { ...part, listed: null };
      const { only, leftOut, assigned, worded, takenAlong } = changes;
      const id = ++lastList;
      const pathLists = [
        only ?? [],
        leftOut,
        ...[...assigned, ...(worded ?? [])].map((change) => change.files),
      ];
      lists.set(id, pathLists.flat());
      const listed = {
        id,
        only: only?.length,
        leftOut: leftOut.length,
        assigned: assigned.map(({ epsg, files }) => ({ epsg, files: files.length })),
        worded: worded?.map(({ wkt, files }) => ({ wkt, files: files.length })),
        takenAlong,
      };
      return { ...part, listed };
    },
    listedPaths: ({ id, startIndex }: { id: number; startIndex: number }) =>
      pathsFrom(lists.get(id) ?? [], startIndex),
    forgetList: (id: number) => {
      lists.delete(id);
    },
  };
}

export type Session = ReturnType<typeof createSession>;

/** Changes with the lengths of their path lists. */
export type ListedChanges = NonNullable<Awaited<ReturnType<Session['wanted']>>['listed']>;

function rootIn(asset: RecognizedSource, sourceFiles: SourceFiles): Pick<DecidedAsset, 'tilesetRoot'> {
  if (asset.suggestion?.sourceType !== '3DTILES') return {};
  const isArchive = asset.archivedNames.length > 0;
  const root = soleRootOf(
    isArchive ? asset.archivedNames.map((key) => ({ key })) : asUploaded(asset, sourceFiles),
  );
  return root === null ? {} : { tilesetRoot: root };
}

function restOf({ allPieces, scan }: InspectedSource): readonly CheckedRest[] {
  const { notUtf8 = [] } = scan;
  const unnamed = { reason: 'name-not-utf8', files: notUtf8.length, bytes: 0 } as const;
  const pieces = allPieces.flatMap(({ reason, files }): readonly CheckedRest[] => {
    if (reason === null) return [];
    const names = Array.from(new PickedFiles(scan.files, files.slice(0, maxNames)), ({ key }) => key);
    const bytes = bytesOf(new PickedFiles(scan.files, files));
    return [{ reason, files: files.length, bytes, names }];
  });
  return notUtf8.length === 0 ? pieces : [...pieces, { ...unnamed, names: notUtf8.slice(0, maxNames) }];
}
