import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { bareEtag, etagsAgree, multipartEtag } from '../../../main/storage/etag.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

it('ETags compare without quotes and weak marks', () => {
  expect(bareEtag('"abc"')).toBe('abc');
  expect(bareEtag('W/"abc"')).toBe('abc');
  expect(bareEtag('abc')).toBe('abc');
});

it('ETags of several parts are the MD5 of their MD5s and their number', () => {
  const digest = createHash('md5')
    .update(Buffer.from(md5('a') + md5('b'), 'hex'))
    .digest('hex');
  expect(multipartEtag([md5('a'), md5('b')])).toBe(`${digest}-2`);
  expect(multipartEtag([md5('a'), 'something-else'])).toBeNull();
});

it('ETags disagree only if both are comparable', () => {
  expect(etagsAgree(md5('a'), md5('a').toUpperCase())).toBe(true);
  expect(etagsAgree(md5('a'), md5('b'))).toBe(false);
  expect(etagsAgree(md5('a'), 'opaque')).toBe(true);
  expect(etagsAgree(`${md5('a')}-2`, md5('b'))).toBe(true);
  expect(etagsAgree(`${md5('a')}-2`, `${md5('b')}-2`)).toBe(false);
  expect(etagsAgree(null, md5('b'))).toBe(true);
  expect(etagsAgree(md5('a'), null)).toBe(true);
});
