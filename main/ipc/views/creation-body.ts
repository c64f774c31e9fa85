import type { NewAssetInput } from '../../../preload/contract.ts';
import { creationOptions } from '../../service/creation-options.ts';
import type { CreationBody } from '../../service/model.ts';

/** The body as the contract wants it (2.2): what is empty is left out. */
export function creationBody(input: NewAssetInput): CreationBody {
  return {
    name: input.name.trim(),
    ...(input.description ? { description: input.description } : {}),
    type: input.assetType,
    options: creationOptions(input),
  };
}
