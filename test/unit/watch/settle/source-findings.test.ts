import { describe, expect, it, vi } from 'vitest';
import type { Inspector } from '../../../../main/inspect/session/inspector.ts';
import { notInspected } from '../../../../main/watch/model/noted-findings.ts';
import { SourceFindings } from '../../../../main/watch/settle/source-findings.ts';
import type { Seen } from '../../../../shared/source.ts';

const rule = {
  id: 'rule',
  folder: '/in',
  kindFrom: 'rule',
  sourceType: 'RASTER_IMAGERY',
  options: '{}',
} as const;
const source = (path: string, digest = 'as it is') => ({ path, paths: [], digest, files: [] });
const cut: Seen['findings'][number] = { id: 'cut-off', count: 1, looked: 1, total: 1, keys: ['a.tif'] };
const seen = (change: Partial<Seen> = {}): Seen => ({
  ...{ state: 'done', looked: 1, total: 1, systems: [], extent: null },
  ...{ placed: 0, degrees: [], findings: [cut] },
  ...change,
});

/** Creates SourceFindings whose inspections the test ends one by one. */
function played() {
  const begun: { readonly signal: AbortSignal; readonly end: (seen: Seen | null | Error) => void }[] = [];
  const survey: Inspector['scanHeaders'] = (_files, signal, tell) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => resolve());
      const end = (last: Seen | null | Error) => {
        if (last instanceof Error) return reject(last);
        if (last) tell(last);
        resolve();
      };
      begun.push({ signal, end });
    });
  const onDone = vi.fn();
  const propose: Inspector['propose'] = async () => {
    throw new Error('nothing is proposed');
  };
  const findings = new SourceFindings({
    inspector: { scanHeaders: survey, propose, readBeginning: async () => null },
    onDone,
  });
  return { findings, begun, onDone };
}

describe('SourceFindings', () => {
  it('inspects each source once per change, one source at a time', async () => {
    const { findings, begun, onDone } = played();
    expect(findings.inspect(rule, source('a'))?.notReady.kind).toBe('not-ready');
    expect(findings.inspect(rule, source('b'))?.notReady.kind).toBe('not-ready');
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    expect(findings.underWay(rule, source('a'))).not.toBeNull();
    begun[0]?.end(seen());
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    expect(onDone).toHaveBeenCalledExactlyOnceWith('rule', 'a');
    expect(findings.inspect(rule, source('a'))).toBeNull();
    expect(findings.outcomeOf('rule', source('a')).findings).toEqual([
      { id: 'cut-off', count: 1, files: ['a.tif'] },
    ]);
    expect(findings.outcomeOf('rule', source('b'))).toEqual(notInspected);
  });

  it('records unread files for the receipt', async () => {
    const { findings, begun } = played();
    findings.inspect(rule, source('a'));
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    const degrees: Seen['degrees'] = [
      { degree: 'read', count: 9, examples: [] },
      { degree: 'names-only', count: 5, examples: ['a.zip', 'b.zip'] },
      // Another finding covers cloud-only files.
      { degree: 'only-in-cloud', count: 2, examples: ['c.las'] },
    ];
    begun[0]?.end(seen({ findings: [], degrees }));
    await vi.waitFor(() => expect(findings.inspect(rule, source('a'))).toBeNull());
    expect(findings.outcomeOf('rule', source('a'))).toEqual({
      findings: [{ id: 'not-read', count: 5, files: ['a.zip', 'b.zip'] }],
      degrees,
    });
  });

  it('restarts the inspection of a changed source and drops earlier findings', async () => {
    const { findings, begun } = played();
    findings.inspect(rule, source('a'));
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    findings.inspect(rule, source('a', 'changed'));
    expect(begun[0]?.signal.aborted).toBe(true);
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    begun[1]?.end(seen({ findings: [] }));
    await vi.waitFor(() => expect(findings.inspect(rule, source('a', 'changed'))).toBeNull());
    expect(findings.outcomeOf('rule', source('a')).findings).toEqual([]);
  });

  it.each([
    ['its inspection returns nothing', null],
    ['its inspection times out without findings', seen({ state: 'stopped', looked: 0, findings: [] })],
    ['its inspection thread ends', new Error('out of memory')],
  ])('holds no source if %s', async (_what, end) => {
    const { findings, begun } = played();
    findings.inspect(rule, source('a'));
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    begun[0]?.end(end);
    await vi.waitFor(() => expect(findings.inspect(rule, source('a'))).toBeNull());
    expect(findings.outcomeOf('rule', source('a')).findings).toEqual([]);
  });

  it('returns no findings to a dry run whose time is over', async () => {
    const { findings, begun } = played();
    findings.inspect(rule, source('a'));
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    const late = new AbortController();
    const found = findings.find(rule, source('b'), late.signal);
    late.abort();
    expect(await found).toEqual(notInspected);
    begun[0]?.end(seen());
    findings.inspect(rule, source('c'));
    await vi.waitFor(() => expect(begun).toHaveLength(2));
  });

  it('aborts the inspection on dispose()', async () => {
    const { findings, begun } = played();
    findings.inspect(rule, source('a'));
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    findings.dispose();
    expect(begun[0]?.signal.aborted).toBe(true);
  });
});
