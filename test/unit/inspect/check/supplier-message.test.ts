import { expect, it } from 'vitest';
import { reportOf } from '../../../../main/inspect/check/check-report.ts';
import { supplierMessage } from '../../../../main/inspect/check/supplier-message.ts';
import type { FindingGroup, FindingId } from '../../../../shared/findings.ts';
import type { Seen } from '../../../../shared/source.ts';
import { inEnglish } from '../../../../strings/sayer.ts';

const group = (id: FindingId, ...keys: string[]): FindingGroup => ({
  ...{ id, count: keys.length, looked: 9, total: 9, keys },
});

function messageOf(findings: readonly FindingGroup[], remote: string | null): string {
  const facts: Seen = {
    ...{ state: 'done', looked: 9, total: 9, systems: [], extent: null, placed: 0 },
    ...{ degrees: [{ degree: 'read', count: 9, examples: [] }], findings },
  };
  const kind = { from: 'files', sourceTypes: ['RASTER_IMAGERY'] } as const;
  const source = { paths: ['/home/mara/orders/Delivery 7'], files: 9, bytes: 10, kind, seen: facts };
  const lines = supplierMessage(reportOf([source], false, { stopped: false }), remote, 'posix');
  return lines.map(({ text }) => inEnglish.sayPhrase(text)).join('\n');
}

it('names the faulty files, what is wrong and how to fix it, without folders of this computer', () => {
  const message = messageOf(
    [group('cut-off', 'a.tif', 'b/c.tif'), group('mixed-systems', 'd.tif')],
    'No CRS',
  );
  expect(message).toContain('There are problems with the data you delivered: Delivery 7.');
  expect(message).toContain('a.tif, b/c.tif');
  expect(message).toContain(inEnglish.sayPhrase({ key: 'findings.cut-off.detail', values: { count: 2 } }));
  expect(message).toContain('The service that processes the data reports: No CRS');
  expect(message).not.toMatch(/mara|d\.tif/);
});

it('the supplier message is only the service’s message if the files show nothing', () => {
  expect(messageOf([], 'No CRS').split('\n').filter(Boolean)).toHaveLength(3);
});
