import { basename } from 'node:path';
import type { Said } from '../../../strings/phrase.ts';
import type { SourceFindings } from '../findings/source-findings.ts';
import { isFile } from '../folder/open-inside.ts';
import type { WatchRule } from '../rule.ts';
import type { Doubt, Wait } from '../settle/completeness.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import { type Checked, ListChecks } from '../verify/list-checks.ts';
import { markerOf, markerPaths } from './marker.ts';

/** What a rule wants to see of a delivery besides quiet. Null: nothing keeps it. */
export interface ReadyGate {
  /** Asked before a source is looked at: cheap, so that thousands may wait. */
  before(found: SurveyedSource): Promise<Wait | null>;
  /** Asked once it has settled. */
  settled(found: SurveyedSource): Promise<Wait | null>;
  /** Ends what is being checked. */
  close(): void;
}

interface ReadyGateOptions {
  readonly rule: WatchRule;
  readonly findings: SourceFindings;
  /** As in `WatchParts`. */
  readonly worker: URL | undefined;
  /** What kept a source may be over. */
  readonly onChange: () => void;
}

/** What waits is asked about so often even where no event tells of it, ms. */
const againMs = 10_000;
/** How often the row tells how far a check has come, ms. */
const tellMs = 1_000;

export function createReadyGate({ rule, findings, worker, onChange }: ReadyGateOptions): ReadyGate {
  const checks =
    rule.checksums === 'verify' ? new ListChecks({ folder: rule.folder, worker, onDone: onChange }) : null;
  return {
    before: async (found) =>
      (await waitForMarker(rule, found)) ??
      waitWhile(checks?.underWay(found) ?? null) ??
      findings.underWay(rule, found),
    settled: async (found) => {
      const checked: Checked = (await checks?.look(found)) ?? { kind: 'none' };
      switch (checked.kind) {
        case 'right':
          return findings.look(rule, found);
        case 'none': {
          if (rule.readyWhen.kind !== 'checksums') return findings.look(rule, found);
          const reason: Said = { key: 'sources.doubt.noList' };
          return { doubt: { kind: 'not-ready', reason }, againMs };
        }
        case 'checking':
          return waitWhile(checked.doubt);
        case 'wrong':
          return { doubt: checked.doubt, againMs };
      }
    },
    close: () => checks?.close(),
  };
}

const waitWhile = (doubt: Doubt | null): Wait | null => doubt && { doubt, againMs: tellMs };

async function waitForMarker(rule: WatchRule, found: SurveyedSource): Promise<Wait | null> {
  const places = markerPaths(rule, found);
  const [first] = places;
  if (first === undefined) return null;
  for (const place of places) if (await isFile(place)) return null;
  const reason: Said = { key: 'sources.doubt.noMarker', values: { file: basename(first) } };
  return { doubt: { kind: 'not-ready', reason }, againMs };
}

/** The share of the usual time a source has to be quiet: its marker says finished, its disk may lag. */
function quietShare(rule: Pick<WatchRule, 'unit' | 'readyWhen'>): number {
  return markerOf(rule) === null ? 1 : 1 / 3;
}

/** How long nothing in a source may have changed, ms. `defaultMs`: the drive's own time. */
export function settleMsOf(
  rule: Parameters<typeof quietShare>[0] & Pick<WatchRule, 'settleSeconds'>,
  defaultMs: number,
): number {
  return Math.max(defaultMs * quietShare(rule), (rule.settleSeconds ?? 0) * 1000);
}
