import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/**
 * A network of its own for child processes, from which nothing can be reached but one address of this
 * computer's.
 */
export interface OnlyWayOut {
  /** Where this computer is seen from inside; what listens on 127.0.0.1 is not. */
  readonly hostAddress: string;
  /** A command that runs inside, as the beginning of one. */
  readonly prefix: readonly string[];
  close(): Promise<void>;
}

/**
 * Makes a network namespace that is joined to this one by a pair of interfaces and has no route anywhere
 * else. Rejects where that is not allowed.
 */
export async function openOnlyWayOut(): Promise<OnlyWayOut> {
  const id = `tl${process.pid}`;
  const [outer, inner] = [`${id}o`, `${id}i`];
  // TEST-NET-3 (RFC 5737): nobody's, and only on this pair.
  const hostAddress = '203.0.113.1';
  const ip = (...args: string[]) => exec('ip', args);
  await ip('netns', 'add', id);
  const close = async () => {
    // The pair goes with the namespace.
    await ip('netns', 'del', id);
  };
  try {
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', id);
    await ip('addr', 'add', `${hostAddress}/30`, 'dev', outer);
    await ip('link', 'set', outer, 'up');
    await ip('-n', id, 'addr', 'add', '203.0.113.2/30', 'dev', inner);
    await ip('-n', id, 'link', 'set', inner, 'up');
    await ip('-n', id, 'link', 'set', 'lo', 'up');
    return { hostAddress, prefix: ['ip', 'netns', 'exec', id], close };
  } catch (error) {
    await close();
    throw error;
  }
}
