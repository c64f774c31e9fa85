import { join } from 'node:path';
import { bundleForNode } from '../package/bundle-for-node.mjs';
import { root } from '../setup/packages.mjs';

export const bundleFolder = join(root, 'out', 'cli');

/** Bundles the command and its workers into `out/cli`. */
export async function bundleCommand() {
  const programs = {
    tilelift: 'main/command.ts',
    'scan-worker': 'main/workers/scan-worker.ts',
    'upload-worker': 'main/workers/upload-worker.ts',
  };
  await bundleForNode(programs, bundleFolder, 'command');
}
