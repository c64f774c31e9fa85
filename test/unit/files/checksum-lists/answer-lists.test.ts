import { describe, expect, it } from 'vitest';
import {
  answerLists,
  type ListOrder,
  type ListReply,
  placeOf,
} from '../../../../main/files/checksum-lists/answer-lists.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** The thread's side, called directly. */
function thread(keys: readonly string[] = ['/w/a.tif']) {
  const replies: ListReply[] = [];
  let post: (order: ListOrder) => void = () => {};
  const port = {
    on: (_event: string, listener: typeof post) => {
      post = listener;
    },
    postMessage: (reply: ListReply) => replies.push(reply),
  };
  answerLists(port as never, { entries: 20, remembered: 40 });
  post({ kind: 'files', folder: '/w', keys, startIndex: 0 });
  return (path: string, text: string | null, options: { stamp?: string; primary?: number } = {}) => {
    const { stamp = '1', primary = null } = options;
    const bytes = text === null ? null : Buffer.from(text);
    post({ kind: 'list', path, stamp, primary, isOwn: false, bytes });
    return replies.at(-1);
  };
}

describe('the checksum list thread', () => {
  it('the checksum list thread requests the bytes of a list once per content', () => {
    const ask = thread();
    expect(ask('/w/l.md5', null)).toEqual({ kind: 'unread' });
    const read = { kind: 'read', files: [{ fileIndex: 0, algorithm: 'md5', checksum: md5 }], missing: null };
    expect(ask('/w/l.md5', `${md5}  a.tif`)).toEqual(read);
    expect(ask('/w/l.md5', null)).toEqual(read);
    expect(ask('/w/l.md5', null, { stamp: '2' })).toEqual({ kind: 'unread' });
  });

  it('S30: the checksum list thread drops the oldest lists beyond its memory', () => {
    const ask = thread();
    const longList = `${md5}  b\n`.repeat(20);
    for (const name of ['a', 'b', 'c']) ask(`/w/${name}.md5`, longList);
    expect(ask('/w/a.md5', null)).toEqual({ kind: 'unread' });
    expect(ask('/w/c.md5', null)).toMatchObject({ kind: 'read' });
    expect(ask('/w/d.md5', `${longList}${md5}  b\n`)).toEqual({ kind: 'too-large' });
  });

  it('the checksum list thread assigns a checksum without a name to the list’s file', () => {
    expect(thread()('/w/a.tif.md5', md5)).toMatchObject({ files: [{ fileIndex: 0 }] });
    expect(thread()('/w/a.md5', md5)).toMatchObject({ files: [] });
    expect(thread()('/w/a.md5', md5, { primary: 0 })).toMatchObject({ files: [{ fileIndex: 0 }] });
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'c:/etc/passwd', '../../w2/passwd'])(
    'S31: the checksum list thread resolves %s next to the list, never outside the folder',
    (path) => expect(placeOf({ path }, '/w/in/l.md5', '/w')).toBe('/w/in/passwd'),
  );
});
