import type { Scan, SourceFiles } from '../files/model.ts';
import { createPage } from '../files/pages.ts';
import { defaultReadStallMs, withoutStall } from '../files/stalled-read.ts';
import { type ScanOptions, scanSource } from '../files/walk/scan.ts';
import type { Clock } from '../outside.ts';
import { readNamed } from './grouping/read-named.ts';
import { decisionMs, guessMs, type Look, lookInside } from './headers/look-inside.ts';
import { createLookThread } from './headers/look-thread.ts';
import type { InspectedSource, inspectSource, RecognizedSource } from './inspect-source.ts';
import { fileInDoubt } from './kind-of-data.ts';
import { createSurveyThread, type SurveyThread } from './survey/survey-thread.ts';
import { filesAlong } from './together/along.ts';
import { createReferences } from './together/references.ts';
import { takeAlong } from './together/take-along.ts';

/** With the key of the file that keeps its kind from being certain; null where it is certain. */
export type Decided<Source> = Source & { readonly inDoubt: string | null };
export type DecidedSource = Decided<Omit<InspectedSource, 'separate'>> & {
  readonly separate: readonly Decided<RecognizedSource>[];
};

/** Looks at sources, in threads of its own that begin when they are needed. */
export interface Inspector {
  /** As `scanSource`. */
  readonly scan: (paths: readonly string[]) => Promise<Scan>;
  /** As `inspectSource`, for everything that acts on the kind: waits up to `decisionMs` for headers. */
  readonly inspect: (
    paths: readonly string[],
    /** As of `takeAlong`. Default: false. */
    sidecarsOnly?: boolean,
  ) => Promise<DecidedSource>;
  /**
   * As `inspectSource`, with a guess at the kind after `guessMs`. Only for the sheet, where a person sees and
   * corrects it.
   */
  readonly preview: (
    paths: readonly string[],
    sent?: Parameters<typeof inspectSource>[2],
    onFiles?: ScanOptions['onFiles'],
  ) => Promise<InspectedSource>;
  /** As `filesAlong`; throws `source-stalled` where the drive does not answer. */
  readonly filesAlong: (folder: string, names: readonly string[]) => ReturnType<typeof filesAlong>;
  readonly survey: SurveyThread['survey'];
  readonly showing: SurveyThread['showing'];
  /** Ends the threads. */
  close(): void;
}

interface InspectorParts {
  readonly clock: Clock;
  /** The worker that scans folders. */
  readonly worker: URL;
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
  /** Called when looking at a source of many files has thrown much away. Default: nothing. */
  readonly onLooked?: (() => void) | undefined;
}

interface WithinOptions {
  readonly sent?: Parameters<typeof inspectSource>[2];
  readonly onFiles?: ScanOptions['onFiles'];
  readonly sidecarsOnly?: boolean;
  /** Called with the headers that were read, and the file that was late (`onLate` of `lookInside`). */
  readonly onLooks?: (looks: ReadonlyMap<string, Look>, late: string | null) => void;
}

/** A look at fewer leaves nothing worth a pause. */
const manyFiles = 5_000;

/** All that looks at a source before it is an upload: free of journal, account and network. */
export function createInspector({ clock, worker, signal, onLooked }: InspectorParts): Inspector {
  const looks = createLookThread(worker);
  const references = createReferences(looks, 'dropped');
  const along = (folder: string, names: readonly string[]) => filesAlong(folder, names, references);
  const surveys = createSurveyThread(worker);
  const scan = (paths: readonly string[], onFiles?: ScanOptions['onFiles']) =>
    scanSource(paths, { ...{ worker, signal }, ...(onFiles && { onFiles }) });
  const looked = ({ length }: SourceFiles) => {
    if (length >= manyFiles) onLooked?.();
  };
  const unstalled = <T>(asked: Promise<T>, path = '', stallMs = defaultReadStallMs) =>
    withoutStall(asked, path, stallMs, signal);
  const inspectWithin = async (
    longestMs: number,
    paths: readonly string[],
    { sent, onFiles, sidecarsOnly, onLooks }: WithinOptions,
  ): Promise<InspectedSource> => {
    // What understands systems of coordinates is loaded when somebody looks at a source.
    const { inspectSource } = await import('./inspect-source.ts');
    const look = async (sources: readonly SourceFiles[]) => {
      let late: string | null = null;
      const onLate = (key: string) => {
        late = key;
      };
      const seen = await lookInside(sources, clock, looks, longestMs, { onLate });
      onLooks?.(seen, late);
      return seen;
    };
    const stallMs = longestMs + defaultReadStallMs;
    const namedMs = longestMs === decisionMs ? decisionMs : undefined;
    const parts: Parameters<typeof inspectSource>[1] = {
      scan: (found) => scan(found, onFiles),
      lookInside: (sources) => unstalled(look(sources), paths[0], stallMs),
      readNamed: (files) =>
        unstalled(readNamed(files, references.read, clock, createPage(signal), namedMs), paths[0], stallMs),
      takeAlong: (dropped) => unstalled(takeAlong(dropped, along, sidecarsOnly), dropped[0]),
    };
    const source = await inspectSource(paths, parts, sent);
    looked(source.scan.files);
    return source;
  };
  return {
    scan: (paths) => scan(paths),
    inspect: async (paths, sidecarsOnly = false) => {
      let seen: readonly [ReadonlyMap<string, Look>, string | null] = [new Map(), null];
      const onLooks: WithinOptions['onLooks'] = (...news) => {
        seen = news;
      };
      const source = await inspectWithin(decisionMs, paths, { sidecarsOnly, onLooks });
      const decided = <Source extends RecognizedSource>(one: Source): Decided<Source> => ({
        ...one,
        inDoubt: fileInDoubt(one.suggestion, one.files, ...seen),
      });
      return { ...decided(source), separate: source.separate.map(decided) };
    },
    preview: (paths, sent, onFiles) =>
      inspectWithin(guessMs, paths, { ...(sent && { sent }), ...(onFiles && { onFiles }) }),
    filesAlong: (folder, names) => unstalled(along(folder, names), folder),
    survey: (files, gone, tell, lengths) =>
      surveys.survey(files, gone, tell, lengths).finally(() => looked(files)),
    showing: surveys.showing,
    close: () => {
      looks.close();
      surveys.close();
    },
  };
}
