import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { receiptsToCsv, receiptsToJson } from '../../../../main/watch/finish/receipt-export.ts';
import type { Receipt } from '../../../../main/watch/model/model.ts';

const receipt: Receipt = {
  ruleId: 'rule',
  ruleName: 'Scans',
  source: 'scan, "7"',
  accountId: 'me',
  assetId: 42,
  assetName: 'Scan 7',
  assetType: 'TERRAIN',
  takenAt: 0,
  uploadedAt: null,
  endedAt: 61_000,
  outcome: 'complete',
  error: null,
  files: [
    { key: 'a.tif', size: 9, etag: 'abc-2', comparedBy: 'crc32', partSize: 8 },
    { key: 'b\n.tif', size: 0, etag: null, partSize: 8 },
  ],
};
const csv = (receipts: Iterable<Receipt>) => [...receiptsToCsv(receipts)].join('');
const header =
  '"rule","source","outcome","error","asset id","asset name","asset type","taken","uploaded","ended","file","bytes","etag","part bytes","links not followed","findings","degrees","compared by","service","account id"\r\n';

/** Parses CSV as RFC 4180 specifies. */
function parse(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  for (let match = field.exec(text); match; match = field.exec(text)) {
    const [, raw = '', end] = match;
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

describe('receiptsToCsv()', () => {
  it('writes one CSV line per file', () => {
    const facts =
      '"Scans","scan, ""7""","complete",,42,"Scan 7","TERRAIN","1970-01-01T00:00:00.000Z",,"1970-01-01T00:01:01.000Z"';
    const whose = '"https://api.example.com","me"';
    const ofOne = { ...receipt, service: 'https://api.example.com', accountId: 'me' };
    expect(csv([ofOne])).toBe(
      `${header}${facts},"a.tif",9,"abc-2",8,0,,,"crc32",${whose}\r\n${facts},"b\n.tif",0,,8,0,,,,${whose}\r\n`,
    );
  });

  it('writes one CSV line for a source without files', () => {
    const lines = csv([{ ...receipt, files: [], links: 2 }]).split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/,,,,,2,,,,,"me"$/);
  });

  it('writes findings and degrees with their counts', () => {
    const findings = [
      { id: 'cut-off', count: 1, files: ['a.tif'] },
      { id: 'no-system-raster', count: 2, files: ['a.tif', 'b.tif'] },
    ] as const;
    const degrees = [
      { degree: 'read', count: 2, examples: [] },
      { degree: 'end-only', count: 1, examples: ['a.obj'] },
    ] as const;
    const [, line] = parse(csv([{ ...receipt, files: [], findings, degrees }]));
    expect(line?.at(-5)).toBe('cut-off (1); no-system-raster (2)');
    expect(line?.at(-4)).toBe('read (2); end-only (1)');
  });

  it('writes only the CSV header without receipts', () => {
    expect(csv([])).toBe(header);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['\t=1', "'\t'=1"],
    ['a;=1', "a;'=1"],
    ['a\n=1', "a\n'=1"],
    ['a\r\n-1', "a\r'\n'-1"],
  ])('escapes the formula %j', (name, guarded) => {
    const [, line] = parse(csv([{ ...receipt, assetName: name, files: [] }]));
    expect(line?.[5]).toBe(guarded);
  });

  it('S69: writes no formula, even for spreadsheets that split at semicolons, tabs or line breaks', () => {
    const signs = fc.constantFrom(...'=+-@＝;,\t\r\n" \'a1'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: signs }), (name) => {
        const text = csv([{ ...receipt, source: name, assetName: name, files: [] }]);
        for (const cell of text.split(/[;\t\r\n]/)) {
          const shown = cell.replace(/^ *"? */, '');
          expect(shown, JSON.stringify(text)).not.toMatch(/^[=+\-@＝]/);
        }
        const [, line] = parse(text);
        expect(line).toHaveLength(20);
        for (const cell of [line?.[1], line?.[5]]) expect(cell).not.toMatch(/^ *[=+\-@＝]/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('S70: preserves every field for readers of RFC 4180', () => {
    const anyText = fc
      .string({ unit: 'binary' })
      .filter((text) => !/(?:^|[;\t\r\n]) *[=+\-@\t\r\n]/.test(text));
    fc.assert(
      fc.property(anyText, anyText, (source, key) => {
        const file = { key, size: 1, etag: null, partSize: 8 };
        const [, line] = parse(csv([{ ...receipt, source, files: [file] }]));
        expect(line).toHaveLength(20);
        expect([line?.[1], line?.[10]]).toEqual([source, key]);
      }),
    );
  });
});

describe('receiptsToJson()', () => {
  const json = (receipts: Iterable<Receipt>) => JSON.parse([...receiptsToJson(receipts)].join(''));

  it('writes receipts as one JSON array', () => {
    const shown = { ...receipt, takenAt: '1970-01-01T00:00:00.000Z', endedAt: '1970-01-01T00:01:01.000Z' };
    expect(json([receipt, receipt])).toEqual([shown, shown]);
  });

  it('writes an empty JSON array without receipts', () => {
    expect(json([])).toEqual([]);
  });

  it('reads receipts only as they are written', () => {
    let read = 0;
    function* many() {
      for (; read < 100; read++) yield receipt;
    }
    const chunks = receiptsToJson(many())[Symbol.iterator]();
    chunks.next();
    chunks.next();
    expect(read).toBe(0);
  });
});
