import type { NewAssetInput } from '../../../../preload/contract.ts';
import { TileliftError } from '../../../errors.ts';
import type { Inspector } from '../../../inspect/session/inspector.ts';
import type { NewJob } from '../../../jobs/model.ts';
import { creationBody } from '../../views/views.ts';

/**
 * Returns paths, changes and body of a new asset. Sets `inputCrs` for files that no sidecar can assign a
 * system.
 *
 * @throws TileliftError as `wantedPart`; `systems-differ` if the further options contain another system
 */
export async function changedJob(
  input: NewAssetInput,
  { requestPart }: Pick<Inspector, 'requestPart'>,
): Promise<Pick<NewJob, 'paths' | 'body' | 'changes' | 'expected'>> {
  const { paths, pieces, changes } = input;
  const { inputCrs: epsg, ...part } = await requestPart({ paths, pieces, changes });
  const body = creationBody(input);
  if (epsg === null) return { ...part, body };
  const { inputCrs: chosenCrs } = body.options;
  const inputCrs = `EPSG:${epsg}`;
  if (typeof chosenCrs === 'string' && chosenCrs !== inputCrs)
    throw new TileliftError('systems-differ', { subject: { list: [chosenCrs, inputCrs] } });
  return { ...part, body: { ...body, options: { ...body.options, inputCrs } } };
}
