import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceiptFile } from '../../../../main/watch/model/model.ts';
import { ContentSum, compare, contentOfSent, unverifiable } from '../../../../main/watch/scan/content.ts';

const mebibyte = 1024 * 1024;
const md5 = (sign: string) => sign.repeat(32);
const file = (key: string, more: Partial<ReceiptFile> = {}): ReceiptFile => ({
  key,
  size: 100,
  etag: md5('a'),
  partSize: 8 * mebibyte,
  ...more,
});

describe('contentOfSent()', () => {
  it('ignores the source’s name and the order of its files', async () => {
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

  it('changes if a file is renamed, resized, rewritten or removed', async () => {
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
    ['was never fully uploaded', file('a.jpg', { etag: null })],
    ['has an ETag that isn’t an MD5', file('a.jpg', { etag: 'opaque' })],
    ['has a multipart ETag but only one part', file('a.jpg', { etag: `${md5('a')}-2` })],
    ['has several parts but a single-part ETag', file('a.jpg', { size: 9 * mebibyte })],
    [
      'was split by an outdated part size',
      file('a.jpg', { size: 20 * mebibyte, partSize: 5 * mebibyte, etag: `${md5('a')}-4` }),
    ],
  ])('returns unverifiable if one file %s', async (_, one) => {
    expect(await contentOfSent('Kai', [file('b.jpg'), one])).toBe(unverifiable);
  });

  it('covers files of several parts', async () => {
    const large = file('a.jpg', { size: 9 * mebibyte, etag: `${md5('a')}-2` });
    expect(await contentOfSent('Kai', [large])).not.toBe(unverifiable);
  });

  it('ignores files that programs derive from data, unless a source has no others', async () => {
    const data = [file('a.tif'), file('a.tfw')];
    const viewed = [...data, file('a.tif.aux.xml'), file('a.tif.ovr', { etag: 'opaque' })];
    expect(await contentOfSent('Kai', viewed)).toBe(await contentOfSent('Kai', data));
    const [one, other] = [file('a.ovr'), file('a.ovr', { size: 7 })];
    expect(await contentOfSent('Kai', [one])).not.toBe(await contentOfSent('Kai', [other]));
  });

  it('matches the ContentSum of the same files on disk', async () => {
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

describe('compare()', () => {
  const row = { content: 'its', state: 'complete', jobId: 'job', uploadedAt: 5 } as const;

  it.each([
    ['same', 'its', row],
    ['differs', 'other', row],
    ['unknown', undefined, row],
    ['unknown', 'its', { ...row, content: null }],
    ['unknown', 'its', { ...row, content: null, uploadedAt: null }],
    ['unverifiable', 'its', { ...row, content: unverifiable }],
    ['unverifiable', undefined, { ...row, content: unverifiable }],
    ['unverifiable', unverifiable, { ...row, content: unverifiable }],
    ['unverifiable', 'its', { ...row, content: null, jobId: null }],
    ['unverifiable', 'its', { ...row, content: null, uploadedAt: null, state: 'waits-for-retry' }],
  ] as const)('returns %s for content %s', (verdict, content, one) => {
    expect(compare(content, one)).toBe(verdict);
  });
});
