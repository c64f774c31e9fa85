import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesLoopback, parseLoopback } from '../../../main/cli/watch/metrics/loopback-address.ts';
import { createMetrics } from '../../../main/cli/watch/metrics/metrics.ts';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { type StatusFacts, statusOf } from '../../../main/socket/status.ts';
import { sourceStates } from '../../../shared/watch.ts';
import { job, watched } from '../desktop/stand-ins.ts';

function world(firstJob: Partial<JobSnapshot> = {}, facts: Partial<StatusFacts> = {}) {
  let current = job({ id: 'a', ...firstJob });
  let tell: (id: string) => void = () => {};
  const metrics = createMetrics({
    jobs: {
      unfinishedJobs: () => [current],
      get: () => current,
      onChange: (listener) => {
        tell = listener;
        return () => {};
      },
    },
    status: () =>
      statusOf({
        ...{ nowMs: 0, startedAt: 0, accounts: [], lostService: null, jobs: [current], rules: [watched()] },
        ...{
          endedCounts: new Map(),
          lastSuccessAt: null,
          outageSince: null,
          alertsWaiting: 0,
          alertFailures: [],
          ...facts,
        },
      }),
    version: '1.2.3',
    clock: () => 60_000,
  });
  return {
    metrics,
    change: (facts: Partial<JobSnapshot>) => {
      current = job({ ...current, ...facts });
      tell('a');
    },
    value: async (name: string) => {
      const lines = (await metrics.text()).split('\n');
      return lines.find((line) => line.startsWith(`tilelift_${name} `))?.split(' ')[1];
    },
  };
}

it('createMetrics() returns complete metrics as valid OpenMetrics', async () => {
  const { metrics } = world();
  const text = await metrics.text();
  expect(text.endsWith('# EOF\n')).toBe(true);
  expect(metrics.contentType).toContain('application/openmetrics-text');
  expect(text).toContain('tilelift_build_info{version="1.2.3"} 1');
  expect(text).toContain('tilelift_jobs{state="uploading"} 1');
  expect(text).toContain('tilelift_sources{rule="Drone landings",state="failed"} 0');
  expect(text).toContain('tilelift_concerns{kind="signed-out"} 1');
});

it('createMetrics() names the states of sources like tilelift sources', async () => {
  const labels = (await world().metrics.text()).matchAll(/^tilelift_sources\{.*state="([^"]+)"/gm);
  expect([...labels].map(([, state]) => state).sort()).toEqual([...sourceStates].sort());
});

it('createMetrics() counts each event since the start once', async () => {
  const { change, value, metrics } = world({ bytesDone: 100, error: null });
  change({ bytesDone: 150 });
  change({ bytesDone: 150, partsSentAgain: 2 });
  change({ bytesDone: 0 });
  change({ bytesDone: 30, uploadedAt: 5, fileCount: 7 });
  change({ uploadedAt: 5, fileCount: 7 });
  const error = toErrorRecord(new TileliftError('storage-denied'));
  change({ error });
  change({ error });
  expect(await value('uploaded_bytes_total')).toBe('80');
  expect(await value('uploaded_files_total')).toBe('7');
  expect(await value('parts_sent_again_total')).toBe('2');
  expect(await metrics.text()).toContain('tilelift_errors_total{code="storage-denied"} 1');
});

it('createMetrics() includes the age of the last success and the credential life if known', async () => {
  const { change, value } = world({}, { lastSuccessAt: 30_000 });
  expect(await value('last_success_seconds')).toBe('30');
  change({ credentialsEndAt: 90_000 });
  expect(await value('credential_life_seconds')).toBe('30');
  change({ credentialsEndAt: null });
  expect(await value('credential_life_seconds')).toBeUndefined();
  expect(await world().value('last_success_seconds')).toBeUndefined();
});

describe('files for Prometheus and Grafana', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '..', '..', '..', 'build', 'service', name), 'utf8');

  it.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])(
    'files for Prometheus and Grafana: uses only existing metrics in %s',
    (name) => {
      const countedNames = world().metrics.names();
      const metricNames = new Set(read(name).match(/\btilelift_[a-z_]+/g));
      expect(metricNames.size).toBeGreaterThan(5);
      expect([...metricNames].filter((item) => !countedNames.includes(item))).toEqual([]);
    },
  );

  it('the file for Grafana defines a valid dashboard', () => {
    const { panels } = JSON.parse(read('grafana-dashboard.json'));
    expect(panels.length).toBeGreaterThan(5);
  });
});

describe('parseLoopback()', () => {
  it.each(['127.0.0.1:9464', '127.9.9.9:1', 'localhost:9464', '[::1]:9464', '127.0.0.1:0'])(
    'parseLoopback() accepts the metrics address %s',
    (text) => expect(parseLoopback(text)).not.toBeNull(),
  );

  it.each('0.0.0.0:9464 [::]:9464 192.168.1.2:9464 127.0.0.1 127.0.0.1:99999 a.example:1 :9464'.split(' '))(
    'parseLoopback() rejects the metrics address %s',
    (text) => expect(parseLoopback(text)).toBeNull(),
  );

  it('namesLoopback() accepts only loopback host names', () => {
    expect(['127.0.0.1:9464', 'localhost', '[::1]:1'].map(namesLoopback)).toEqual([true, true, true]);
    expect(['evil.example:9464', 'evil.example', undefined, ''].map(namesLoopback)).toEqual(
      Array(4).fill(false),
    );
  });
});
