import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { completionBody, readEtag, readPartsPage, readUploadId } from '../../../main/upload/multipart-xml.ts';

const answer = (body: string) => ({ status: 200, headers: {}, body: `<?xml version="1.0"?>${body}` });
const xmlns = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

describe('the documents of multipart uploads', () => {
  it('give an upload id as it stands, even where it looks like a number', () => {
    const body = `<InitiateMultipartUploadResult ${xmlns}><UploadId>0012.50</UploadId></InitiateMultipartUploadResult>`;
    expect(readUploadId(answer(body))).toBe('0012.50');
  });

  it('list one part, several or none', () => {
    const part = (number: number) =>
      `<Part><PartNumber>${number}</PartNumber><Size>5</Size><ETag>&quot;abc&quot;</ETag></Part>`;
    const page = (inside: string) =>
      readPartsPage(answer(`<ListPartsResult ${xmlns}>${inside}</ListPartsResult>`));
    expect(page(part(1))).toEqual({ parts: [{ number: 1, size: 5, etag: 'abc' }], next: null });
    expect(page(part(1) + part(2)).parts).toHaveLength(2);
    expect(page('<IsTruncated>false</IsTruncated>')).toEqual({ parts: [], next: null });
  });

  it('go on by IsTruncated, since some stores give a marker on the last page too', () => {
    const page = (truncated: boolean) =>
      readPartsPage(
        answer(
          `<ListPartsResult><IsTruncated>${truncated}</IsTruncated><NextPartNumberMarker>1000</NextPartNumberMarker></ListPartsResult>`,
        ),
      ).next;
    expect(page(true)).toBe('1000');
    expect(page(false)).toBeNull();
  });

  it('may complete without an ETag, as Ceph RGW does', () => {
    const body = (inside: string) =>
      `<CompleteMultipartUploadResult ${xmlns}>${inside}</CompleteMultipartUploadResult>`;
    expect(readEtag(answer(body('<ETag></ETag>')))).toBe('');
    expect(readEtag(answer(body('<Key>k</Key>')))).toBe('');
    expect(readEtag(answer(body('<ETag>&quot;abc-2&quot;</ETag>')))).toBe('"abc-2"');
  });

  it.each(['', '<html>', 'not XML at all', '<ListPartsResult><Part></Part></ListPartsResult>'])(
    'that are none count as cut off: %j',
    (body) => {
      for (const read of [readUploadId, readPartsPage, readEtag]) {
        expect(() => read({ status: 200, headers: {}, body })).toThrow('could not be read');
      }
    },
  );

  it('name the parts to complete, whatever stands in their ETags', () => {
    const parts = fc.array(
      fc.record({ number: fc.nat(), size: fc.nat(), etag: fc.string({ minLength: 1 }) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    const parser = new XMLParser({
      parseTagValue: false,
      trimValues: false,
      isArray: (name) => name === 'Part',
    });
    fc.assert(
      fc.property(parts, (given) => {
        const read = parser.parse(completionBody(given)).CompleteMultipartUpload.Part;
        expect(read).toEqual(
          given.map(({ number, etag }) => ({ PartNumber: String(number), ETag: `"${etag}"` })),
        );
      }),
    );
  });
});
