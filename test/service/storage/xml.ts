import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { NamedPart } from './multipart.ts';
import { S3Error } from './s3-error.ts';

const builder = new XMLBuilder({ ignoreAttributes: false });
const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Part' });

/** An XML document. */
export function xmlDocument(root: string, children: Readonly<Record<string, unknown>>): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [root]: children })}`;
}

const completeBody = z.object({
  CompleteMultipartUpload: z.object({
    Part: z
      .array(
        z.object({
          PartNumber: z.string().regex(/^\d{1,5}$/),
          ETag: z.string(),
          ChecksumCRC32: z.string().optional(),
        }),
      )
      .min(1)
      .max(10_000),
  }),
});

/** The parts in a CompleteMultipartUpload body. Throws S3Error `MalformedXML`. */
export function readNamedParts(body: string): readonly NamedPart[] {
  const malformed = () => new S3Error('MalformedXML', 'The XML was not well-formed or did not validate.');
  let document: unknown;
  try {
    document = parser.parse(body, true);
  } catch {
    throw malformed();
  }
  const parsed = completeBody.safeParse(document);
  if (!parsed.success) throw malformed();
  return parsed.data.CompleteMultipartUpload.Part.map(({ PartNumber, ETag, ChecksumCRC32 }) => ({
    number: Number(PartNumber),
    etag: ETag.replaceAll('"', ''),
    crc32: ChecksumCRC32,
  }));
}
