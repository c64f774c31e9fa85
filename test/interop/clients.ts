import { existsSync } from 'node:fs';
import { systemProgram } from './run-client.ts';

/** A client that was not written for this service, and what of the contract it goes through. */
export interface ForeignClient {
  readonly name: string;
  readonly flow: string;
  /** What of it must be on the system; packages of npm are the project's own. */
  readonly needs: readonly string[];
}

export const clients = {
  sdk2: {
    name: 'AWS SDK for JavaScript 2 and fetch',
    flow: 'create, upload in parts, complete with no body (the contract’s own recipe)',
    needs: [],
  },
  sdk3: {
    name: 'AWS SDK for JavaScript 3 and fetch',
    flow: 'create, upload in parts as it does by default, complete with no body',
    needs: [],
  },
  boto3: {
    name: 'Python requests and boto3',
    flow: 'register, sign in with a verifier of 32 characters and a slash after the token address, create, upload, complete, poll',
    needs: ['/usr/lib/python3/dist-packages/boto3', '/usr/lib/python3/dist-packages/requests'],
  },
  awsCli: { name: 'AWS CLI', flow: 'upload of a folder', needs: ['aws'] },
  rclone: { name: 'rclone', flow: 'upload of a folder', needs: ['rclone'] },
  curl: { name: 'curl', flow: 'create, upload with --aws-sigv4, complete with no body', needs: ['curl'] },
  openidClient: { name: 'openid-client', flow: 'register, sign in, refresh, list', needs: [] },
  oauthlib: {
    name: 'requests-oauthlib',
    flow: 'register, sign in, refresh, list',
    needs: ['/usr/lib/python3/dist-packages/requests_oauthlib'],
  },
} as const satisfies Record<string, ForeignClient>;

/** What of a client is not on this machine; empty where it can run. */
export function missing({ needs }: ForeignClient): readonly string[] {
  return needs.filter((need) => (need.startsWith('/') ? !existsSync(need) : systemProgram(need) === null));
}
