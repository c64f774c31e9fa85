import type { Clock } from '../outside.ts';
import { lookInside } from './heads/look-inside.ts';
import { createLookThread } from './heads/look-thread.ts';
import { createSurveyThread, type SurveyThread } from './heads/survey-thread.ts';
import type { InspectedSource, inspectSource } from './inspect-source.ts';
import type { Scan, SourceFiles } from './model.ts';
import { createPage } from './pages.ts';
import { readNamed } from './proposal/read-named.ts';
import { defaultReadStallMs, withoutStall } from './stalled-read.ts';
import { filesAlong } from './together/along.ts';
import { createReferences } from './together/references.ts';
import { takeAlong } from './together/take-along.ts';
import { type ScanOptions, scanSource } from './walk/scan.ts';
import { prepareWalk } from './walk/scan-workers.ts';

/** Looks at sources, in threads of its own that begin when they are needed. */
export interface Inspector {
  /** As `scanSource`. */
  readonly scan: (paths: readonly string[]) => Promise<Scan>;
  /** As `inspectSource`. */
  readonly inspect: (
    paths: readonly string[],
    sent?: Parameters<typeof inspectSource>[2],
    onFiles?: ScanOptions['onFiles'],
    /** As of `takeAlong`. Default: false. */
    sidecarsOnly?: boolean,
  ) => Promise<InspectedSource>;
  /** As `filesAlong`; throws `source-stalled` where the drive does not answer. */
  readonly filesAlong: (folder: string, names: readonly string[]) => ReturnType<typeof filesAlong>;
  /** A source may be dropped or chosen at any moment: begins what reads it. */
  readonly expectSource: () => void;
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
  // A thread takes a tenth of a second to begin: that of a hand over the window, or of the walk.
  const expectSource = () => {
    looks.prepare();
    surveys.prepare();
    prepareWalk(worker);
  };
  const looked = ({ length }: SourceFiles) => {
    if (length >= manyFiles) onLooked?.();
  };
  const unstalled = <T>(asked: Promise<T>, path = '') =>
    withoutStall(asked, path, defaultReadStallMs, signal);
  return {
    scan: (paths) => scan(paths),
    expectSource,
    inspect: async (paths, sent, onFiles, sidecarsOnly) => {
      // Where nobody expected it, the first words wait for these two alone: threads that begin together
      // take the processor from each other.
      surveys.prepare();
      prepareWalk(worker);
      const take: typeof onFiles = (files) => {
        onFiles?.(files);
        looks.prepare();
      };
      // What understands systems of coordinates is loaded when somebody looks at a source.
      const { inspectSource } = await import('./inspect-source.ts');
      const parts: Parameters<typeof inspectSource>[1] = {
        scan: (found) => scan(found, take),
        lookInside: (sources) => unstalled(lookInside(sources, clock, looks), paths[0]),
        readNamed: (files) =>
          unstalled(readNamed(files, references.read, clock, createPage(signal)), paths[0]),
        takeAlong: (dropped) => unstalled(takeAlong(dropped, along, sidecarsOnly), dropped[0]),
      };
      const source = await inspectSource(paths, parts, sent);
      looked(source.scan.files);
      return source;
    },
    filesAlong: (folder, names) => unstalled(along(folder, names), folder),
    survey: (files, gone, tell) => surveys.survey(files, gone, tell).finally(() => looked(files)),
    showing: surveys.showing,
    close: () => {
      looks.close();
      surveys.close();
    },
  };
}
