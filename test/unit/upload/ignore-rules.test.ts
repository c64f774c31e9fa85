import { describe, expect, it } from 'vitest';
import { createIgnore } from '../../../main/upload/ignore-rules.ts';

describe('the default ignore rules', () => {
  const ignore = createIgnore();

  it.each(['.DS_Store', 'Thumbs.db', 'thumbs.DB', '~$plan.docx', 'big.tif.part', 'x.TMP'])(
    'leave out %s',
    (name) => {
      expect(ignore(name, false)).toBe(true);
    },
  );

  it.each(['a.gml', 'part', 'a.partial', 'tmp', '.gitignore', 'plan~$.docx'])('keep %s', (name) => {
    expect(ignore(name, false)).toBe(false);
  });

  it('take .git for a folder only', () => {
    expect(ignore('.git', true)).toBe(true);
    expect(ignore('.git', false)).toBe(false);
    expect(ignore('a.tmp', true)).toBe(false);
  });
});

it('a pattern’s special characters stand for themselves, and its star for newlines too', () => {
  const ignore = createIgnore(['a+(b).[c]*']);
  expect(ignore('a+(b).[c]', false)).toBe(true);
  expect(ignore('a+(b).[c] \n x', false)).toBe(true);
  expect(ignore('aab.c', false)).toBe(false);
});
