import { censor } from '../../../main/log.ts';
import { redact, redactedStart } from '../../../main/redact.ts';
import { parseJson } from '../../../main/service/answer.ts';
import { assetAnswer, listAnswer } from '../../../main/service/answers.ts';
import { readCreated } from '../../../main/service/created-asset.ts';
import { errorFromAnswer, remoteWords } from '../../../main/service/error-answer.ts';
import { nextInLink } from '../../../main/service/list-pages.ts';
import { isServiceResponse, isSignInResponse } from '../../../main/service/who-answered.ts';
import { createControlRequests } from '../../../main/storage/control-requests.ts';
import { refusalOf } from '../../../main/storage/storage-answer.ts';
import { StorageError } from '../../../main/storage/storage-error.ts';
import { StorageFacts } from '../../../main/storage/storage-facts.ts';
import { parseMarkdown } from '../../../renderer/components/markdown/markdown.ts';
import { readFurtherOptions } from '../../../renderer/state/options/further-options.ts';
import { Escape, shapeOf, type Target } from '../target.ts';

const asset =
  '{"id":7,"type":"3DTILES","name":"n","description":"d","attribution":"","bytes":1,"dateAdded":"2026-01-01","status":"COMPLETE","percentComplete":100,"error":"x","progressMessage":"p"}';

const serviceAnswers: Target = {
  name: 'service-answers',
  seeds: [
    asset,
    `{"items":[${asset}]}`,
    `{"assetMetadata":${asset},"uploadLocation":{"bucket":"b","prefix":"sources/7/","accessKey":"a","secretAccessKey":"s","sessionToken":"t","endpoint":"https://s3.example"},"onComplete":{"method":"POST","url":"https://api.example/v1/assets/7/uploadComplete","fields":{}}}`,
    '{"code":"InvalidCredentials","message":"The access token is invalid."}',
    '{"error":"invalid_grant","error_description":"gone"}',
    '<html><title>502</title></html>',
  ],
  words: [
    '"items":[',
    '"id":',
    '"status":',
    '"assetMetadata":',
    '"uploadLocation":',
    '"url":',
    '"code":',
    '"message":',
    '[[[[[[[[',
    '{"a":',
  ],
  run: (input) => {
    const text = input.toString();
    const value = parseJson(text);
    const shapes = [assetAnswer, listAnswer].map((schema) => shapeOf(schema.safeParse(value).data, 1));
    const created = readCreated(text, 'https://api.example/v1/assets');
    if (created.kind === 'usable' && new URL(created.created.onComplete.url).origin !== 'https://api.example')
      throw new Escape('a completion address of somebody else');
    const nextUrl = nextInLink(text) !== null;
    const answer = { status: 400 + (text.length % 200), text, retryAfterMs: null };
    const words = remoteWords(answer);
    if ((words.message?.length ?? 0) > 600) throw new Escape('words of any length');
    const origins = [isServiceResponse(answer), isSignInResponse(answer)];
    const error = errorFromAnswer(answer, { origin: 'https://api.example', request: 'read', assetId: 7 });
    return `${shapes.join(' ')} ${created.kind} ${nextUrl} ${origins.join()} ${error?.code}`;
  },
};

const storageXml: Target = {
  name: 'storage-xml',
  seeds: [
    '<?xml version="1.0" encoding="UTF-8"?><InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>b</Bucket><Key>k</Key><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
    '<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker><Part><PartNumber>1</PartNumber><Size>8</Size><ETag>&quot;a&quot;</ETag></Part></ListPartsResult>',
    '<CompleteMultipartUploadResult><ETag>"a-2"</ETag></CompleteMultipartUploadResult>',
    '<Error><Code>SlowDown</Code><Message>Please reduce &amp; wait &#x41;</Message></Error>',
  ],
  words: [
    '<Error>',
    '<Code>',
    '</Code>',
    '<Part>',
    '<ETag>',
    '&#x10ffff;',
    '&quot;',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '<a:b>',
  ],
  run: async (input) => {
    const answer = { status: 200, headers: {}, body: input.toString() };
    const requests = createControlRequests({
      prefix: 'sources/7/',
      send: async () => answer,
      facts: () => new StorageFacts(new SharedArrayBuffer(StorageFacts.bytes)),
      currentTime: () => 0,
      completeMs: 1000,
    });
    const documented = (error: unknown) => {
      if (error instanceof StorageError) return 'unreadable';
      throw error;
    };
    const read = await Promise.all([
      requests.createMultipartUpload('a').then(shapeOf, documented),
      requests.listParts('a', 'u').then(shapeOf, documented),
      requests.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, []).then(shapeOf, documented),
    ]);
    const refusal = refusalOf(answer, 'PUT', 0);
    return `${read.join()} ${refusal?.fromStorage} ${refusal?.code !== undefined}`;
  },
};

const redaction: Target = {
  name: 'redaction',
  seeds: [
    'Authorization: Bearer abcDEF123._~+/=-',
    '{"secretAccessKey":"s1","sessionToken": "t1","body":"{\\"access_token\\":\\"a1\\"}"}',
    '<access_token>a1</access_token>&code=abc&state=def http://me:secret@proxy:3128/ AKIAIOSFODNN7EXAMPLE',
  ],
  words: [
    'Bearer ',
    'token=',
    '"token":"',
    '\\\\',
    '%3D',
    'eyJ',
    'tilelift://oauth/callback?',
    '://',
    '@',
    'Basic ',
  ],
  run: (input) => {
    const text = input.toString();
    const clean = redact(text);
    if (redactedStart(text, 200).length > 200) throw new Escape('longer than asked for');
    return `${clean === text} ${shapeOf(censor({ text, nested: [{ password: text }] }))}`;
  },
};

/** The service's texts about an asset are shown as Markdown; the user types options as JSON. */
const shownTexts: Target = {
  name: 'shown-texts',
  seeds: [
    '# State\n- **a** *b* `c` [d](https://e.example)\n> q\n```\nx\n```',
    '{"a": {"b": "\\"c\\""}, "sourceType": 1}',
    '1. a\n2. _b_',
  ],
  words: ['**', '*', '_', '`', '```', '# ', '- ', '1. ', '> ', '[', '](', ')', '"', '\\'],
  run: (input) => {
    const text = input.toString();
    return `${shapeOf(parseMarkdown(text), 3)} ${shapeOf(readFurtherOptions(text, ['inputCrs']))}`;
  },
};

export const answerTargets: readonly Target[] = [serviceAnswers, storageXml, redaction, shownTexts];
