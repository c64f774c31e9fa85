import type { Log } from '../log.ts';
import { createSocketWork, type WorkParts } from './answers.ts';
import type { OwnerKind } from './protocol.ts';
import { type SocketServer, serveSocket } from './server.ts';

interface CommandParts extends WorkParts {
  readonly home: string;
  readonly owner: OwnerKind;
  readonly version: string;
  readonly ready?: Promise<unknown>;
  readonly log: Log;
}

/** Without a socket everything else works, and the log has the reason. Never rejects. */
export async function serveCommands(parts: CommandParts): Promise<SocketServer> {
  const { home, owner, version, ready, log } = parts;
  const work = createSocketWork(parts);
  try {
    return await serveSocket({ home, owner, version, work, ready, log });
  } catch (error) {
    log.warn({ error }, 'commands can’t reach this Tilelift');
    return { stop: async () => work.stop() };
  }
}
