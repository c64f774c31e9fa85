import { describe, expect, it, vi } from 'vitest';
import { createJobEndNotices } from '../../../../main/desktop/notices/job-end-notices.ts';
import type { Notice } from '../../../../main/desktop/notices/notify.ts';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { errorMessage } from '../../../../strings/said-error.ts';
import { memorySettings } from '../../account/stand-ins.ts';
import { job } from '../stand-ins.ts';

function desktop({ isLookedAt = false, wanted = true } = {}) {
  const settings = memorySettings();
  settings.update({ background: { ...settings.get().background, notify: wanted } });
  const told: Notice[] = [];
  const did = vi.fn();
  const end = createJobEndNotices({
    settings,
    notify: (notice) => told.push(notice),
    isLookedAt: () => isLookedAt,
    showJob: (id) => did('show', id),
    copyAssetId: (id) => did('copy', id),
    openAsset: (account, id) => did('open', account, id),
  });
  return { end, told, did };
}

const complete = job({ status: 'complete', endedAt: 1, assetId: 96_188 });
const error = toErrorRecord(new TileliftError('source-changed', { subject: 'ortho.tif' }));
const words = (ended: JobSnapshot) => {
  const { end, told } = desktop();
  end(ended);
  return told.map(({ title, body }) => [title, body]);
};

describe('a notice of an upload’s end', () => {
  it('says that the asset is there, and offers its id and its page', () => {
    const { end, told, did } = desktop();
    end(complete);
    expect(told).toMatchObject([{ title: '“Flight” is complete', body: 'Asset 96188 is ready.' }]);
    expect(told[0]?.actions?.map(({ text }) => text)).toEqual(['Copy asset ID', 'Open']);
    for (const { run } of told[0]?.actions ?? []) run();
    told[0]?.onClick?.();
    expect(did.mock.calls).toEqual([
      ['copy', 96_188],
      ['open', 'account', 96_188],
      ['show', 'a'],
    ]);
  });

  it.each([
    ['data-error', '“Flight”: the service can’t use the data'],
    ['error', '“Flight”: tiling failed'],
    ['failed', '“Flight” failed'],
    ['expired', '“Flight” was not uploaded in time'],
  ] as const)('says what went wrong (%s), and offers nothing that is not there', (status, title) => {
    const ended = job({ status, endedAt: 1, assetId: 7, error });
    expect(words(ended)).toEqual([[title, errorMessage(error)]]);
    const { end, told } = desktop();
    end(ended);
    expect(told[0]?.actions).toEqual([]);
  });

  it('is not given for what the person cancelled, nor for a watched folder’s upload', () => {
    expect(words(job({ status: 'cancelled', endedAt: 1 }))).toEqual([]);
    expect(words({ ...complete, byRule: true })).toEqual([]);
  });

  it.each([{ isLookedAt: true }, { wanted: false }])('is not given with %o', (how) => {
    const { end, told } = desktop(how);
    end(complete);
    expect(told).toEqual([]);
  });
});
