/** The embedded service on its own: `npm run service -- --port 8390`. Ends on SIGINT or SIGTERM. */
import { parseArgs } from 'node:util';
import type { EmbeddedService, ServiceSettings } from './model.ts';
import { startEmbeddedService } from './start-service.ts';

const usage = `Usage: node test/service/run.ts [options]
  --port N             API port (default: any free one)
  --auth-port N        sign-in port
  --storage-port N     storage port
  --data FOLDER        keep objects here (default: a temporary folder, removed at the end)
  --discard            keep sizes and hashes of objects, not their bytes
  --tiling-ms N        how long tiling takes
  --upload-seconds N   life of upload credentials
  --access-seconds N   life of access tokens
  --json               print the addresses as one line of JSON
  --help`;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    'auth-port': { type: 'string' },
    'storage-port': { type: 'string' },
    data: { type: 'string' },
    discard: { type: 'boolean' },
    'tiling-ms': { type: 'string' },
    'upload-seconds': { type: 'string' },
    'access-seconds': { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

/** One setting from one option, when it was given. Throws Error when it is no whole number. */
function numberSetting<Name extends keyof ServiceSettings>(name: Name, option: keyof typeof values) {
  const text = values[option];
  if (text === undefined) return {};
  if (typeof text !== 'string' || !/^\d+$/.test(text)) throw new Error(`--${option} takes a whole number.`);
  return { [name]: Number(text) };
}

function describe(service: EmbeddedService): string {
  const { baseUrl, authUrl, storageUrl, controlUrl } = service;
  if (values.json) return JSON.stringify({ baseUrl, authUrl, storageUrl, controlUrl });
  return [
    'The embedded service is running. Nothing leaves this computer.',
    '',
    `  API       ${baseUrl}`,
    `  sign-in   ${authUrl}`,
    `  storage   ${storageUrl}`,
    `  control   ${controlUrl}`,
    '',
    'Ctrl+C ends it.',
  ].join('\n');
}

if (values.help) {
  console.log(usage);
} else {
  const service = await startEmbeddedService({
    ...numberSetting('apiPort', 'port'),
    ...numberSetting('authPort', 'auth-port'),
    ...numberSetting('storagePort', 'storage-port'),
    ...numberSetting('tilingMs', 'tiling-ms'),
    ...numberSetting('uploadCredentialSeconds', 'upload-seconds'),
    ...numberSetting('accessTokenSeconds', 'access-seconds'),
    ...(values.data === undefined ? {} : { dataFolder: values.data }),
    ...(values.discard ? { keepObjects: 'discard' as const } : {}),
  });
  console.log(describe(service));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.stop());
}
