import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** What signs requests: the upload location's temporary credentials (contract 2.3). */
interface Credentials {
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

interface Signable {
  readonly method: string;
  readonly host: string;
  /** As it goes on the wire, percent-encoded. */
  readonly path: string;
  /** Sorted by name and percent-encoded, without its `?`; empty for none. */
  readonly query: string;
  /** Base64; null for a request without a body. */
  readonly contentMd5: string | null;
  /** Storage's time as far as it is known, ms since the epoch. */
  readonly at: number;
}

/** Contract 4.7: the region of every upload location. */
const region = 'us-east-1';
/** The body's integrity is `Content-MD5`'s, which is signed; a second hash would cost as much as sending. */
const payload = 'UNSIGNED-PAYLOAD';
const signedNames = 'host;x-amz-content-sha256;x-amz-date;x-amz-security-token';

/** Signature Version 4 with a session token, in headers. Keeps the signing key of the day. */
export class Signer {
  readonly #credentials: Credentials;
  #day = '';
  #key: KeyObject | undefined;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** All headers that the signature covers, but `host`, and the signature. */
  headers({ method, host, path, query, contentMd5, at }: Signable): Record<string, string> {
    const { accessKey, sessionToken } = this.#credentials;
    const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const scope = `${day}/${region}/s3/aws4_request`;
    const names = contentMd5 === null ? signedNames : `content-md5;${signedNames}`;
    const canonical = [
      method,
      path,
      query,
      ...(contentMd5 === null ? [] : [`content-md5:${contentMd5}`]),
      `host:${host}`,
      `x-amz-content-sha256:${payload}`,
      `x-amz-date:${time}`,
      `x-amz-security-token:${sessionToken}`,
      '',
      names,
      payload,
    ].join('\n');
    const digest = hash('sha256', canonical);
    const signature = createHmac('sha256', this.#keyOf(day))
      .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest}`)
      .digest('hex');
    return {
      ...(contentMd5 === null ? {} : { 'content-md5': contentMd5 }),
      'x-amz-content-sha256': payload,
      'x-amz-date': time,
      'x-amz-security-token': sessionToken,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    };
  }

  #keyOf(day: string): KeyObject {
    if (this.#key && day === this.#day) return this.#key;
    const bytes = [day, region, 's3', 'aws4_request'].reduce(
      (key: Buffer, text) => createHmac('sha256', key).update(text).digest(),
      Buffer.from(`AWS4${this.#credentials.secretAccessKey}`),
    );
    this.#day = day;
    this.#key = createSecretKey(bytes);
    return this.#key;
  }
}
