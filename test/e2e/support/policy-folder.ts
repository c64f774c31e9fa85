import { execFile } from 'node:child_process';
import { chmod, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { policyPath } from '../../../main/policy/policy-file.ts';
import { packagedExecutable } from './packaged-app.ts';

/** A policy at its usual place, visible to only one program of a test. */
export interface PolicyFolder {
  /** Starts the packaged Tilelift with the policy, in the same process id. */
  readonly executable: string;
  /** Writes another administrator's file next to the policy. Returns its path as the program sees it. */
  writeBeside(name: string, text: string): Promise<string>;
  /** Takes effect at the next start. */
  write(text: string, mode?: number): Promise<void>;
  remove(): Promise<void>;
}

const seenAs = dirname(policyPath('linux') ?? '');

/** Reason why this test can't have a policy, or null. */
export async function noPolicyFolderBecause(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root';
  return promisify(execFile)('unshare', ['--mount', 'true']).then(
    () => null,
    () => 'no mount namespaces here',
  );
}

/**
 * Mounts a folder over the real one in the program's own mount namespace, because no environment variable
 * moves the policy.
 */
export async function makePolicyFolder(folder: string): Promise<PolicyFolder> {
  const own = join(folder, 'policy');
  await mkdir(own, { mode: 0o755 });
  await mkdir(seenAs, { recursive: true, mode: 0o755 });
  const executable = join(folder, 'tilelift-under-policy');
  const inside = `mount --bind '${own}' '${seenAs}' && exec "$0" "$@"`;
  const script = `#!/bin/sh\nexec unshare --mount sh -c '${inside.replaceAll("'", "'\\''")}' '${packagedExecutable()}' "$@"\n`;
  await writeFile(executable, script);
  await chmod(executable, 0o755);
  return {
    executable,
    write: async (text, mode = 0o644) => {
      await writeFile(join(own, 'policy.json'), text);
      await chmod(join(own, 'policy.json'), mode);
    },
    writeBeside: async (name, text) => {
      await writeFile(join(own, name), text, { mode: 0o644 });
      return join(seenAs, name);
    },
    // The folder is empty outside the namespaces, unless this computer has its own policy.
    remove: () => rmdir(seenAs).catch(() => undefined),
  };
}
