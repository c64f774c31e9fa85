import { runCheck } from '../../../main/cli/check/run-check.ts';
import type { Cli } from '../../../main/cli/cli.ts';
import type { Output } from '../../../main/cli/output.ts';
import { checkBefore } from '../../../main/cli/upload/check-before.ts';
import { scanWorkerSource } from '../../../main/files/walk/scan-workers.ts';
import type { CheckReport } from '../../../main/inspect/check/check-report.ts';
import { decisionMs } from '../../../main/inspect/headers/look-inside.ts';
import { createInspector, type Inspector } from '../../../main/inspect/session/inspector.ts';
import { without } from '../../../main/watch/model/left-out.ts';
import { scanRule } from '../../../main/watch/scan/scan-rule.ts';
import { leftOutBy } from '../../../main/watch/settle/kind.ts';
import { SourceFindings } from '../../../main/watch/settle/source-findings.ts';
import { areAllRead, type DegreeGroup } from '../../../shared/degrees.ts';
import { mattersTo } from '../../../shared/findings.ts';
import type { Seen } from '../../../shared/source.ts';
import { aWatchRule } from '../../a-watch-rule.ts';

/** A front end's answer for one asset. */
export interface AssetAnswer {
  readonly kind: string | null;
  readonly files: number;
  readonly degrees: Readonly<Record<string, number>>;
  readonly findings: Readonly<Record<string, number>>;
  readonly complete: boolean;
}

export interface Answer {
  readonly assets: readonly AssetAnswer[];
  /** Files outside any asset. */
  readonly leftOut: number;
}

interface WatchedAnswer {
  readonly kind: string | null;
  readonly files: number;
  /** Files by finding, without `not-read`. */
  readonly findings: Readonly<Record<string, number>>;
  /** Files by finding, of the check while the source settles. */
  readonly settling: Readonly<Record<string, number>>;
  /** Files not read as far as their format allows, except those of a wrong format. */
  readonly degrees: Readonly<Record<string, number>>;
}

/** All front ends that inspect a folder, in this process. */
export interface FrontEnds {
  readonly inspector: Inspector;
  /** `tilelift check --json`, which `npm start -- --check` runs too. */
  readonly check: (folder: string) => Promise<Answer & { readonly report: CheckReport }>;
  /** `tilelift upload --check`; `isDecided`: it would upload without asking for the kind. */
  readonly upload: (folder: string) => Promise<Answer & { readonly isDecided: boolean }>;
  readonly sheet: (folder: string) => Promise<Answer>;
  /** A watched folder; `parent` must only contain the folder. */
  readonly watch: (parent: string) => Promise<WatchedAnswer>;
  close(): void;
}

const { signal: neverAborted } = new AbortController();

export function openFrontEnds(): FrontEnds {
  const inspector = createInspector();
  const findings = new SourceFindings({ inspector, onDone: () => {} });

  return {
    inspector,
    check: async (folder) => {
      const { cli, report } = recordingCli();
      await runCheck(cli, { paths: [folder], sourceTypes: null, strict: false });
      return { ...answerOf(report()), report: report() };
    },
    upload: async (folder) => {
      const source = await inspector.decide([folder], { sidecarsOnly: true });
      const { whole: combinedAsset, totals: allTotals, separate, suggestSeparate } = source;
      const { cli, report } = recordingCli();
      await checkBefore(cli, inspector, suggestSeparate ? separate : [combinedAsset]);
      return {
        ...answerOf(report()),
        leftOut: allTotals.files - combinedAsset.files,
        isDecided: combinedAsset.suggestion !== null && combinedAsset.inDoubt === null,
      };
    },
    sheet: async (folder) => {
      // Users can correct a guess in the sheet, so it doesn't count as an answer.
      const guess = await inspector.ask('show', { paths: [folder], longestMs: decisionMs });
      const { kept: pieces, suggestion, suggestSeparate, separate, fileCount } = guess;
      const assets: AssetAnswer[] = [];
      for (const asset of suggestSeparate ? separate : [{ pieces, suggestion }]) {
        const lastResult: { seen: Seen | null } = { seen: null };
        const tell = ({ seen }: { readonly seen: Seen }) => {
          lastResult.seen = seen;
        };
        await inspector.ask('scanHeaders', [{ group: 0, pieces: asset.pieces }], { notify: tell });
        const kind = asset.suggestion?.sourceType ?? null;
        const files = asset.pieces.reduce((sum, at) => sum + (guess.pieces[at]?.fileCount ?? 0), 0);
        const relevantFindings = (lastResult.seen?.findings ?? []).filter(({ id }) =>
          mattersTo(id, kind ? [kind] : []),
        );
        const degrees = lastResult.seen?.degrees ?? [];
        assets.push({
          ...{ kind, files, complete: areAllRead(degrees) },
          degrees: countsOfDegrees(degrees),
          findings: countsOf(relevantFindings),
        });
      }
      return { assets, leftOut: fileCount - assets.reduce((sum, { files }) => sum + files, 0) };
    },
    watch: async (parent) => {
      const rule = aWatchRule({ folder: parent, kindFrom: 'content' });
      const [source] = (await scanRule(rule)).sources;
      if (!source) throw new Error(`nothing in ${parent}`);
      const leftOut = await leftOutBy(rule, source, { inspector });
      const files = without(source.files, leftOut);
      const settling = await inspector.inspectCompleteness({ folder: parent, files });
      const outcome = await findings.find(rule, source, neverAborted);
      return {
        settling: countsOf(settling.findings),
        kind: (await inspector.propose(source)).suggestion?.sourceType ?? null,
        files: files.length,
        findings: countsOf(outcome.findings.filter(({ id }) => id !== 'not-read')),
        degrees: countsOfDegrees(outcome.degrees),
      };
    },
    close: () => {
      inspector.close();
      findings.dispose();
    },
  };
}

const countsOfDegrees = (groups: readonly DegreeGroup[]) =>
  Object.fromEntries(groups.map(({ degree, count }) => [degree, count]));

type JsonEvent = Parameters<Output['event']>[0];

function recordingCli() {
  const events: JsonEvent[] = [];
  const doNothing = () => {};
  const output = {
    print: doNothing,
    note: doNothing,
    progress: doNothing,
    result: doNothing,
    event: (event: JsonEvent) => events.push(event),
    end: doNothing,
  };
  const cli = {
    output: () => output,
    workers: { scan: scanWorkerSource },
    stop: neverAborted,
    platform: 'linux',
  };
  return {
    cli: cli as unknown as Cli,
    report: (): CheckReport => {
      const event = events.find((candidate) => candidate.event === 'check');
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

/** A finding with different values occurs in several groups. */
function countsOf(
  findings: readonly { readonly id: string; readonly count: number }[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { id, count } of findings) counts[id] = (counts[id] ?? 0) + count;
  return counts;
}
