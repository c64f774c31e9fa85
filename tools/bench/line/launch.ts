import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addressOf, doorSchema } from '../door.ts';
import type { Sink } from '../sink/launch.ts';
import type { LineShape } from './wire.ts';

/** Starts a line to the stand-in in its own process. `stop` only ends the line, not the stand-in. */
export async function launchLine(sink: Sink, shape: LineShape): Promise<Sink> {
  const target = sink.target('https');
  const { hostname, port } = new URL(target.endpoint);
  const child = fork(
    fileURLToPath(new URL('process.ts', import.meta.url)),
    [JSON.stringify({ far: { host: hostname, port: Number(port || 443) }, shape })],
    { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const [message]: unknown[] = await once(child, 'message');
  const relayDoor = doorSchema.parse(message);
  return {
    ...sink,
    target: () => ({ ...target, endpoint: addressOf('https', relayDoor) }),
    stop: async () => {
      if (child.exitCode !== null) return;
      const childExited = once(child, 'exit');
      child.disconnect();
      await childExited;
    },
  };
}
