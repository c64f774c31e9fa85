import { isDeepStrictEqual } from 'node:util';
import { inEnglish } from '../../../strings/sayer.ts';
import type { Log } from '../../log.ts';
import { errorMessage } from '../../say.ts';
import type { Status } from '../../socket/status.ts';
import type { Output } from '../output.ts';

/** How often the status is read, ms. Some concerns begin because time passes. */
const intervalMs = 10_000;

/**
 * Logs the concerns of the status and emits them as an event, whenever they change. Logs the notice of each
 * watched folder once, with its rule. Returns how to stop.
 */
export function reportHealth(status: () => Status, log: Log, output: Pick<Output, 'event'>): () => void {
  let reportedConcerns: Status['concerns'] = [];
  const reportedCodes = new Map<string, string | undefined>();
  const report = () => {
    const { health, concerns, folders } = status();
    for (const { id: ruleId, name: rule, folder, notice } of folders) {
      if (notice && notice.code !== reportedCodes.get(ruleId))
        log.warn({ ruleId, rule, folder, code: notice.code }, inEnglish.sayPhrase(errorMessage(notice)));
      reportedCodes.set(ruleId, notice?.code);
    }
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
