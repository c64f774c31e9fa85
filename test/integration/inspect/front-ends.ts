import { runCheck } from '../../../main/cli/check/run-check.ts';
import type { Cli } from '../../../main/cli/cli.ts';
import type { Output } from '../../../main/cli/output.ts';
import { checkBefore } from '../../../main/cli/upload/check-before.ts';
import { scanWorkerSource } from '../../../main/files/walk/scan-workers.ts';
import type { CheckReport } from '../../../main/inspect/check/check-report.ts';
import { createLookThread } from '../../../main/inspect/headers/look-thread.ts';
import { createInspector } from '../../../main/inspect/inspector.ts';
import { createSurveyThread } from '../../../main/inspect/survey/survey-thread.ts';
import { systemClock } from '../../../main/outside.ts';
import { SourceFindings } from '../../../main/watch/findings/source-findings.ts';
import { leftOutBy, proposeFor } from '../../../main/watch/kind/proposal.ts';
import { without } from '../../../main/watch/survey/left-out.ts';
import { surveyRule } from '../../../main/watch/survey/survey.ts';
import { areAllRead } from '../../../shared/degrees.ts';
import { mattersTo } from '../../../shared/findings.ts';
import type { Seen } from '../../../shared/source.ts';
import { aWatchRule } from '../../a-watch-rule.ts';

/** What a front end says of one asset. */
export interface AssetAnswer {
  readonly kind: string | null;
  readonly files: number;
  readonly degrees: Readonly<Record<string, number>>;
  readonly findings: Readonly<Record<string, number>>;
  /** Whether all of it was read. */
  readonly complete: boolean;
}

export interface Answer {
  readonly assets: readonly AssetAnswer[];
  /** Files that go into no asset. */
  readonly leftOut: number;
}

/** What a watched folder says of the folder in it: one source, one asset. */
interface WatchedAnswer {
  readonly kind: string | null;
  readonly files: number;
  /** Files by finding, but `not-read`. */
  readonly findings: Readonly<Record<string, number>>;
  /** Files that were not read as far as their format allows, but those of a wrong format. */
  readonly notRead: number;
}

/** Every way to ask Tilelift what a folder is, in this process. */
export interface FrontEnds {
  /** `tilelift check --json`, which `npm start -- --check` runs too. */
  readonly check: (folder: string) => Promise<Answer & { readonly report: CheckReport }>;
  /** `tilelift upload --check`; `isDecided`: it would upload without asking for the kind. */
  readonly upload: (folder: string) => Promise<Answer & { readonly isDecided: boolean }>;
  /** The New asset sheet. */
  readonly sheet: (folder: string) => Promise<Answer>;
  /** A watched folder of which the folder is the only entry: `parent` has no other. */
  readonly watch: (parent: string) => Promise<WatchedAnswer>;
  close(): void;
}

const { signal: never } = new AbortController();

export function openFrontEnds(): FrontEnds {
  const worker = scanWorkerSource;
  // A person corrects a guess: no answer here is one.
  const patient = { ...systemClock, sleep: () => new Promise<void>(() => {}) };
  const inspector = createInspector({ clock: patient, worker, signal: never });
  const looks = createLookThread(worker);
  const surveys = createSurveyThread(worker);
  const findings = new SourceFindings({ surveys, looks, clock: systemClock, onDone: () => {} });

  const survey = async (files: Parameters<typeof inspector.survey>[0]): Promise<Seen | null> => {
    const last: { seen: Seen | null } = { seen: null };
    await inspector.survey(files, never, ({ seen }) => {
      last.seen = seen;
    });
    return last.seen;
  };

  return {
    check: async (folder) => {
      const { cli, report } = recordingCli();
      await runCheck(cli, { paths: [folder], sourceTypes: null, strict: false });
      return { ...answerOf(report()), report: report() };
    },
    upload: async (folder) => {
      const whole = await inspector.inspect([folder], true);
      const { cli, report } = recordingCli();
      await checkBefore(cli, inspector, whole.suggestSeparate ? whole.separate : [whole]);
      const leftOut = whole.scan.files.length - whole.files.length;
      return {
        ...answerOf(report()),
        leftOut,
        isDecided: whole.suggestion !== null && whole.inDoubt === null,
      };
    },
    sheet: async (folder) => {
      const whole = await inspector.preview([folder]);
      const assets: AssetAnswer[] = [];
      for (const { files, suggestion } of whole.suggestSeparate ? whole.separate : [whole]) {
        const seen = await survey(files);
        const kind = suggestion?.sourceType ?? null;
        const shown = (seen?.findings ?? []).filter(({ id }) => mattersTo(id, kind === null ? [] : [kind]));
        const degrees = seen?.degrees ?? [];
        assets.push({
          ...{ kind, files: files.length, complete: areAllRead(degrees) },
          degrees: Object.fromEntries(degrees.map(({ degree, count }) => [degree, count])),
          findings: countsOf(shown),
        });
      }
      return { assets, leftOut: whole.scan.files.length - whole.files.length };
    },
    watch: async (parent) => {
      const rule = aWatchRule({ folder: parent, kindFrom: 'content' });
      const [source] = (await surveyRule(rule)).sources;
      if (!source) throw new Error(`nothing in ${parent}`);
      const parts = { looks, clock: systemClock };
      const leftOut = await leftOutBy(rule, source, parts);
      const found = await findings.find(rule, source, never);
      return {
        kind: (await proposeFor(source, parts)).suggestion?.sourceType ?? null,
        files: without(source.files, leftOut).length,
        findings: countsOf(found.filter(({ id }) => id !== 'not-read')),
        notRead: found.find(({ id }) => id === 'not-read')?.count ?? 0,
      };
    },
    close: () => {
      inspector.close();
      looks.close();
      surveys.close();
      findings.close();
    },
  };
}

type JsonEvent = Parameters<Output['event']>[0];

function recordingCli() {
  const events: JsonEvent[] = [];
  const nothing = () => {};
  const output = {
    tell: nothing,
    progress: nothing,
    result: nothing,
    event: (one: JsonEvent) => events.push(one),
  };
  const cli = { output: () => output, workers: { scan: scanWorkerSource }, stop: never, platform: 'linux' };
  return {
    cli: cli as unknown as Cli,
    report: (): CheckReport => {
      const event = events.find((one) => one.event === 'check');
      if (event?.event !== 'check') throw new Error('no report');
      return event.report as CheckReport;
    },
  };
}

const answerOf = ({ sources, leftOut }: CheckReport): Answer => ({
  assets: sources.map(({ kind, files, degrees, findings, complete }) => ({
    ...{ kind: kind.sourceTypes[0] ?? null, files, complete },
    degrees: Object.fromEntries(degrees.map(({ degree, reason, count }) => [reason ?? degree, count])),
    findings: countsOf(findings),
  })),
  leftOut: leftOut.reduce((sum, { files }) => sum + files, 0),
});

/** A finding with different values is in several groups. */
function countsOf(found: readonly { readonly id: string; readonly count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { id, count } of found) counts[id] = (counts[id] ?? 0) + count;
  return counts;
}
