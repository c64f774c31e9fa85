import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobView } from '../../../preload/contract.ts';
import { kinds } from '../../../shared/kinds.ts';
import { hasCode } from '../../errno.ts';
import { censor, logFileName } from '../../log.ts';
import { redact } from '../../redact.ts';
import type { Settings } from '../../settings.ts';
import type { WatchRule } from '../../watch/rule.ts';

export interface DiagnosticsParts {
  /** ms since the epoch. */
  readonly madeAt: number;
  /** Programs and their versions. */
  readonly versions: Readonly<Record<string, string>>;
  /** What the computer is: system, processors, keychain. */
  readonly system: Readonly<Record<string, string>>;
  /** The kind of sign-in state and the service it is about. */
  readonly account: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  /** The newest first; how many there are. */
  readonly jobs: { readonly newest: readonly JobView[]; readonly count: number };
  /** Lines of the log, oldest first. */
  readonly log: readonly string[];
  /** The person's home folder, which names them; becomes `~`. */
  readonly home: string;
}

/** The newest so many uploads are told of. */
export const shownJobs = 20;

/**
 * What support needs to know, as text for the clipboard: no secrets, no asset names, no names or folders of
 * watch rules, no paths of source data outside the log. Everything passes the log's own censorship once more,
 * since settings and jobs never passed it.
 */
export function diagnosticsText(parts: DiagnosticsParts): string {
  const jobs = parts.jobs.newest.slice(0, shownJobs);
  const sections = [
    `Tilelift diagnostics, ${new Date(parts.madeAt).toISOString()}`,
    section('Versions', pairs(parts.versions)),
    section('System', pairs(parts.system)),
    section('Account', [one(parts.account)]),
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

const one = (record: object) => JSON.stringify(censor(record));

/** A job without what names the person's data: no asset name, no paths. */
function jobLine(job: JobView): string {
  const { id, status, assetType, sourceType, assetId, assetStatus, fileCount, bytesTotal, bytesDone, error } =
    job;
  const { partsTotal, partsDone, createdAt, uploadedAt, endedAt } = job;
  return one({
    ...{ id, status, assetType, sourceType: sourceTypeFacts(sourceType), assetId, assetStatus },
    ...{ fileCount, bytesTotal, bytesDone, partsTotal, partsDone },
    ...{ createdAt, uploadedAt, endedAt },
    error: error && { code: error.code, remote: error.remote },
  });
}

/** Shorter names are words that stand in any text. */
const minNameLength = 4;

/**
 * The settings as support needs them: those named here, and of each other how much there is. No name that a
 * user has given and no path of theirs. Rules keep a mark by which the log can be read beside them.
 */
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

/** Of a text that it is there, of a list or an object how many it holds. */
function amountOf(value: unknown): unknown {
  if (typeof value === 'string') return 'set';
  return typeof value === 'object' && value !== null ? Object.keys(value).length : value;
}

/** One that a user has typed is their own words. */
const sourceTypeFacts = (sourceType: string) =>
  kinds.some((kind) => kind.sourceType === sourceType) ? sourceType : 'set';

/** Takes the names, folders and targets of the rules out of a text, the log's lines among them. */
function withoutRules(text: string, { watchRules, unreadableRules }: Settings): string {
  const words = [
    ...watchRules.map((rule) => ({ ...rule, words: [rule.namePattern, ...targetsOf(rule)] })),
    ...unreadableRules.map(({ id, name, folder }) => ({ id, name, folder, words: [] })),
  ].flatMap(({ id, name, folder, words }) =>
    [folder, name, ...words]
      .filter((word): word is string => word !== null && word.length >= minNameLength)
      .map((word) => ({ word, mark: `[rule ${markOf(id)}]` })),
  );
  // The longest first: a folder may be in another.
  words.sort((one, other) => other.word.length - one.word.length);
  return words.reduce(
    // In the log a path stands as JSON has it.
    (so, { word, mark }) => so.replaceAll(word, mark).replaceAll(JSON.stringify(word).slice(1, -1), mark),
    text,
  );
}

/** A rule without what names the person's data. */
function ruleFacts(rule: WatchRule): object {
  const { id, on, unit, assetType, sourceType, clampToTerrain, settleSeconds, shared, ignore, alerts } = rule;
  const { whenChanged, whenTooLong, whenExpired, afterSuccess, afterFailure } = rule;
  return {
    mark: markOf(id),
    ...{
      on,
      assetType,
      sourceType: sourceTypeFacts(sourceType),
      clampToTerrain,
      settleSeconds,
      shared,
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
  [afterSuccess, afterFailure, receiptFile].flatMap((place) => ('folder' in place ? [place.folder] : []));

function markOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}

/**
 * The last lines of the log in `folder`, oldest first: of the file being written and, where that is short, of
 * the one before it.
 */
export async function readLogTail(folder: string, count: number): Promise<readonly string[]> {
  const current = await linesOf(join(folder, logFileName));
  const before = current.length < count ? await linesOf(join(folder, `${logFileName}.1`)) : [];
  return [...before, ...current].slice(-count);
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    return [`${file} can’t be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}
