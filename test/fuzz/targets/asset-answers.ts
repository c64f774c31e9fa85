import { isDeepStrictEqual } from 'node:util';
import { assetDetailsView } from '../../../main/ipc/views/asset-views.ts';
import { jobForPage } from '../../../main/ipc/views/views.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import type { JobRecord } from '../../../main/jobs/journal/journal-model.ts';
import { snapshotOf } from '../../../main/jobs/service/snapshot.ts';
import { type EventData, LiveJob } from '../../../main/jobs/steps/live-job.ts';
import { createUploadGrants } from '../../../main/jobs/steps/upload-credentials.ts';
import { redactedStart } from '../../../main/redact.ts';
import { parseJson } from '../../../main/service/answer.ts';
import { assetAnswer, listAnswer } from '../../../main/service/answers.ts';
import { readCreated } from '../../../main/service/created-asset.ts';
import type { Asset, CreatedAsset } from '../../../main/service/model.ts';
import { memoryVault } from '../../unit/account/stand-ins.ts';
import { Escape, shapeOf, type Target } from '../target.ts';

const url = 'https://api.example/v1/assets';
const asset =
  '{"id":7,"type":"3DTILES","name":"n","description":"d","attribution":"","bytes":"1","dateAdded":"2026-01-01","status":"AWAITING_FILES","percentComplete":"41.5","error":"x","progressMessage":"p","labels":["a"]}';
const location =
  '{"bucket":"b","prefix":"sources/7/","accessKey":"a","secretAccessKey":"s","sessionToken":"t","endpoint":"https://s3.example"}';
const created = (fields: string) =>
  `{"assetMetadata":${asset},"uploadLocation":${location},"onComplete":{"method":"POST","url":"${url}/7/uploadComplete","fields":${fields}}}`;
const nestedJson = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const journal = openJournal(':memory:');
const grants = createUploadGrants(memoryVault());
const clock = { now: () => 1, elapsed: () => 1, sleep: async () => {} };
let jobs = 0;

function newJob(): LiveJob {
  jobs += 1;
  const record: JobRecord = {
    ...{ id: `job-${jobs}`, accountId: 'me', paths: ['/srv/a'], createdAt: 1, acceptForecast: true },
    body: { name: 'n', type: '3DTILES', options: { sourceType: 'CITYGML' } },
  };
  journal.addJob(record);
  return load(record);
}
const load = (record: JobRecord) =>
  new LiveJob(record, journal.events(record.id), { journal, clock, onChange: () => {} });

function expectSame(field: string, previous: unknown, current: unknown): void {
  if (!isDeepStrictEqual(current, previous)) throw new Escape(`${field} is not what was stored`);
}
const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** A job stores the asset, follows it, and is read again after a restart. */
function follow({ asset, uploadLocation, onComplete }: CreatedAsset): void {
  const job = newJob();
  const { id } = job;
  const grant = { assetId: asset.id, location: uploadLocation, onComplete, credentialsEndAt: 9 };
  grants.set(id, grant);
  expectSame('the grant', grant, grants.get(id));
  grants.delete(id);
  const { status, percentComplete: percent, progressMessage } = asset;
  const message = progressMessage ? { message: redactedStart(progressMessage) } : {};
  const happenings: readonly EventData[] = [
    { kind: 'started' },
    { kind: 'scanned', files: 1, bytes: 1, parts: 1 },
    { kind: 'create-requested' },
    { kind: 'asset-created', assetId: asset.id, credentialsEndAt: 9, onComplete },
    { kind: 'upload-finished' },
    { kind: 'completion-accepted' },
    { kind: 'asset-status', status, percent, ...message },
  ];
  for (const happening of happenings) job.apply(happening);
  expectSame('the job', job.state, load(job.record).state);
  job.showAsset(asset);
  const view = jobForPage(snapshotOf(job, false));
  expectSame('the view of the job', throughJson(view), throughJson(structuredClone(view)));
  journal.removeJob(id);
  while (journal.clearRemoved());
}

function show(asset: Asset): void {
  expectSame('the asset', asset, throughJson(asset));
  const view = assetDetailsView(asset, true);
  expectSame('the view of the asset', throughJson(view), throughJson(structuredClone(view)));
}

/** Responses about assets (contract 4.5, 4.6, 4.9) and their later use. */
export const assetAnswers: Target = {
  name: 'asset-answers',
  seeds: [
    created('{}'),
    created('{"a":[1,{"b":null}]}'),
    created(nestedJson(30)),
    created(nestedJson(6_000)),
    asset,
    `{"items":[${asset}]}`,
  ],
  words: [
    nestedJson(40),
    '"fields":',
    '"__proto__":',
    '"id":"70001"',
    '"bytes":1e999',
    '"status":"',
    '"labels":',
    '\\ud800',
    '\\u0000',
    '[[[[[[[[',
    '{"a":',
  ],
  run: (input) => {
    const text = input.toString();
    const createdReading = readCreated(text, url);
    if (createdReading.kind === 'usable') follow(createdReading.created);
    const value = parseJson(text);
    const singleAsset = assetAnswer.safeParse(value).data;
    const listedAssets = listAnswer.safeParse(value).data?.assets ?? [];
    for (const asset of singleAsset ? [singleAsset, ...listedAssets] : listedAssets) show(asset);
    return `${createdReading.kind} ${shapeOf(singleAsset, 1)} ${listedAssets.length}`;
  },
};
