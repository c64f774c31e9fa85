import { pythonWith, systemProgram } from './run-client.ts';

/** A third-party client, and the parts of the contract that it uses. */
export interface ForeignClient {
  readonly name: string;
  readonly flow: string;
  /** Source of the program: a Debian package, or an npm package of the project. */
  readonly origin: string;
  /** Required system program. */
  readonly program?: string;
  /** Required Python modules of the system. */
  readonly modules?: readonly string[];
}

export const clients = {
  sdk2: {
    name: 'AWS SDK for JavaScript 2 and fetch',
    flow: 'create, upload in parts, complete with no body (the contract’s own recipe)',
    origin: 'npm: `aws-sdk`',
  },
  sdk2Example: {
    name: 'AWS SDK for JavaScript 2 and fetch, a new user’s script',
    flow: 'create, upload, complete with the fields, poll: the example above, with the `.env` that `npm run service` prints',
    origin: 'npm: `aws-sdk`',
  },
  sdk3: {
    name: 'AWS SDK for JavaScript 3 and fetch',
    flow: 'create, upload in parts as it does by default, complete with no body',
    origin: 'npm: `@aws-sdk/lib-storage`',
  },
  boto3: {
    name: 'Python requests and boto3',
    flow: 'register, sign in with a verifier of 32 characters and a slash after the token address, create, upload, complete, poll',
    origin: 'Debian: `python3-requests`, `python3-boto3`',
    modules: ['requests', 'boto3'],
  },
  awsCli: {
    name: 'AWS CLI',
    flow: 'upload of a folder, between create and complete with no body',
    origin: 'Debian: `awscli`',
    program: 'aws',
  },
  rclone: {
    name: 'rclone',
    flow: 'upload of a folder, between create and complete with no body',
    origin: 'Debian: `rclone`',
    program: 'rclone',
  },
  curl: {
    name: 'curl',
    flow: 'register, sign in, create, upload with `--aws-sigv4`, complete with no body, poll: the lines that `npm run service` prints',
    origin: 'Debian: `curl`',
    program: 'curl',
  },
  curlEarlier: {
    name: 'curl, in the earlier form of the flow',
    flow: 'sign in at a host with a path as a client of the dashboard, create, upload, complete, poll',
    origin: 'Debian: `curl`',
    program: 'curl',
  },
  openidClient: {
    name: 'openid-client',
    flow: 'register, sign in, refresh, list',
    origin: 'npm: `openid-client`',
  },
  oauthlib: {
    name: 'requests-oauthlib',
    flow: 'register, sign in, refresh, list',
    origin: 'Debian: `python3-requests-oauthlib`',
    modules: ['requests_oauthlib'],
  },
} as const satisfies Record<string, ForeignClient>;

/** Missing requirement of a client; null if it can run. */
export function missing({ program, modules }: ForeignClient): string | null {
  if (program !== undefined && systemProgram(program) === null) return `${program} is not on this machine`;
  if (modules !== undefined && pythonWith(modules) === null)
    return `no Python on this machine has ${modules.join(' and ')}`;
  return null;
}
