import type { Log } from '../log.ts';
import { createSocketWork, type WorkParts } from './answers.ts';
import type { Owner } from './protocol.ts';
import { type SocketServer, serveSocket } from './server.ts';

interface CommandParts extends WorkParts {
  /** Where the journal lies that this process holds. */
  readonly home: string;
  readonly owner: Owner;
  /** Of the program. */
  readonly version: string;
  readonly log: Log;
}

/**
 * From now on commands reach this Tilelift, which has taken up its work. Where no socket can be made (a file
 * system that knows none, no room) everything else works, and the log says why. Never rejects.
 */
export async function serveCommands(parts: CommandParts): Promise<SocketServer> {
  const { home, owner, version, log } = parts;
  const work = createSocketWork(parts);
  try {
    return await serveSocket({ home, owner, version, work, log });
  } catch (error) {
    log.warn({ error }, 'commands can’t reach this Tilelift');
    return { stop: async () => work.stop() };
  }
}
