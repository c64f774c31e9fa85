import { isDeepStrictEqual } from 'node:util';
import { inEnglish } from '../../../strings/sayer.ts';
import type { Log } from '../../log.ts';
import type { Status } from '../../socket/status.ts';
import type { Output } from '../output.ts';

/** How often the status is read, ms. Some concerns begin because time passes. */
const intervalMs = 10_000;

/** Logs the concerns of the status and emits them as an event, whenever they change. Returns how to stop. */
export function reportHealth(status: () => Status, log: Log, output: Pick<Output, 'event'>): () => void {
  let reportedConcerns: Status['concerns'] = [];
  const report = () => {
    const { health, concerns } = status();
    if (isDeepStrictEqual(concerns, reportedConcerns)) return;
    reportedConcerns = concerns;
    if (health === 'healthy') log.info({ health }, 'healthy again');
    else {
      const sentences = concerns.map(({ kind, count }) =>
        inEnglish.say(`cli.status.concern.${kind}`, { count }),
      );
      log.warn({ health, concerns }, `needs attention: ${sentences.join('; ')}`);
    }
    output.event({ event: 'health', health, concerns });
  };
  report();
  const timer = setInterval(report, intervalMs);
  return () => clearInterval(timer);
}
