import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobView } from '../../../preload/contract.ts';
import { kinds } from '../../../shared/kinds.ts';
import { hasCode } from '../../errno.ts';
import { censor, logFileName } from '../../log.ts';
import { redact } from '../../redact.ts';
import type { Settings } from '../../settings.ts';
import type { WatchRule } from '../../watch/model/rule.ts';

export interface DiagnosticsParts {
  /** ms since the epoch. */
  readonly madeAt: number;
  /** Programs and their versions. */
  readonly versions: Readonly<Record<string, string>>;
  /** System, processors and keychain. */
  readonly system: Readonly<Record<string, string>>;
  readonly account: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  /** Newest first; `count`: of all. */
  readonly jobs: { readonly newest: readonly JobView[]; readonly count: number };
  /** Oldest first. */
  readonly log: readonly string[];
  /** It contains the user's name; replaced by `~`. */
  readonly home: string;
}

/** Limits the listed uploads. */
export const shownJobs = 20;

/**
 * No secrets, asset names, rule names or folders, and no source paths outside the log. Settings and jobs are
 * censored here.
 */
export function diagnosticsText(parts: DiagnosticsParts): string {
  const jobs = parts.jobs.newest.slice(0, shownJobs);
  const sections = [
    `Tilelift diagnostics, ${new Date(parts.madeAt).toISOString()}`,
    section('Versions', pairs(parts.versions)),
    section('System', pairs(parts.system)),
    section('Account', [toLine(parts.account)]),
    section('Settings', [JSON.stringify(censor(diagnosticSettings(parts.settings)), undefined, 2)]),
    section(`Uploads (${jobs.length} of ${parts.jobs.count}, newest first)`, jobs.map(jobLine)),
    section(`Log (last ${parts.log.length} lines)`, parts.log),
  ];
  const text = redact(withoutRules(sections.join('\n\n'), parts.settings));
  return `${parts.home.length > 1 ? text.replaceAll(parts.home, '~') : text}\n`;
}

const section = (title: string, lines: readonly string[]) =>
  [`## ${title}`, ...(lines.length > 0 ? lines : ['none'])].join('\n');

const pairs = (record: Readonly<Record<string, string>>) =>
  Object.entries(record).map(([name, value]) => `${name}: ${value}`);

const toLine = (record: object) => JSON.stringify(censor(record));

function jobLine(job: JobView): string {
  const { id, status, assetType, sourceType, assetId, assetStatus, fileCount, bytesTotal, bytesDone, error } =
    job;
  const { partsTotal, partsDone, createdAt, uploadedAt, endedAt } = job;
  return toLine({
    ...{ id, status, assetType, sourceType: sourceTypeFacts(sourceType), assetId, assetStatus },
    ...{ fileCount, bytesTotal, bytesDone, partsTotal, partsDone },
    ...{ createdAt, uploadedAt, endedAt },
    error: error && { code: error.code, remote: error.remote },
  });
}

/** Shorter names are ordinary words. */
const minNameLength = 4;

/** Only sizes of others: no names or paths. Rules have a mark that the log shares. */
function diagnosticSettings(settings: Settings): object {
  const { appearance, language, compactRows, window, bandwidth, updates, background } = settings;
  const { watchRules, network, alerts } = settings;
  return {
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, amountOf(value)])),
    ...{ appearance, language, compactRows, window, bandwidth, updates, background },
    network: { caFile: amountOf(network.caFile) },
    alerts: {
      mail: alerts.mail === null ? null : { port: alerts.mail.port, security: alerts.mail.security },
      webhook: alerts.webhook === null ? null : 'set',
      heartbeat: alerts.heartbeat === null ? null : alerts.heartbeat.minutes,
    },
    watchRules: watchRules.map(ruleFacts),
  };
}

function amountOf(value: unknown): unknown {
  if (typeof value === 'string') return 'set';
  return typeof value === 'object' && value !== null ? Object.keys(value).length : value;
}

/** Typed text may be private. */
const sourceTypeFacts = (sourceType: string) =>
  kinds.some((kind) => kind.sourceType === sourceType) ? sourceType : 'set';

function withoutRules(text: string, { watchRules, unreadableRules }: Settings): string {
  const words = [
    ...watchRules.map((rule) => ({ ...rule, words: [rule.namePattern, ...targetsOf(rule)] })),
    ...unreadableRules.map(({ id, name, folder }) => ({ id, name, folder, words: [] })),
  ].flatMap(({ id, name, folder, words }) =>
    [folder, name, ...words]
      .filter((word): word is string => word !== null && word.length >= minNameLength)
      .map((word) => ({ word, mark: `[rule ${markOf(id)}]` })),
  );
  // A folder may contain another.
  words.sort((longerWord, shorterWord) => shorterWord.word.length - longerWord.word.length);
  return words.reduce(
    // The log contains paths in JSON form.
    (redactedText, { word, mark }) =>
      redactedText.replaceAll(word, mark).replaceAll(JSON.stringify(word).slice(1, -1), mark),
    text,
  );
}

function ruleFacts(rule: WatchRule): object {
  const {
    id,
    on: isOn,
    unit,
    assetType,
    sourceType,
    clampToTerrain,
    settleSeconds,
    shared: sharedText,
    ignore,
    alerts,
  } = rule;
  const { whenChanged, whenTooLong, whenExpired, afterSuccess, afterFailure } = rule;
  return {
    mark: markOf(id),
    ...{
      on: isOn,
      assetType,
      sourceType: sourceTypeFacts(sourceType),
      clampToTerrain,
      settleSeconds,
      shared: sharedText,
      alerts,
    },
    ...{ whenChanged, whenTooLong, whenExpired },
    unit: unit.kind,
    patterns: 'patterns' in unit ? unit.patterns.length : 0,
    ignore: ignore.length,
    afterSuccess: afterSuccess.kind,
    afterFailure: afterFailure.kind,
    receiptFile: rule.receiptFile.kind,
  };
}

const targetsOf = ({ afterSuccess, afterFailure, receiptFile }: WatchRule) =>
  [afterSuccess, afterFailure, receiptFile].flatMap((target) => ('folder' in target ? [target.folder] : []));

function markOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}

/** Oldest first, from at most two files. */
export async function readLogTail(folder: string, count: number): Promise<readonly string[]> {
  const current = await linesOf(join(folder, logFileName));
  const previousLines = current.length < count ? await linesOf(join(folder, `${logFileName}.1`)) : [];
  return [...previousLines, ...current].slice(-count);
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    return [`${file} can’t be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}
