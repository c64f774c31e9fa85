import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** A network namespace for child processes that reaches only one address of this computer. */
export interface OnlyWayOut {
  /** This computer's address inside; servers on 127.0.0.1 aren't reachable. */
  readonly hostAddress: string;
  /** Prefix of commands that run inside. */
  readonly prefix: readonly string[];
  close(): Promise<void>;
}

/**
 * Creates a network namespace that a pair of interfaces connects to this one, without other routes. Rejects
 * if that isn't permitted.
 */
export async function openOnlyWayOut(): Promise<OnlyWayOut> {
  const id = `tl${process.pid}`;
  const [outer, innerName] = [`${id}o`, `${id}i`];
  // TEST-NET-3 (RFC 5737), used on this pair only.
  const hostAddress = '203.0.113.1';
  const ip = (...args: string[]) => exec('ip', args);
  await ip('netns', 'add', id);
  const close = async () => {
    // Deleting the namespace deletes the pair.
    await ip('netns', 'del', id);
  };
  try {
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', innerName, 'netns', id);
    await ip('addr', 'add', `${hostAddress}/30`, 'dev', outer);
    await ip('link', 'set', outer, 'up');
    await ip('-n', id, 'addr', 'add', '203.0.113.2/30', 'dev', innerName);
    await ip('-n', id, 'link', 'set', innerName, 'up');
    await ip('-n', id, 'link', 'set', 'lo', 'up');
    return { hostAddress, prefix: ['ip', 'netns', 'exec', id], close };
  } catch (error) {
    await close();
    throw error;
  }
}
