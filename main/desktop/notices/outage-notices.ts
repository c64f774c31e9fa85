import { formatWhen } from '../../../strings/format/time.ts';
import { say } from '../../../strings/say.ts';
import type { Clock } from '../../outside.ts';
import type { SettingsStore } from '../../settings.ts';
import type { WatchService } from '../../watch/model.ts';
import { lengthOf } from '../../watch/outage/outage.ts';
import type { Notify } from './notify.ts';

/** Tells once that nothing gets through, and once that it does again, unless the person wants no notices. Returns an unsubscribe function. */
export function tellOfOutages(
  watch: Pick<WatchService, 'onOutage'>,
  { settings, clock, notify }: { settings: SettingsStore; clock: Pick<Clock, 'now'>; notify: Notify },
): () => void {
  return watch.onOutage((outage) => {
    if (!settings.get().background.notify) return;
    const from = formatWhen(outage.since, clock.now());
    if (outage.kind === 'begun')
      notify({ title: say('notify.outage'), body: say('notify.outageDetail', { from }) });
    else
      notify({
        title: say('notify.outageOver'),
        body: say('notify.outageOverDetail', { from, ...lengthOf(outage.ms), count: outage.sources }),
      });
  });
}
