import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type ProxyOptions, type ProxyProcess, startProxyProcess } from './proxy-process.ts';

export interface TinyproxyOptions extends ProxyOptions {
  /** Folder for its configuration. */
  readonly folder: string;
}

/** An HTTP proxy. Rejects if it isn't installed (`apt-get install tinyproxy`). */
export async function startTinyproxy({ folder, address, login }: TinyproxyOptions): Promise<ProxyProcess> {
  const port = await freePort(address);
  const lines = [`Port ${port}`, `Listen ${address}`, 'Timeout 60', 'MaxClients 200', 'DisableViaHeader Yes'];
  if (login) lines.push(`BasicAuth ${login.username} ${login.password}`);
  const file = join(folder, `tinyproxy-${port}.conf`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return startProxyProcess(address, port, 'tinyproxy', ['-d', '-c', file]);
}
