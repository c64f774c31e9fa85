import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import aws2 from 'aws-sdk';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../service/model.ts';
import { allowInBrowser } from '../service/person.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { clients, type ForeignClient, missing } from './clients.ts';
import { pythonWith, runClient, systemProgram } from './run-client.ts';

/**
 * Whole flows of unmodified third-party clients, except for the addresses: results at the embedded service
 * must hold at the real one. `service-facts`: first-party clients send no `Accept` or any, complete with an
 * empty body, use a verifier of 32 characters, and end the token address with a slash.
 */

const root = join(import.meta.dirname, '..', '..');
const readme = join(root, 'test', 'service', 'README.md');

let service: EmbeddedService;
let folder: string;
let source: string;

beforeAll(async () => {
  service = await startEmbeddedService({ tilingMs: 60 });
  folder = await mkdtemp(join(tmpdir(), 'tilelift-interop-'));
  source = join(folder, 'source');
  await mkdir(source);
  await writeFile(join(source, 'old-town.gml'), '<CityModel/>');
  // Clients that send parts need more than one.
  await writeFile(join(source, 'scan.las'), randomBytes(9_000_000));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const triedClients = new Set<ForeignClient>();

/** A test per client and action; if it can't run, its name says what is missing. */
function testClient(client: ForeignClient, run: () => Promise<void>): void {
  triedClients.add(client);
  const missingRequirement = missing(client);
  const name = `${client.name}: ${client.flow}`;
  if (missingRequirement === null) it(name, run);
  else it.skip(`${name} (not run: ${missingRequirement})`, () => {});
}

interface CreatedAsset {
  readonly assetMetadata: { readonly id: number };
  readonly uploadLocation: {
    readonly bucket: string;
    readonly prefix: string;
    readonly endpoint: string;
    readonly accessKey: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string;
  };
  readonly onComplete: { readonly method: string; readonly url: string };
}

const creation = { name: 'Old town', type: '3DTILES', options: { sourceType: 'CITYGML' } };
const settingsToken = () => service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** As in the service's documentation: no `Accept`, and a completion without a body. */
async function create(token: string): Promise<CreatedAsset> {
  const response = await fetch(`${service.baseUrl}/v1/assets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(creation),
  });
  return (await response.json()) as CreatedAsset;
}

async function complete({ onComplete }: CreatedAsset, token: string): Promise<void> {
  const { method, url } = onComplete;
  const response = await fetch(url, { method, headers: { Authorization: `Bearer ${token}` } });
  expect(response.ok).toBe(true);
}

/** Expects every file of the source in storage, byte by byte, and a tiled asset. */
async function expectUploaded(assetId: number): Promise<void> {
  const prefix = `sources/${assetId}/`;
  const storedObjects = await service.control.objects(prefix);
  const expected = (await readdir(source)).map((name) => [
    prefix + name,
    sha256(readFileSync(join(source, name))),
  ]);
  expect(storedObjects.map(({ key, sha256: hash }) => [key, hash])).toEqual(expected);
  await expect.poll(() => service.control.assets().find(({ id }) => id === assetId)?.status).toBe('COMPLETE');
}

const awsEnvironment = ({ accessKey, secretAccessKey, sessionToken }: CreatedAsset['uploadLocation']) => ({
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
});

describe('uploads by third-party clients', () => {
  testClient(clients.sdk2, async () => {
    const token = settingsToken();
    const created = await create(token);
    const { bucket, prefix, endpoint, accessKey, secretAccessKey, sessionToken } = created.uploadLocation;
    const s3 = new aws2.S3({
      apiVersion: '2006-03-01',
      region: 'us-east-1',
      signatureVersion: 'v4',
      endpoint,
      credentials: new aws2.Credentials(accessKey, secretAccessKey, sessionToken),
    });
    for (const name of await readdir(source)) {
      const Body = createReadStream(join(source, name));
      await s3.upload({ Body, Bucket: bucket, Key: prefix + name }).promise();
    }
    await complete(created, token);
    await expectUploaded(created.assetMetadata.id);
  });

  testClient(clients.sdk3, async () => {
    const token = settingsToken();
    const created = await create(token);
    const { bucket, prefix, endpoint, accessKey, secretAccessKey, sessionToken } = created.uploadLocation;
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: accessKey, secretAccessKey, sessionToken },
    });
    for (const name of await readdir(source)) {
      const Body = createReadStream(join(source, name));
      await new Upload({ client, params: { Bucket: bucket, Key: prefix + name, Body } }).done();
    }
    await complete(created, token);
    await expectUploaded(created.assetMetadata.id);
  });

  testClient(clients.boto3, async () => {
    const script = join(import.meta.dirname, 'clients', 'requests_boto3.py');
    const run = await runClient(pythonWith(clients.boto3.modules) ?? '', [
      ...[script, service.baseUrl, service.authUrl, source],
    ]);
    expect(run).toMatchObject({ code: 0 });
    const [id = '', status] = run.lines.at(-1)?.split(' ') ?? [];
    expect(status).toBe('COMPLETE');
    await expectUploaded(Number(id));
  });

  testClient(clients.awsCli, async () => {
    const token = settingsToken();
    const created = await create(token);
    const { bucket, prefix, endpoint } = created.uploadLocation;
    const run = await runClient(
      systemProgram('aws') ?? 'aws',
      ['s3', 'cp', '--recursive', source, `s3://${bucket}/${prefix}`, '--endpoint-url', endpoint],
      awsEnvironment(created.uploadLocation),
    );
    expect(run).toMatchObject({ code: 0 });
    await complete(created, token);
    await expectUploaded(created.assetMetadata.id);
  });

  testClient(clients.rclone, async () => {
    const token = settingsToken();
    const created = await create(token);
    const { bucket, prefix, endpoint, accessKey, secretAccessKey, sessionToken } = created.uploadLocation;
    // Upload credentials may not list a bucket, so the client must not search it first.
    const run = await runClient(
      systemProgram('rclone') ?? 'rclone',
      ['copy', source, `tiles:${bucket}/${prefix}`, '--s3-no-check-bucket', '--no-traverse', '--s3-no-head'],
      {
        RCLONE_CONFIG: join(folder, 'none'),
        RCLONE_CONFIG_TILES_TYPE: 's3',
        RCLONE_CONFIG_TILES_PROVIDER: 'Other',
        RCLONE_CONFIG_TILES_REGION: 'us-east-1',
        RCLONE_CONFIG_TILES_ENDPOINT: endpoint,
        RCLONE_CONFIG_TILES_ACCESS_KEY_ID: accessKey,
        RCLONE_CONFIG_TILES_SECRET_ACCESS_KEY: secretAccessKey,
        RCLONE_CONFIG_TILES_SESSION_TOKEN: sessionToken,
      },
    );
    expect(run).toMatchObject({ code: 0 });
    await complete(created, token);
    await expectUploaded(created.assetMetadata.id);
  });
});

describe('sign-in by third-party clients', () => {
  testClient(clients.openidClient, async () => {
    const redirect = 'http://localhost:8391/';
    const server = {
      issuer: service.baseUrl,
      authorization_endpoint: `${service.authUrl}/oauth`,
      token_endpoint: `${service.baseUrl}/oauth/token`,
      registration_endpoint: `${service.baseUrl}/oauth/register`,
    };
    const registration = await fetch(server.registration_endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'OpenID script', redirect_uris: [redirect] }),
    });
    const { client_id } = (await registration.json()) as { client_id: string };
    const config = new openid.Configuration(server, client_id, undefined, openid.None());
    openid.allowInsecureRequests(config);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const link = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: 'assets:list assets:read',
      state: 'opaque',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const callback = new URL(await allowInBrowser(link.href));
    const firstTokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier,
      expectedState: 'opaque',
    });
    const secondTokens = await openid.refreshTokenGrant(config, firstTokens.refresh_token ?? '', {
      redirect_uri: redirect,
    });
    expect(secondTokens.access_token).not.toBe(firstTokens.access_token);
    const list = await fetch(`${service.baseUrl}/v1/assets`, {
      headers: { Authorization: `Bearer ${secondTokens.access_token}` },
    });
    expect(list.status).toBe(200);
  });

  testClient(clients.oauthlib, async () => {
    const script = join(import.meta.dirname, 'clients', 'oauthlib_sign_in.py');
    const run = await runClient(pythonWith(clients.oauthlib.modules) ?? '', [
      ...[script, service.baseUrl, service.authUrl],
    ]);
    expect(run).toMatchObject({ code: 0 });
    expect(Number(run.lines.at(-1))).toBe(service.control.assets().length);
  });
});

describe('first steps with the output of `npm run service` and its README', () => {
  let running: RunningService;
  beforeAll(async () => {
    running = await runService('--tiling-ms', '300');
  });
  afterAll(() => running.end());

  const inShell = (printedText: string) =>
    runClient('sh', [
      '-euc',
      `cd '${folder}'; set -a; ${block(printedText, '.env')}\n${block(printedText, 'curl')}`,
    ]);

  testClient(clients.curl, async () => {
    const run = await inShell(running.printed);
    expect(run).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(run.lines.join(''))).toMatchObject({ status: 'COMPLETE', bytes: 13 });
  });

  testClient(clients.curlEarlier, async () => {
    const otherService = await runService(
      '--flow',
      'earlier',
      '--sign-in-path',
      '/ion',
      '--host-name',
      'localhost',
    );
    try {
      const run = await inShell(otherService.printed);
      expect(run).toMatchObject({ code: 0, errors: '' });
      expect(JSON.parse(run.lines.join(''))).toMatchObject({ status: 'COMPLETE' });
    } finally {
      otherService.end();
    }
  });

  testClient(clients.sdk2Example, async () => {
    const environment = join(folder, '.env');
    await writeFile(environment, block(running.printed, '.env'));
    const example = readFileSync(readme, 'utf8')
      .split("```js\nimport aws from 'aws-sdk'")[1]
      ?.split('```')[0];
    const script = join(folder, 'upload.mjs');
    await writeFile(script, `import aws from 'aws-sdk'${example}`);
    // Resolves aws-sdk from the folder in the README.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const run = await runClient(process.execPath, [`--env-file=${environment}`, script]);
    expect(run).toMatchObject({ code: 0, lines: [expect.stringMatching(/^\d+ COMPLETE$/)] });
  });

  it('first steps with the output of `npm run service` and its README write a .env that Tilelift reads', () => {
    for (const name of ['TILELIFT_SERVICE_NAME', 'TILELIFT_SERVICE_API', 'TILELIFT_SERVICE_SIGN_IN'])
      expect(block(running.printed, '.env')).toContain(`\n${name}=`);
  });
});

it('table of clients in the embedded service’s README: lists the tested clients; `vitest -u` writes it', async () => {
  expect(triedClients).toEqual(new Set<ForeignClient>(Object.values(clients)));
  const text = readFileSync(readme, 'utf8');
  const rows = Object.values(clients).map(({ name, flow, origin }) => `| ${name} | ${flow} | ${origin} |\n`);
  const head = '| client | flow | from |\n|---|---|---|\n';
  const [textBefore = '', textAfter = ''] = text.split(head);
  const textRest = textAfter.slice(textAfter.indexOf('\n\n') + 1);
  await expect(textBefore + head + rows.join('') + textRest).toMatchFileSnapshot(readme);
});

/** The embedded service in its own process, and its output before the first request. */
interface RunningService {
  readonly printed: string;
  end(): void;
}

/** Starts the service like `npm run service`, without installing packages. */
async function runService(...options: readonly string[]): Promise<RunningService> {
  const program = join(import.meta.dirname, '..', 'service', 'run.ts');
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printedText = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    printedText += piece;
    if (printedText.endsWith('\n-----\n')) break;
  }
  return { printed: printedText, end: () => void child.kill('SIGKILL') };
}

/** Output below a heading. */
function block(printedText: string, heading: string): string {
  const section = printedText.split('\n-----').find((part) => part.split('\n')[0]?.includes(heading));
  if (section === undefined) throw new Error(`Nothing is printed below “${heading}”.`);
  return section.slice(section.indexOf('\n') + 1);
}
