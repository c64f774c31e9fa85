import { execFile } from 'node:child_process';
import { chmod, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { policyPath } from '../../../main/policy/policy-file.ts';
import { packagedExecutable } from './packaged-app.ts';

/** A policy that one program of a test sees at its usual place, and nobody else on this computer. */
export interface PolicyFolder {
  /** Starts the packaged Tilelift under it, at the same process id. */
  readonly executable: string;
  /** A file beside the policy, its administrator's as well. Gives where the program sees it. */
  writeBeside(name: string, text: string): Promise<string>;
  /** From the next start on. */
  write(text: string, mode?: number): Promise<void>;
  remove(): Promise<void>;
}

const seenAs = dirname(policyPath('linux') ?? '');

/** Why there can be none here; null where there can. */
export async function noPolicyFolderBecause(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root';
  return promisify(execFile)('unshare', ['--mount', 'true']).then(
    () => null,
    () => 'no mount namespaces here',
  );
}

/**
 * Lays a folder over the real one in a mount namespace of the program's own: no variable of the environment
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
    // The folder is empty outside the namespaces, unless this computer has a policy of its own.
    remove: () => rmdir(seenAs).catch(() => undefined),
  };
}
