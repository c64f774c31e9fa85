import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Release {
  readonly version: string;
  readonly program: Buffer;
  /** Bytes served instead of `program`, under its checksum. */
  readonly tampered?: Buffer;
  /** The file's address in the feed, if not next to it. */
  readonly at?: string;
}

/** A feed on a web server: the newest release of each channel, and its files. */
export interface Feed {
  readonly address: string;
  /** Requested paths without queries, in order. */
  readonly asked: string[];
  /** Headers of every request. */
  readonly headers: NodeJS.Dict<string | string[]>[];
  /** Number of sent bytes of programs. */
  programBytes(): number;
  publish(release: Release, channel?: 'latest' | 'beta'): void;
  /** Sends half of each program and holds the rest until release. */
  hold(): void;
  release(): void;
  /** Stops all answers until `speak`. */
  silence(): void;
  speak(): void;
  redirectTo(address: string): void;
  /** Closed connections of half-sent programs. */
  broken(): number;
  close(): Promise<void>;
}

export async function startFeed(): Promise<Feed> {
  const files = new Map<string, Buffer>();
  const requestedPaths: string[] = [];
  const headers: Feed['headers'] = [];
  const pendingAnswers: (() => void)[] = [];
  let [holds, isSilent, sentCount, brokenCount] = [false, false, 0, 0];
  let redirectTarget: string | null = null;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://feed');
    requestedPaths.push(pathname);
    headers.push(request.headers);
    if (isSilent) return;
    if (redirectTarget) return void response.writeHead(302, { location: redirectTarget + pathname }).end();
    const file = files.get(pathname);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': file.length });
    if (!pathname.endsWith('.exe')) return void response.end(file);
    const half = holds ? Math.floor(file.length / 2) : file.length;
    sentCount += half;
    response.write(file.subarray(0, half));
    response.on('close', () => {
      if (!response.writableFinished) brokenCount += 1;
    });
    const sendRest = () => {
      if (response.destroyed) return;
      sentCount += file.length - half;
      response.end(file.subarray(half));
    };
    if (holds) pendingAnswers.push(sendRest);
    else sendRest();
  });
  const address = await listen(server);
  return {
    address,
    asked: requestedPaths,
    headers,
    programBytes: () => sentCount,
    publish: (release, channel = 'latest') => {
      const name = `Tilelift-Setup-${release.version}.exe`;
      files.set(`/${name}`, release.tampered ?? release.program);
      const announcement = Buffer.from(announced(release, name));
      for (const system of ['', '-linux', '-mac']) files.set(`/${channel}${system}.yml`, announcement);
    },
    hold: () => {
      holds = true;
    },
    release: () => {
      holds = false;
      for (const sendRest of pendingAnswers.splice(0)) sendRest();
    },
    silence: () => {
      isSilent = true;
    },
    speak: () => {
      isSilent = false;
    },
    redirectTo: (redirectUrl) => {
      redirectTarget = redirectUrl;
    },
    broken: () => brokenCount,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Text of a feed file as electron-builder writes it. */
function announced({ version, program, at = '' }: Release, name: string): string {
  const url = `${at}${name}`;
  const sha512 = createHash('sha512').update(program).digest('base64');
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${url}`,
    `    sha512: ${sha512}`,
    `    size: ${program.length}`,
    `path: ${url}`,
    `sha512: ${sha512}`,
    "releaseDate: '2026-11-20T10:00:00.000Z'",
    '',
  ].join('\n');
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}
