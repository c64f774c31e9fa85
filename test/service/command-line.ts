import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { clientSchema, seedAssetSchema, seedSchema } from './control/seed-schema.ts';
import type { Seed, ServiceSettings } from './model.ts';

const streamingSchema = z.enum(['aws', 'ceph']);
const checksumsSchema = z.enum(['verify', 'ignore', 'refuse']);

export const usage = `Usage: npm run service -- [options]
  --port N             the API at this port; sign-in, storage and control at the next three (default: free ones)
  --auth-port N, --storage-port N, --control-port N
                       one of them elsewhere
  --host-name NAME     in all addresses, and listen at what it stands for (default: 127.0.0.1)
  --seed FILE          assets, clients, tokens and behaviour, as JSON: see "Seeding" in test/service/README.md
  --asset JSON         an asset that is there already: '{"id": 4711, "name": "Ground", "type": "TERRAIN"}'
  --client ID=URI      a client of the dashboard and its redirect URI
  --token SCOPES       a token with these scopes: 'assets:list assets:read'
  --flow earlier       contract part 9: PKCE as one likes, no registration, no refresh
  --expiry-names expiresIn
                       the other spelling of the expiry fields in JSON
  --access-seconds N   life of access tokens
  --refresh-seconds N  life of refresh tokens
  --sign-in-path PATH  in front of all paths of the sign-in host: /ion
  --upload-seconds N   life of upload credentials
  --tiling-ms N        how long tiling takes
  --streaming ceph     refuse bodies in chunks as Ceph RGW does (default: take them as AWS does)
  --checksums ignore   take CRC32s without a look as Ceph RGW does (default: compare them as AWS does);
                       refuse: answer each with 501 NotImplemented
  --omit-endpoint      leave the endpoint out of upload locations, as some answers of the service do
  --strict             only what the contract has: no World Terrain, no further endpoints (assumptions.md)
  --data FOLDER        keep objects here (default: a temporary folder, removed at the end)
  --discard            keep sizes and hashes of objects, not their bytes
  --json               print the addresses and a token as one line of JSON
  --help
--asset, --client and --token may be there more than once.`;

/** Options of the embedded service. */
export interface StartOrder {
  readonly settings: Partial<ServiceSettings>;
  readonly seeds: readonly Seed[];
  readonly isJson: boolean;
  readonly isStrict: boolean;
}

/** Parses a command line; null for `--help`. Throws an error that describes the problem. */
export function readCommandLine(args: readonly string[]): StartOrder | null {
  const { values } = parseArgs({
    // `npm run service -- -- --help` passes on one of the two.
    args: args.filter((arg) => arg !== '--'),
    options: {
      port: { type: 'string' },
      'auth-port': { type: 'string' },
      'storage-port': { type: 'string' },
      'control-port': { type: 'string' },
      'host-name': { type: 'string' },
      seed: { type: 'string' },
      asset: { type: 'string', multiple: true, default: [] },
      client: { type: 'string', multiple: true, default: [] },
      token: { type: 'string', multiple: true, default: [] },
      flow: { type: 'string' },
      'expiry-names': { type: 'string' },
      'access-seconds': { type: 'string' },
      'refresh-seconds': { type: 'string' },
      'sign-in-path': { type: 'string' },
      'upload-seconds': { type: 'string' },
      'tiling-ms': { type: 'string' },
      streaming: { type: 'string' },
      checksums: { type: 'string' },
      'omit-endpoint': { type: 'boolean' },
      strict: { type: 'boolean', default: false },
      data: { type: 'string' },
      discard: { type: 'boolean' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return null;
  const number = (option: keyof typeof values) => wholeNumber(`--${option}`, values[option]);
  const port = number('port');
  const portAfter = (step: number) => (port ? port + step : undefined);
  const settings = {
    apiPort: port,
    authPort: number('auth-port') ?? portAfter(1),
    storagePort: number('storage-port') ?? portAfter(2),
    controlPort: number('control-port') ?? portAfter(3),
    hostName: values['host-name'],
    tilingMs: number('tiling-ms'),
    uploadCredentialSeconds: number('upload-seconds'),
    streaming:
      values.streaming && parseChecked('--streaming', streamingSchema, JSON.stringify(values.streaming)),
    checksums:
      values.checksums && parseChecked('--checksums', checksumsSchema, JSON.stringify(values.checksums)),
    omitEndpoint: values['omit-endpoint'],
    dataFolder: values.data,
    keepObjects: values.discard ? ('discard' as const) : undefined,
  };
  const file =
    values.seed === undefined ? {} : parseChecked('--seed', seedSchema, readFileSync(values.seed, 'utf8'));
  const options = {
    assets: values.asset.map((text) => parseChecked('--asset', seedAssetSchema, text)),
    clients: values.client.map(dashboardClient),
    tokens: values.token.map((scopes) => ({ scopes: scopes.split(' ') })),
    flow: values.flow,
    expiryNames: values['expiry-names'],
    accessTokenSeconds: number('access-seconds'),
    refreshTokenSeconds: number('refresh-seconds'),
    signInPath: values['sign-in-path'],
  };
  return {
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    seeds: [file, parseChecked('options', seedSchema, JSON.stringify(options))],
    isJson: values.json,
    isStrict: values.strict,
  };
}

function wholeNumber(option: string, text: unknown): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw new Error(`${option} takes a whole number.`);
  return Number(text);
}

function dashboardClient(text: string): z.infer<typeof clientSchema> {
  const [id = '', ...uri] = text.split('=');
  const client = { id: wholeNumber('--client', id), name: `Client ${id}`, redirectUris: [uri.join('=')] };
  return parseChecked('--client', clientSchema, JSON.stringify(client));
}

function parseChecked<Value>(option: string, schema: z.ZodType<Value>, json: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(`${option}: is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error(`${option}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
