import { basename } from 'node:path';
import type { Said } from '../../../strings/phrase.ts';
import { isFile } from '../../files/held-folder.ts';
import { markerOf, markerPaths } from '../model/left-out.ts';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import type { Delay, NotReadyReason } from './completeness.ts';
import { type Checked, ListChecks } from './listed-files.ts';
import type { SourceFindings } from './source-findings.ts';

/** A rule's further conditions after quiet. Null: all are met. */
export interface ReadyGate {
  /** Called before each sample; cheap, so that thousands of sources may wait. */
  checkEarly(source: FoundSource): Promise<Delay | null>;
  checkSettled(source: FoundSource): Promise<Delay | null>;
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
const progressMs = 1_000;

export function createReadyGate({ rule, findings, worker, onChange }: ReadyGateOptions): ReadyGate {
  const checks =
    rule.checksums === 'verify' ? new ListChecks({ folder: rule.folder, worker, onDone: onChange }) : null;
  return {
    checkEarly: async (source) =>
      (await waitForMarker(rule, source)) ??
      waitWhile(checks?.underWay(source) ?? null) ??
      findings.underWay(rule, source),
    checkSettled: async (source) => {
      const checked: Checked = (await checks?.check(source)) ?? { kind: 'none' };
      switch (checked.kind) {
        case 'right':
          return findings.inspect(rule, source);
        case 'none': {
          if (rule.readyWhen.kind !== 'checksums') return findings.inspect(rule, source);
          const reason: Said = { key: 'sources.doubt.noList' };
          return { notReady: { kind: 'not-ready', reason }, againMs };
        }
        case 'checking':
          return waitWhile(checked.notReady);
        case 'wrong':
          return { notReady: checked.notReady, againMs };
      }
    },
    close: () => checks?.dispose(),
  };
}

const waitWhile = (notReady: NotReadyReason | null): Delay | null =>
  notReady && { notReady, againMs: progressMs };

/** Returns the path of the marker that a source still lacks, or null. */
export async function missingMarker(rule: WatchRule, source: FoundSource): Promise<string | null> {
  const places = markerPaths(rule, source);
  for (const place of places) if (await isFile(place)) return null;
  return places[0] ?? null;
}

async function waitForMarker(rule: WatchRule, source: FoundSource): Promise<Delay | null> {
  const path = await missingMarker(rule, source);
  if (path === null) return null;
  const reason: Said = { key: 'sources.doubt.noMarker', values: { file: basename(path) } };
  return { notReady: { kind: 'not-ready', reason }, againMs };
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
