import { join } from 'node:path';
import { bundleForNode } from '../../../scripts/package/bundle-for-node.mjs';
import { root } from '../../../scripts/setup/packages.mjs';

export type Client = 'ours' | 'many' | 'limited' | 'scan' | 'lib-storage' | 'bare';

const folder = join(root, 'out', 'bench');
const clients: readonly Client[] = ['ours', 'many', 'limited', 'scan', 'lib-storage', 'bare'];

/** Bundles the programs in `clients/` and our workers with the settings of the shipped command. */
export async function bundleClients(): Promise<void> {
  const programs = Object.fromEntries(clients.map((client) => [client, `tools/bench/clients/${client}.ts`]));
  const workers = ['upload-worker', 'scan-worker'].map((name) => [name, `main/workers/${name}.ts`]);
  await bundleForNode({ ...programs, ...Object.fromEntries(workers) }, folder);
}

/** Path of the bundled program. */
export const bundledClient = (client: Client): string => join(folder, `${client}.js`);
