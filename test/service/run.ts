/** The embedded service as a program: `npm run service -- --port 8390`. Ends on SIGINT or SIGTERM. */
import { lookup } from 'node:dns/promises';
import { readCommandLine, type StartOrder, usage } from './command-line.ts';
import { firstSteps } from './first-steps.ts';
import { startEmbeddedService } from './start-service.ts';

try {
  const order = readCommandLine(process.argv.slice(2));
  if (order) await start(order);
  else console.log(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function start({ settings, seeds, isJson, isStrict }: StartOrder): Promise<void> {
  const service = await startEmbeddedService({ ...settings, beyondContract: !isStrict });
  try {
    const seedTokens = seeds.flatMap((seed) => service.control.seed(seed).tokens);
    const tokens = [
      service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']),
      ...seedTokens,
    ];
    const { baseUrl, authUrl, storageUrl, controlUrl } = service;
    const flow = seeds.map((seed) => seed.flow).findLast((flow) => flow !== undefined) ?? 'current';
    const isPrivate = await isLoopback(settings.hostName ?? '127.0.0.1');
    const addresses = { baseUrl, authUrl, storageUrl, controlUrl };
    console.log(
      isJson
        ? JSON.stringify({ ...addresses, accessToken: tokens[0] })
        : firstSteps({ service: addresses, flow, tokens, isPrivate }),
    );
  } catch (error) {
    await service.stop();
    throw error;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.stop());
}

async function isLoopback(hostName: string): Promise<boolean> {
  const { address } = await lookup(hostName);
  return address.startsWith('127.') || address === '::1';
}
