import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceiptFile } from '../../../../main/watch/model/model.ts';
import { ContentSum, compare, contentOfSent, untold } from '../../../../main/watch/scan/content.ts';

const mebibyte = 1024 * 1024;
const md5 = (sign: string) => sign.repeat(32);
const file = (key: string, more: Partial<ReceiptFile> = {}): ReceiptFile => ({
  key,
  size: 100,
  etag: md5('a'),
  partSize: 8 * mebibyte,
  ...more,
});

describe('the content of a source', () => {
  it('is the same under another name, and with its files in another order', async () => {
    const before = await contentOfSent('in/Kai.gml', [
      file('Kai.gml'),
      file('Kai_appearance/a.jpg', { etag: md5('b') }),
    ]);
    const after = await contentOfSent('in/Mole.GML', [
      file('Mole_appearance/a.jpg', { etag: md5('b') }),
      file('Mole.GML'),
    ]);
    expect(after).toBe(before);
    expect(await contentOfSent('Kai', [file('a.jpg')])).toBe(await contentOfSent('Mole', [file('a.jpg')]));
  });

  it('is another with another name of a file in it, another size, other bytes, or a file less', async () => {
    const files = [file('a.jpg'), file('b.jpg', { etag: md5('b') })];
    const content = await contentOfSent('Kai', files);
    const others = [
      [file('c.jpg'), file('b.jpg', { etag: md5('b') })],
      [file('a.jpg', { size: 101 }), file('b.jpg', { etag: md5('b') })],
      [file('a.jpg', { etag: md5('b') }), file('b.jpg')],
      [file('a.jpg')],
    ];
    for (const other of others) expect(await contentOfSent('Kai', other)).not.toBe(content);
  });

  it.each([
    ['was never whole there', file('a.jpg', { etag: null })],
    ['has an ETag that is no MD5', file('a.jpg', { etag: 'opaque' })],
    ['has one of parts that it has not', file('a.jpg', { etag: `${md5('a')}-2` })],
    ['has several parts and one of none', file('a.jpg', { size: 9 * mebibyte })],
    [
      'was cut as nobody cuts it now',
      file('a.jpg', { size: 20 * mebibyte, partSize: 5 * mebibyte, etag: `${md5('a')}-4` }),
    ],
  ])('can’t be told where one file %s', async (_, one) => {
    expect(await contentOfSent('Kai', [file('b.jpg'), one])).toBe(untold);
  });

  it('can be told of a file of several parts', async () => {
    const large = file('a.jpg', { size: 9 * mebibyte, etag: `${md5('a')}-2` });
    expect(await contentOfSent('Kai', [large])).not.toBe(untold);
  });

  it('is blind to what programs derive from data by looking at them, but for a source of nothing else', async () => {
    const data = [file('a.tif'), file('a.tfw')];
    const looked = [...data, file('a.tif.aux.xml'), file('a.tif.ovr', { etag: 'opaque' })];
    expect(await contentOfSent('Kai', looked)).toBe(await contentOfSent('Kai', data));
    const [one, other] = [file('a.ovr'), file('a.ovr', { size: 7 })];
    expect(await contentOfSent('Kai', [one])).not.toBe(await contentOfSent('Kai', [other]));
  });

  it('says the same of what was sent and of what is on the disk, whatever the files', async () => {
    const anyFile = fc.record({
      key: fc.stringMatching(/^[a-zA-Zü._/ ]{1,12}$/),
      size: fc.nat(8 * mebibyte),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyFile, { minLength: 1, selector: ({ key }) => key }),
        async (files) => {
          const sent = files.map(({ key, size }) => file(key, { size }));
          const sum = new ContentSum(
            'in/a.tif',
            files.map(({ key }) => key),
          );
          for (const { key, size } of files.toReversed()) sum.add(key, size, md5('A'));
          expect(sum.content).toBe(await contentOfSent('in/a.tif', sent));
        },
      ),
    );
  });
});

describe('what was uploaded and what is there', () => {
  const row = { content: 'its', state: 'complete', jobId: 'job', uploadedAt: 5 } as const;

  it.each([
    ['same', 'its', row],
    ['differs', 'other', row],
    ['unknown', undefined, row],
    ['unknown', 'its', { ...row, content: null }],
    ['unknown', 'its', { ...row, content: null, uploadedAt: null }],
    ['untold', 'its', { ...row, content: untold }],
    ['untold', undefined, { ...row, content: untold }],
    ['untold', untold, { ...row, content: untold }],
    ['untold', 'its', { ...row, content: null, jobId: null }],
    ['untold', 'its', { ...row, content: null, uploadedAt: null, state: 'waits-for-retry' }],
  ] as const)('compare as %s: %s', (verdict, content, one) => {
    expect(compare(content, one)).toBe(verdict);
  });
});
