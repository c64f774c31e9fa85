import type { NewAssetInput } from '../../../../preload/contract.ts';
import { TileliftError } from '../../../errors.ts';
import type { Inspector } from '../../../inspect/session/inspector.ts';
import type { NewJob } from '../../../jobs/model.ts';
import { creationBody } from '../../views/views.ts';

/**
 * What a new asset is made of, with what the person decided about its files: which these are, and the option
 * that tells the system of those that no file beside them could.
 *
 * @throws TileliftError as `wantedPart`; `systems-differ` where the further options name another one
 */
export async function changedJob(
  input: NewAssetInput,
  { wanted }: Pick<Inspector, 'wanted'>,
): Promise<Pick<NewJob, 'paths' | 'body' | 'changes' | 'expected'>> {
  const { paths, pieces, changes } = input;
  const { inputCrs: epsg, ...part } = await wanted({ paths, pieces, changes });
  const body = creationBody(input);
  if (epsg === null) return { ...part, body };
  const { inputCrs: given } = body.options;
  const inputCrs = `EPSG:${epsg}`;
  if (typeof given === 'string' && given !== inputCrs)
    throw new TileliftError('systems-differ', { subject: { list: [given, inputCrs] } });
  return { ...part, body: { ...body, options: { ...body.options, inputCrs } } };
}
