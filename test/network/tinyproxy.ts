import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface Tinyproxy {
  /** `host:port`. */
  readonly place: string;
  close(): Promise<void>;
}

export interface TinyproxyOptions {
  /** For its configuration. */
  readonly folder: string;
  readonly address: string;
  readonly login?: { readonly username: string; readonly password: string };
}

/** Starts the real thing. Rejects where it is not installed (`apt-get install tinyproxy`). */
export async function startTinyproxy({ folder, address, login }: TinyproxyOptions): Promise<Tinyproxy> {
  const port = await freePort(address);
  const lines = [`Port ${port}`, `Listen ${address}`, 'Timeout 60', 'MaxClients 200', 'DisableViaHeader Yes'];
  if (login) lines.push(`BasicAuth ${login.username} ${login.password}`);
  const file = join(folder, `tinyproxy-${port}.conf`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn('tinyproxy', ['-d', '-c', file], { stdio: 'ignore' });
  await once(child, 'spawn');
  await untilOpen(address, port, child);
  return {
    place: `${address}:${port}`,
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const taken = server.address();
  server.close();
  await once(server, 'close');
  if (taken === null || typeof taken === 'string') throw new Error('no port');
  return taken.port;
}

async function untilOpen(host: string, port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`tinyproxy ended with code ${child.exitCode}`);
    const socket = connect({ host, port });
    const open = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
