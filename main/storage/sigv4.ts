import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The temporary credentials of contract 2.3. */
interface Credentials {
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

interface Signable {
  readonly method: string;
  readonly host: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  /** Sorted by name and percent-encoded, without `?`. */
  readonly query: string;
  /** Signed; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Storage's time if known, ms since the epoch. */
  readonly timestamp: number;
}

/** The region of every upload location (contract 4.7). */
const region = 'us-east-1';
/** A signed checksum protects the body; SHA-256 would cost as much as sending. */
const payload = 'UNSIGNED-PAYLOAD';

/** Signature Version 4 with a session token, in headers. Caches the day's signing key. */
export class Signer {
  readonly #credentials: Credentials;
  #day = '';
  #key: KeyObject | undefined;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  headers({ method, host, path, query, headers, timestamp: timeMs }: Signable): Record<string, string> {
    const { accessKey, sessionToken } = this.#credentials;
    const time = new Date(timeMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const scope = `${day}/${region}/s3/aws4_request`;
    const sentHeaders: Record<string, string> = {
      ...headers,
      'x-amz-content-sha256': payload,
      'x-amz-date': time,
      'x-amz-security-token': sessionToken,
    };
    const signed: Record<string, string> = { ...sentHeaders, host };
    const inOrder = Object.keys(signed).sort();
    const names = inOrder.join(';');
    const lines = inOrder.map((name) => `${name}:${signed[name]}`);
    const canonical = [method, path, query, ...lines, '', names, payload].join('\n');
    const digest = hash('sha256', canonical);
    const signature = createHmac('sha256', this.#keyOf(day))
      .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest}`)
      .digest('hex');
    return {
      ...sentHeaders,
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
