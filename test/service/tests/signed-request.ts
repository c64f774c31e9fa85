import { createHash, createHmac } from 'node:crypto';
import type { Created } from './contract-client.ts';

interface SignTarget {
  readonly origin: string;
  /** Percent-encoded already. */
  readonly path: string;
  readonly location: Created['uploadLocation'];
}

export interface SignChange {
  readonly method?: string;
  /** Value of `x-amz-content-sha256`. */
  readonly sha256?: string;
  /** Further headers, signed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are sent but not signed. */
  readonly unsigned?: Readonly<Record<string, string>>;
  readonly at?: Date;
  readonly region?: string;
  readonly serviceName?: string;
  /** Leaves a header out altogether. */
  readonly without?: string;
}

/**
 * Headers of a request signed by hand (Signature Version 4), for requests that no well-behaved client sends.
 * Independent of the service's signing on purpose. Includes `path` for the caller.
 */
export function signedHeaders(target: SignTarget, change: SignChange): Record<string, string> {
  const { location, path } = target;
  const { region = 'us-east-1', serviceName = 's3' } = change;
  const time = (change.at ?? new Date()).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const signed: Record<string, string> = {
    host: new URL(target.origin).host,
    'x-amz-content-sha256': change.sha256 ?? 'UNSIGNED-PAYLOAD',
    'x-amz-date': time,
    'x-amz-security-token': location.sessionToken,
    ...change.headers,
  };
  if (change.without !== undefined) delete signed[change.without];
  const names = Object.keys(signed).sort();
  const canonical = [
    change.method ?? 'PUT',
    path,
    '',
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    signed['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/${serviceName}/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, text) => createHmac('sha256', secret).update(text).digest(),
      `AWS4${location.secretAccessKey}`,
    );
  const signature = createHmac('sha256', key)
    .update(['AWS4-HMAC-SHA256', time, scope, digest].join('\n'))
    .digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${location.accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...signed, ...change.unsigned, authorization, path };
}
