import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A real proxy in a process. */
export interface ProxyProcess {
  /** `host:port`. */
  readonly place: string;
  /** Stops at once, with all connections. */
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly address: string;
  readonly login?: { readonly username: string; readonly password: string };
}

/** Starts the proxy and waits until it listens. Rejects if it isn't installed. */
export async function startProxyProcess(
  address: string,
  port: number,
  command: string,
  args: readonly string[],
): Promise<ProxyProcess> {
  const child = spawn(command, args, { stdio: 'ignore' });
  await once(child, 'spawn');
  await untilOpen(address, port, child);
  return {
    place: `${address}:${port}`,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

export async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const bound = server.address();
  server.close();
  await once(server, 'close');
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return bound.port;
}

async function untilOpen(host: string, port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with code ${child.exitCode}`);
    const socket = connect({ host, port });
    const open = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
