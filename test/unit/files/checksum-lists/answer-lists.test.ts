import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  answerLists,
  type ListOrder,
  type ListReply,
  placeOf,
} from '../../../../main/files/checksum-lists/answer-lists.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** The thread's side, called directly, for a folder of its own. Null keeps the list. */
function thread() {
  const folder = temporaryFolder();
  const replies: ListReply[] = [];
  let post: (order: ListOrder) => void = () => {};
  const port = {
    on: (_event: string, listener: typeof post) => {
      post = listener;
    },
    postMessage: (reply: ListReply) => replies.push(reply),
  };
  answerLists(port as never, { entries: 20, remembered: 40 });
  post({ kind: 'files', folder, keys: [join(folder, 'a.tif')], startIndex: 0 });
  return (name: string, text: string | null, primary: number | null = null) => {
    const path = join(folder, name);
    if (text !== null) writeFileSync(path, text);
    post({ kind: 'list', path, primary, isOwn: false, maxBytes: 1_000 });
    return replies.at(-1);
  };
}

describe('the checksum list thread', () => {
  it('parses a list once per content', () => {
    const parse = vi.spyOn(TextDecoder.prototype, 'decode');
    onTestFinished(() => parse.mockRestore());
    const ask = thread();
    expect(ask('l.md5', null)).toEqual({ kind: 'unread' });
    const files = [{ fileIndex: 0, algorithm: 'md5', checksum: md5 }];
    const read = { kind: 'read', files, missing: null, bytes: 39 };
    expect(ask('l.md5', `${md5}  a.tif`)).toEqual(read);
    expect(ask('l.md5', null)).toEqual(read);
    expect(parse).toHaveBeenCalledTimes(1);
    expect(ask('l.md5', `${md5}  other`)).toMatchObject({ files: [] });
  });

  it('S30: drops the oldest lists beyond its memory', () => {
    const parse = vi.spyOn(TextDecoder.prototype, 'decode');
    onTestFinished(() => parse.mockRestore());
    const ask = thread();
    const long = `${md5}  b\n`.repeat(20);
    for (const name of ['a', 'b', 'c']) ask(`${name}.md5`, long);
    ask('c.md5', null);
    expect(parse).toHaveBeenCalledTimes(3);
    ask('a.md5', null);
    expect(parse).toHaveBeenCalledTimes(4);
    expect(ask('d.md5', `${long}${md5}  b\n`)).toEqual({ kind: 'too-large' });
  });

  it('assigns a checksum without a name to the list’s file', () => {
    expect(thread()('a.tif.md5', md5)).toMatchObject({ files: [{ fileIndex: 0 }] });
    expect(thread()('a.md5', md5)).toMatchObject({ files: [] });
    expect(thread()('a.md5', md5, 0)).toMatchObject({ files: [{ fileIndex: 0 }] });
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'c:/etc/passwd', '../../w2/passwd'])(
    'S31: the checksum list thread resolves %s next to the list, never outside the folder',
    (path) => expect(placeOf({ path }, '/w/in/l.md5', '/w')).toBe('/w/in/passwd'),
  );

  it.each([
    ['/w/in/l.md5', '..', '/w/in/w'],
    ['/w/l.md5', '.', '/w/w'],
    ['/w/l.md5', '../../..', '/w/l'],
  ])('resolves an entry of %s for the folder itself or above, %s, next to the list', (list, path, place) => {
    expect(placeOf({ path }, list, '/w')).toBe(place);
  });
});
