import type { JobView } from '../../../preload/contract.ts';
import { censor } from '../../log.ts';
import { redact } from '../../redact.ts';
import type { Settings } from '../../settings.ts';
import { diagnosticSettings, withoutRules } from './diagnostic-settings.ts';

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
  /** Newest first. */
  readonly jobs: readonly JobView[];
  /** Lines of the log, oldest first. */
  readonly log: readonly string[];
  /** The person's home folder, which names them; becomes `~`. */
  readonly home: string;
}

const shownJobs = 20;

/**
 * What support needs to know, as text for the clipboard: no secrets, no asset names, no names or folders of watch rules, no paths of source data outside the
 * log. Everything passes the log's own censorship once more, since settings and jobs never passed it.
 */
export function diagnosticsText(parts: DiagnosticsParts): string {
  const jobs = parts.jobs.slice(0, shownJobs);
  const sections = [
    `Tilelift diagnostics, ${new Date(parts.madeAt).toISOString()}`,
    section('Versions', pairs(parts.versions)),
    section('System', pairs(parts.system)),
    section('Account', [one(parts.account)]),
    section('Settings', [JSON.stringify(censor(diagnosticSettings(parts.settings)), undefined, 2)]),
    section(`Uploads (${jobs.length} of ${parts.jobs.length}, newest first)`, jobs.map(jobLine)),
    section(`Log (last ${parts.log.length} lines)`, parts.log),
  ];
  const text = redact(withoutRules(sections.join('\n\n'), parts.settings.watchRules));
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
    ...{ id, status, assetType, sourceType, assetId, assetStatus },
    ...{ fileCount, bytesTotal, bytesDone, partsTotal, partsDone },
    ...{ createdAt, uploadedAt, endedAt },
    error: error && { code: error.code, remote: error.remote },
  });
}
