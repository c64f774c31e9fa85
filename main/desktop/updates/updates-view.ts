import type { UpdatesView } from '../../../preload/contract.ts';
import type { Settings } from '../../settings.ts';
import type { UpdateService } from './update-service.ts';

/** Updates as the page sees them. `page`: where releases are to be had by hand; null where there is no such place. */
export function updatesView(
  service: Pick<UpdateService, 'phase' | 'off' | 'canInstall'>,
  { check, channel }: Settings['updates'],
  page: string | null,
): UpdatesView {
  const by = service.off();
  if (by) return { check, channel, state: { kind: 'off', by } };
  const phase = service.phase();
  if (phase.kind === 'ready')
    return { check, channel, state: { ...phase, canRestart: service.canInstall() } };
  if (phase.kind === 'by-hand') return { check, channel, state: { ...phase, hasPage: page !== null } };
  return { check, channel, state: phase };
}
