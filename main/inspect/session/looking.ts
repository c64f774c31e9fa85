import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FindingId } from '../../../shared/findings.ts';
import type { SourceFiles } from '../../files/model.ts';
import { defaultReadStallMs, withoutStall } from '../../files/stalled-read.ts';
import { type ScanOptions, scanSource } from '../../files/walk/scan.ts';
import type { Clock } from '../../outside.ts';
import { loadSystems } from '../crs/systems.ts';
import { createFindings, type Findings, maxKeys } from '../findings/create-findings.ts';
import { namedByAsset } from '../grouping/asset-files.ts';
import { readNamed } from '../grouping/read-named.ts';
import { LookCache } from '../headers/look-cache.ts';
import { decisionMs, type Look, lookInside } from '../headers/look-inside.ts';
import { createLookThread } from '../headers/look-thread.ts';
import { type InspectedSource, inspectSource } from '../inspect-source.ts';
import { fileInDoubt } from '../kind-of-data.ts';
import { type SurveyNews, survey } from '../survey/survey.ts';
import { filesAlong } from '../together/along.ts';
import { createReferences } from '../together/references.ts';
import { takeAlong } from '../together/take-along.ts';

/** Parallel readers on a slow drive, which mostly wait. */
const readersAtATime = 16;
/** Limit of files named per finding: over all assets, and the minimum per asset. */
const [allKeys, fewestKeys] = [5_000, 20];

const keysOfEach = (assets: number): number =>
  Math.min(maxKeys, Math.max(fewestKeys, Math.floor(allKeys / assets)));

interface InspectWishes {
  /** Longest wait for headers: `guessMs` or `decisionMs`. */
  readonly longestMs: number;
  readonly sent?: Parameters<typeof inspectSource>[2];
  readonly onFiles?: ScanOptions['onFiles'];
  /** As in `takeAlong`. Default: false. */
  readonly sidecarsOnly?: boolean;
  /** Gitignore lines of files to leave out. Default: none. */
  readonly exclude?: readonly string[];
  /** Default: scans the paths. */
  readonly files?: SourceFiles;
}

interface Looked {
  readonly source: InspectedSource;
  /** Applies `fileInDoubt` to the source or one of its assets. */
  readonly inDoubt: (asset: Pick<InspectedSource, 'suggestion' | 'files'>) => string | null;
  readonly isLate: boolean;
}

/** Inspects files before an upload, without journal, account or network. */
export interface Looking {
  inspect(paths: readonly string[], wishes: InspectWishes): Promise<Looked>;
  /** Throws `source-stalled` if the drive hangs. */
  filesAlong(folder: string, names: readonly string[]): ReturnType<typeof filesAlong>;
  /**
   * Inspects all files and reports results. Stops when the signal aborts or the drive hangs.
   *
   * @param lengths number of files per asset, in the order of `files`. Default: one asset
   */
  survey(
    files: SourceFiles,
    signal: AbortSignal,
    tell: (news: SurveyNews) => void,
    lengths?: readonly number[],
  ): Promise<void>;
  /** Keys of all files with a finding, also after the latest survey has stopped, since uploads start then. */
  showing(finding: FindingId): readonly string[];
  close(): void;
}

/** @param file script of the reading threads; default: the TypeScript source, for plain Node */
export function createLooking(clock: Clock, file?: URL): Looking {
  const looks = createLookThread(file);
  const references = createReferences(looks, 'dropped');
  const cache = new LookCache();
  let findings: Findings | null = null;
  const along = (folder: string, names: readonly string[]) =>
    withoutStall(filesAlong(folder, names, references), folder, defaultReadStallMs);
  const openReaders = () => {
    const threads = Array.from({ length: readersAtATime }, () => createLookThread(file));
    return {
      readers: threads.map(({ ask }) => ask),
      close: () => {
        for (const { close } of threads) close();
      },
    };
  };
  return {
    inspect: async (paths, { longestMs, sent, onFiles, sidecarsOnly, exclude = [], files: given }) => {
      let [seen, late]: [ReadonlyMap<string, Look>, string | null] = [new Map(), null];
      const unstalled = <T>(asked: Promise<T>, stallMs = longestMs + defaultReadStallMs) =>
        withoutStall(asked, paths[0] ?? '', stallMs);
      const parts: Parameters<typeof inspectSource>[1] = {
        scan: (found) =>
          given
            ? Promise.resolve({ files: given, bytes: 0, ignored: [] })
            : scanSource(found, {
                ...(file && { worker: file }),
                ...(onFiles && { onFiles }),
                gitignore: exclude,
              }),
        lookInside: async (sources) => {
          const onLate = (key: string) => {
            late = key;
          };
          seen = await unstalled(lookInside(sources, clock, looks, longestMs, onLate));
          return seen;
        },
        readNamed: (all) =>
          unstalled(readNamed(all, references.read, clock, longestMs === decisionMs ? longestMs : undefined)),
        ...(!given && { takeAlong: (dropped) => takeAlong(dropped, along, sidecarsOnly) }),
      };
      const source = await inspectSource(paths, parts, sent);
      return {
        source,
        isLate: late !== null,
        inDoubt: ({ suggestion, files }) => fileInDoubt(suggestion, files, seen, late),
      };
    },
    filesAlong: along,
    survey: async (files, signal, tell, lengths = [files.length]) => {
      // Load the projection code with the first survey.
      const { outlines } = await import('../crs/footprints.ts');
      const { toLonLat } = await import('../crs/lon-lat.ts');
      const systems = await loadSystems();
      const earth = { ...systems, toLonLat };
      const mine = createFindings(files, earth);
      findings = mine;
      const ofAssets = lengths.length > 1 ? namedByAsset(files, lengths) : [];
      const assets = {
        lengths: ofAssets.length > 0 ? lengths : [files.length],
        findings: ofAssets.map((own) => createFindings(own, earth, undefined, keysOfEach(ofAssets.length))),
      };
      let last: SurveyNews | null = null;
      await survey(
        files,
        {
          ...{ cache, findings: mine, assets, outline: outlines(systems), read: looks.ask, openReaders },
          now: () => performance.now(),
          pause: () => setImmediate(),
          wait: (ms, over) => setTimeout(ms, undefined, { signal: over, ref: false }).catch(() => {}),
          tell: (news) => {
            last = news;
            if (!signal.aborted) tell(news);
          },
        },
        signal,
      );
      if (!signal.aborted && (last as SurveyNews | null)?.seen.state === 'stopped') looks.close();
    },
    showing: (finding) => findings?.showing(finding) ?? [],
    close: looks.close,
  };
}
