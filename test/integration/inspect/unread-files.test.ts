import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOf, linesOf } from '../../../main/inspect/check/check-report.ts';
import { checkSources } from '../../../main/inspect/check/check-sources.ts';
import { createInspector, type Inspector } from '../../../main/inspect/session/inspector.ts';
import { scanSourceAt } from '../../../main/watch/scan/scan-rule.ts';
import { checkCompleteness } from '../../../main/watch/settle/completeness.ts';
import { notReadPhrases } from '../../../shared/degrees.ts';
import type { Seen } from '../../../shared/source.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { deliveries, wholeDelivery } from '../../unit/inspect/unread-files.ts';
import { writeFiles } from '../../write-files.ts';

const folder = suiteFolder();
let inspector: Inspector;
const { signal } = new AbortController();
beforeAll(() => {
  inspector = createInspector();
});
afterAll(() => inspector.close());

async function write(name: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  await writeFiles(join(folder, name), files);
  return join(folder, name);
}

/** As `tilelift check`. */
const check = (path: string) =>
  checkSources({ paths: [path], sourceTypes: null, strict: false }, { inspector, notify: () => {} }, signal);

/** The sheet's inspection of all files. */
async function preview(path: string): Promise<Seen | null> {
  const sheet = await inspector.ask('show', { paths: [path] });
  const last: { seen: Seen | null } = { seen: null };
  const tell = ({ seen }: { readonly seen: Seen }) => {
    last.seen = seen;
  };
  await inspector.ask('scanHeaders', [{ group: 0, pieces: [...sheet.pieces.keys()] }], { notify: tell });
  return last.seen;
}

/** A watched folder's reason to wait once nothing changes any more. */
async function doubtIn(path: string, name: string) {
  const source = await scanSourceAt(aWatchRule({ folder: join(path, '..') }), name);
  return source && checkCompleteness(join(path, '..'), source);
}

describe.each(deliveries)('$name', ({ name, files, finding, says }) => {
  let path: string;
  beforeAll(async () => {
    path = await write(name, files);
  });

  it(`doesn’t report ${name} as clean from the check`, async () => {
    const report = await check(path);
    const text = linesOf(report, 'posix').map(({ text: said }) => inEnglish.sayPhrase(said));
    expect(text).not.toContain('No findings.');
    expect(exitCodeOf(report)).toBe(finding ? 1 : 3);
    if (says) expect(text).toContain(says);
  });

  it(`names ${name} in the sheet`, async () => {
    const seen = await preview(path);
    const shownFinding = seen?.findings.find(({ id }) => id === finding);
    if (finding) expect(shownFinding?.keys).toHaveLength(Object.keys(files).length);
    else expect(notReadPhrases(seen?.degrees ?? []).map(inEnglish.sayPhrase)).toContain(says);
  });

  it(`holds ${name} in a watched folder if the data can’t be right`, async () => {
    const notReady = await doubtIn(path, name);
    if (!finding) expect(notReady).toBeNull();
    else
      expect(notReady).toMatchObject({
        kind: 'wait-for-change',
        finding: { id: finding, count: 1, files: [expect.any(String)] },
      });
  });
});

it('reads files as far as their formats allow without reporting zeros', async () => {
  const path = await write('whole', wholeDelivery);
  const seen = await preview(path);
  expect(seen?.degrees).toEqual([{ degree: 'read', count: 5, examples: [] }]);
  const ids = seen?.findings.map(({ id }) => id) ?? [];
  const ofBytes = ['not-filled', 'wrong-format', 'many-zeros', 'cut-off'];
  expect(ids.filter((id) => ofBytes.includes(id))).toEqual([]);
  expect(await doubtIn(path, 'whole')).toBeNull();
});
