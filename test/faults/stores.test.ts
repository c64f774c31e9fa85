import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import type { FaultAction, FaultMatch } from '../service/model.ts';
import {
  expectWhole,
  openFaultHouse,
  storageRequests,
  threeParts,
  timesSent,
  uploadWhole,
} from './fault-house.ts';

let house: House;

beforeEach(async () => {
  house = await openFaultHouse();
});
afterEach(() => house.close());

const always = 1_000;
const files = [
  ['a small file', { 'a.gml': 30_000 }],
  ['a file of several parts', { 'a.las': threeParts }],
] as const;

function fault(action: FaultAction, match: Omit<FaultMatch, 'room'> = {}): void {
  house.service.control.addFault({ match: { room: 'storage', times: always, ...match }, action });
}

describe.each(files)('%s', (_, source) => {
  it('uploads although every answer follows unrequested ones', async () => {
    fault({ kind: 'interim-answers', statuses: [100, 102, 103] });
    const folder = await house.source({ ...source, 'b.prj': 500 });

    await expectWhole(house, await uploadWhole(house, folder), folder);
  });

  it('uploads although answers have 60 KB of headers', async () => {
    fault({ kind: 'edit-answer', headers: { 'x-padding': 'x'.repeat(60_000) } });
    const folder = await house.source({ ...source, 'b.prj': 500 });

    await expectWhole(house, await uploadWhole(house, folder), folder);
  });
});

describe('store without S3’s headers and with opaque ETags', () => {
  const unmarked = { 'x-amz-request-id': null, 'x-amz-checksum-crc32': null, 'x-amz-checksum-type': null };

  it('store without S3’s headers and with opaque ETags: accepts small files after one test request', async () => {
    fault({ kind: 'edit-answer', headers: { ...unmarked, etag: '"opaque"' } }, { method: 'PUT' });
    fault({ kind: 'edit-answer', headers: unmarked });
    const folder = await house.source({ 'a.gml': 700, 'b.gml': 30_000, 'c.gml': 2_000, 'd.gml': 100 });

    await expectWhole(house, await uploadWhole(house, folder), folder);

    // Two may be in flight before the first response.
    expect(storageRequests(house, 'GET').length).toBeLessThanOrEqual(2);
    expect(storageRequests(house, 'PUT')).toHaveLength(4);
  });

  it('store without S3’s headers and with opaque ETags: retries while another server answers', async () => {
    const action = { kind: 'status', status: 200, headers: { ETag: '"opaque"' } } as const;
    fault(action, { times: 6 });
    const folder = await house.source({ 'a.gml': 700 });

    await expectWhole(house, await uploadWhole(house, folder), folder);

    // Three part requests got a response that isn't from storage.
    expect(storageRequests(house, 'PUT')).toHaveLength(4);
    expect(storageRequests(house, 'GET')).toHaveLength(3);
  });
});

describe('store whose ETags of whole files follow another formula', () => {
  const otherEtag = `${'A'.repeat(31)}7-3`;
  const inDocument = { kind: 'edit-answer', body: ['[0-9a-f]{32}-3', otherEtag] } as const;
  const completion = { method: 'POST', path: 'uploadId=' };

  it('store whose ETags of whole files follow another formula: receives each part once and is asked for the object’s size', async () => {
    fault(inDocument, completion);
    fault({ kind: 'edit-answer', headers: { etag: `"${otherEtag}"` } }, { method: 'HEAD' });
    const folder = await house.source({ 'a.las': threeParts });

    const job = await uploadWhole(house, folder);

    expect(timesSent(house)).toEqual([1, 1, 1]);
    expect(storageRequests(house, 'HEAD')).toHaveLength(1);
    await expectWhole(house, job, folder);
  });

  it('store whose ETags of whole files follow another formula: receives each part once although the answer to completing was lost', async () => {
    fault({ kind: 'cut-answer', afterBytes: 0 }, { ...completion, times: 1 });
    fault({ kind: 'edit-answer', headers: { etag: `"${otherEtag}"` } }, { method: 'HEAD' });
    const folder = await house.source({ 'a.las': threeParts });

    const job = await uploadWhole(house, folder);

    expect(timesSent(house)).toEqual([1, 1, 1]);
    await expectWhole(house, job, folder);
  });

  it('store whose ETags of whole files follow another formula: fails the job if the object has another size', async () => {
    fault(inDocument, completion);
    fault({ kind: 'edit-answer', headers: { 'content-length': '17' } }, { method: 'HEAD' });
    const id = house.add(await house.source({ 'a.las': threeParts }));

    expect((await house.until(id, hasStatus('failed'))).error).toMatchObject({ code: 'storage-mismatch' });
  });
});
