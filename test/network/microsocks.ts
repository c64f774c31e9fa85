import { freePort, type ProxyOptions, type ProxyProcess, startProxyProcess } from './proxy-process.ts';

/** A SOCKS5 proxy. Rejects if it isn't installed (`apt-get install microsocks`). */
export async function startMicrosocks({ address, login }: ProxyOptions): Promise<ProxyProcess> {
  const port = await freePort(address);
  const args = ['-i', address, '-p', String(port)];
  if (login) args.push('-u', login.username, '-P', login.password);
  return startProxyProcess(address, port, 'microsocks', args);
}
