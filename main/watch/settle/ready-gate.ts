import { basename } from 'node:path';
import type { Said } from '../../../strings/phrase.ts';
import { markerOf, markerPaths } from '../model/marker.ts';
import type { WatchRule } from '../model/rule.ts';
import { isFile } from '../scan/folder/open-inside.ts';
import type { SurveyedSource } from '../scan/found-source.ts';
import type { Doubt, Wait } from './completeness.ts';
import { type Checked, ListChecks } from './list-checks.ts';
import type { SourceFindings } from './source-findings.ts';

/** A rule's further conditions after quiet. Null: all are met. */
export interface ReadyGate {
  /** Called before each sample; cheap, so that thousands of sources may wait. */
  before(found: SurveyedSource): Promise<Wait | null>;
  settled(found: SurveyedSource): Promise<Wait | null>;
  close(): void;
}

interface ReadyGateOptions {
  readonly rule: WatchRule;
  readonly findings: SourceFindings;
  readonly worker: URL | undefined;
  readonly onChange: () => void;
}

/** Interval without events, ms. */
const againMs = 10_000;
/** Interval of progress updates, ms. */
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

/** A marker proves completeness, but the disk may lag. */
function quietShare(rule: Pick<WatchRule, 'unit' | 'readyWhen'>): number {
  return markerOf(rule) === null ? 1 : 1 / 3;
}

/** The quiet time, ms. `defaultMs`: the drive's default. */
export function settleMsOf(
  rule: Parameters<typeof quietShare>[0] & Pick<WatchRule, 'settleSeconds'>,
  defaultMs: number,
): number {
  return Math.max(defaultMs * quietShare(rule), (rule.settleSeconds ?? 0) * 1000);
}
