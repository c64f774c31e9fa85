import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FindingId } from '../../../shared/findings.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { defaultReadStallMs, withoutStall } from '../../files/stalled-read.ts';
import { type ScanOptions, scanSource } from '../../files/walk/scan.ts';
import type { Clock } from '../../ports.ts';
import { loadSystems } from '../crs/systems.ts';
import { type UnplacedFiles, withSystem } from '../crs/unplaced-files.ts';
import { createFindings, type Findings, maxKeys } from '../findings/create-findings.ts';
import type { NamedSystem } from '../formats/systems/coordinate-system.ts';
import { namedByAsset } from '../grouping/asset-files.ts';
import { readReferences } from '../grouping/read-references.ts';
import { type HeaderScanProgress, scanHeaders } from '../header-scan/header-scan.ts';
import { HeaderCache } from '../headers/header-cache.ts';
import { tasksFor } from '../headers/header-task.ts';
import { createInspectionThread, type InspectionThread } from '../headers/inspection-thread.ts';
import {
  decisionMs,
  inspectFirstFiles,
  type Look,
  lookOf,
  membersMsOf,
  quickly,
} from '../headers/look-inside.ts';
import type { HeaderTask } from '../headers/read-header.ts';
import { unnamed } from '../headers/sidecar-names.ts';
import { type InspectedSource, inspectSource } from '../inspect-source.ts';
import { fileInDoubt } from '../kind-of-data.ts';
import { findCompanions } from '../together/companions.ts';
import { includeCompanions } from '../together/include-companions.ts';
import { createReferences, type References } from '../together/references.ts';
import { type Completeness, inspectCompleteness, mayBeUnfilled } from './completeness.ts';

/** Parallel readers on a slow drive, which mostly wait. */
const readersAtATime = 16;
/** Limit of files named per finding: over all assets, and the minimum per asset. */
const [allKeys, fewestKeys] = [5_000, 20];

const keysOfEach = (assets: number): number =>
  Math.min(maxKeys, Math.max(fewestKeys, Math.floor(allKeys / assets)));

interface InspectOptions {
  /** Longest wait for headers: `guessMs` or `decisionMs`. */
  readonly longestMs: number;
  readonly sent?: Parameters<typeof inspectSource>[2];
  readonly onFiles?: ScanOptions['onFiles'];
  /** As in `includeCompanions`. Default: false. */
  readonly sidecarsOnly?: boolean;
  /** Gitignore lines of files to leave out. Default: none. */
  readonly exclude?: readonly string[];
  /** Default: scans the paths. */
  readonly files?: SourceFiles;
  /** A watched folder, outside of which nothing is read. */
  readonly folder?: string | undefined;
}

interface HeaderScanOptions {
  /** Number of files per asset, in the order of `files`. Default: one asset. */
  readonly lengths?: readonly number[];
  /** Collects files without a position. */
  readonly unplaced?: UnplacedFiles | undefined;
  /** A watched folder, outside of which nothing is read. */
  readonly folder?: string | undefined;
  /** Returns a file's system that was stated for the upload, or null. Default: none. */
  readonly statedSystem?: ((file: Look) => NamedSystem | null) | undefined;
}

interface InspectionResult {
  readonly source: InspectedSource;
  /** Applies `fileInDoubt` to the source or one of its assets. */
  readonly inDoubt: (asset: Pick<InspectedSource, 'suggestion' | 'files'>) => string | null;
  readonly isLate: boolean;
}

/** Inspects files before an upload, without journal, account or network. */
export interface Inspection {
  inspect(paths: readonly string[], wishes: InspectOptions): Promise<InspectionResult>;
  /** Throws `source-stalled` if the drive hangs. */
  findCompanions(folder: string, names: readonly string[]): ReturnType<typeof findCompanions>;
  /**
   * Inspects all files and reports results. Stops when the signal aborts or the drive hangs.
   *
   */
  scanHeaders(
    files: SourceFiles,
    signal: AbortSignal,
    notify: (news: HeaderScanProgress) => void,
    options?: HeaderScanOptions,
  ): Promise<void>;
  /** Inspects the files of a watched folder that show best whether it is complete. */
  inspectCompleteness(files: readonly SourceFile[], folder?: string): Promise<Completeness>;
  readBeginning: References['readBeginning'];
  /** Keys of all files with a finding, also after the latest survey has stopped, since uploads start then. */
  showing(finding: FindingId): readonly string[];
  close(): void;
}

/** @param file script of the reading threads; default: the TypeScript source, for plain Node */
export function createInspection(clock: Clock, file?: URL): Inspection {
  const looks = createInspectionThread(file);
  const references = createReferences(looks, 'dropped');
  const cache = new HeaderCache();
  let findings: Findings | null = null;
  const askIn =
    (folder: string | undefined, { ask }: InspectionThread = looks) =>
    (task: HeaderTask) =>
      ask(folder === undefined ? task : { ...task, folder });
  const findInTime = (folder: string, names: readonly string[]) =>
    withoutStall(findCompanions(folder, names, references), folder, defaultReadStallMs);
  const openReaders = (folder: string | undefined) => {
    const threads = Array.from({ length: readersAtATime }, () => createInspectionThread(file));
    return {
      readers: threads.map((thread) => askIn(folder, thread)),
      close: () => {
        for (const { close } of threads) close();
      },
    };
  };
  return {
    inspect: async (
      paths,
      { longestMs, sent, onFiles, sidecarsOnly, exclude = [], files: givenFiles, folder },
    ) => {
      const read = (task: HeaderTask) => cache.read(task, askIn(folder));
      const archivesUntil = performance.now() + longestMs;
      let [headerLooks, late]: [ReadonlyMap<string, Look>, string | null] = [new Map(), null];
      const unstalled = <T>(reading: Promise<T>) =>
        withoutStall(reading, paths[0] ?? '', longestMs + defaultReadStallMs);
      const parts: Parameters<typeof inspectSource>[1] = {
        scan: (pathsToScan) =>
          givenFiles
            ? Promise.resolve({ files: givenFiles, bytes: 0, ignored: [] })
            : scanSource(pathsToScan, {
                ...(file && { worker: file }),
                ...(onFiles && { onFiles }),
                gitignore: exclude,
              }),
        inspectFirstFiles: async (groups, allFiles) => {
          const onLate = (key: string) => {
            late = key;
          };
          headerLooks = await unstalled(inspectFirstFiles(groups, allFiles, clock, read, longestMs, onLate));
          return headerLooks;
        },
        inspectArchive: async (file) => {
          const membersMs = Math.max(0, Math.min(membersMsOf(longestMs), archivesUntil - performance.now()));
          const [task] = tasksFor([file], [file]);
          const answer = task && withoutStall(read(quickly(task, membersMs)), file.path, defaultReadStallMs);
          return lookOf(file.key, (await answer?.catch(() => null)) ?? null);
        },
        readReferences: (sourceFiles) =>
          unstalled(
            readReferences(
              sourceFiles,
              (referencing) => references.read({ ...referencing, ...(folder !== undefined && { folder }) }),
              clock,
              longestMs === decisionMs ? longestMs : undefined,
            ),
          ),
        ...(!givenFiles && {
          includeCompanions: (dropped) => includeCompanions(dropped, findInTime, sidecarsOnly),
        }),
      };
      const source = await inspectSource(paths, parts, sent);
      return {
        source,
        isLate: late !== null,
        inDoubt: ({ suggestion, files }) => fileInDoubt(suggestion, files, headerLooks, late),
      };
    },
    findCompanions: findInTime,
    scanHeaders: async (
      files,
      signal,
      notify,
      { lengths = [files.length], unplaced, folder, statedSystem = () => null } = {},
    ) => {
      // Load the projection code with the first survey.
      const { outlines } = await import('../crs/footprints.ts');
      const { toLonLat } = await import('../crs/lon-lat.ts');
      const systems = await loadSystems();
      const earth = { ...systems, toLonLat };
      const allFindings = createFindings(files, earth);
      findings = allFindings;
      const sourceFindings: Findings = {
        ...allFindings,
        // A stated system isn't the file's fault.
        add: (look) => allFindings.add(statedSystem(look) ? withSystem(look, unnamed) : look),
      };
      const outline = outlines(systems);
      const ofAssets = lengths.length > 1 ? namedByAsset(files, lengths) : [];
      const assets = {
        lengths: ofAssets.length > 0 ? lengths : [files.length],
        findings: ofAssets.map((assetNames) =>
          createFindings(assetNames, earth, undefined, keysOfEach(ofAssets.length)),
        ),
      };
      let lastNews: HeaderScanProgress | null = null;
      await scanHeaders(
        files,
        {
          ...{
            cache,
            findings: sourceFindings,
            assets,
            outline: (look: Look) => {
              const system = statedSystem(look);
              const ring = outline(system ? withSystem(look, system) : look);
              if (!ring) unplaced?.add(look);
              return ring;
            },
            read: askIn(folder),
            openReaders: () => openReaders(folder),
          },
          currentTime: () => performance.now(),
          pause: () => setImmediate(),
          wait: (ms, abortSignal) =>
            setTimeout(ms, undefined, { signal: abortSignal, ref: false }).catch(() => {}),
          notify: (news) => {
            lastNews = news;
            if (!signal.aborted) notify(news);
          },
        },
        signal,
      );
      if (!signal.aborted && (lastNews as HeaderScanProgress | null)?.seen.state === 'stopped') looks.close();
    },
    inspectCompleteness: (files, folder) =>
      inspectCompleteness(files, async (task) => {
        const stored = cache.get(task);
        if (stored && !mayBeUnfilled(stored)) return stored;
        // A rule that downloads no files from the cloud waits for them before.
        const reading = askIn(folder)({ ...task, downloads: true });
        const answer = await withoutStall(reading, task.path, defaultReadStallMs).catch((error) => {
          // A new thread serves the next call.
          looks.close();
          throw error;
        });
        if (answer) cache.store(task, answer);
        return answer;
      }),
    readBeginning: references.readBeginning,
    showing: (finding) => findings?.showing(finding) ?? [],
    close: looks.close,
  };
}
