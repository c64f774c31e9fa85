import { Counter, Gauge, Registry } from 'prom-client';
import { jobStatuses } from '../../../../shared/job-status.ts';
import type { JobService, JobSnapshot } from '../../../jobs/model.ts';
import type { Status } from '../../../socket/status.ts';

interface MetricsParts {
  readonly jobs: Pick<JobService, 'unfinishedJobs' | 'get' | 'onChange'>;
  readonly status: () => Status;
  readonly version: string;
  /** ms since the epoch. */
  readonly clock: () => number;
}

export interface Metrics {
  readonly contentType: string;
  /** Uses the text format of OpenMetrics 1.0. */
  text(): Promise<string>;
  names(): readonly string[];
  stop(): void;
}

type ReportedProgress = Pick<JobSnapshot, 'bytesDone' | 'partsSentAgain' | 'uploadedAt'> & {
  readonly error: string | null;
};

/** `leftAlone` → `left-alone`, as in `tilelift sources --state`. */
const asListed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * For Prometheus (docs/server.md). Counters start with the process. Labels contain rule names, but no path,
 * asset or account.
 */
export function createMetrics({ jobs, status, version, clock }: MetricsParts): Metrics {
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `tilelift_${name}`, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `tilelift_${name}_total`, help, labelNames, registers });

  const info = gauge('build_info', 'Version of the program.', ['version']);
  const healthy = gauge('healthy', '1 where "tilelift status" says healthy, else 0.');
  const concerns = gauge('concerns', 'What needs attention, by kind.', ['kind']);
  const jobCount = gauge('jobs', 'Uploads on the list, by state.', ['state']);
  const sources = gauge('sources', 'Sources of watched folders, by rule and state.', ['rule', 'state']);
  const available = gauge('folder_available', '1 where the folder of the rule can be watched.', ['rule']);
  const sinceSuccess = gauge('last_success_seconds', 'Seconds since an asset was last complete.');
  const credential = gauge('credential_life_seconds', 'Shortest life left of storage credentials in use.');
  const signIn = gauge('sign_in_life_seconds', 'Life left of sign-ins that expire soon.', ['service']);
  const alerts = gauge('alerts_waiting', 'Alerts that could not be sent yet.');
  const bytes = counter('uploaded_bytes', 'Bytes that storage has acknowledged.');
  const files = counter('uploaded_files', 'Files of finished uploads.');
  const repeatedParts = counter('parts_sent_again', 'Parts that were sent more than once.');
  const errors = counter('errors', 'Errors of uploads, by code.', ['code']);

  const baselines = new Map<string, ReportedProgress>();
  const seenOf = ({ bytesDone, partsSentAgain, uploadedAt, error }: JobSnapshot): ReportedProgress => ({
    ...{ bytesDone, partsSentAgain, uploadedAt, error: error?.code ?? null },
  });
  for (const job of jobs.unfinishedJobs()) baselines.set(job.id, seenOf(job));
  const stop = jobs.onChange((id) => {
    const job = jobs.get(id);
    if (!job) {
      baselines.delete(id);
      return;
    }
    const current = seenOf(job);
    // A job's first event is its baseline.
    const baseline = baselines.get(id) ?? current;
    baselines.set(id, current);
    // A restarted job has lower values.
    bytes.inc(Math.max(0, current.bytesDone - baseline.bytesDone));
    repeatedParts.inc(Math.max(0, current.partsSentAgain - baseline.partsSentAgain));
    if (current.uploadedAt !== null && baseline.uploadedAt === null) files.inc(job.fileCount ?? 0);
    if (current.error !== null && current.error !== baseline.error) errors.inc({ code: current.error });
  });

  function updateGauges(): void {
    const { health, folders, lastSuccessAt, accounts, alertsWaiting, ...otherFacts } = status();
    info.set({ version }, 1);
    healthy.set(health === 'healthy' ? 1 : 0);
    alerts.set(alertsWaiting);
    for (const metric of [sinceSuccess, credential]) metric.remove();
    for (const metric of [concerns, sources, available, signIn]) metric.reset();
    for (const { kind, count } of otherFacts.concerns) concerns.set({ kind }, count);
    for (const state of jobStatuses) jobCount.set({ state }, otherFacts.jobs[state]);
    for (const { name: rule, state: folder, counts } of folders) {
      available.set({ rule }, folder === 'suspended' ? 0 : 1);
      for (const [name, count] of Object.entries(counts)) sources.inc({ rule, state: asListed(name) }, count);
    }
    if (lastSuccessAt !== null) sinceSuccess.set((clock() - lastSuccessAt) / 1000);
    const credentialEnds = jobs.unfinishedJobs().flatMap(({ credentialsEndAt }) => credentialsEndAt ?? []);
    if (credentialEnds.length > 0) credential.set((Math.min(...credentialEnds) - clock()) / 1000);
    for (const { baseUrl: service, endsSoonAt } of accounts)
      if (endsSoonAt !== null) signIn.set({ service }, (endsSoonAt - clock()) / 1000);
  }

  return {
    contentType: registry.contentType,
    text: () => {
      updateGauges();
      return registry.metrics();
    },
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
    stop,
  };
}
