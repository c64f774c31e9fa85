import { z } from 'zod';
import { assetTypes, tiledTypes } from '../../../shared/assets.ts';
import type { AccountAssets } from '../assets/asset-book.ts';
import { Refusal } from '../http/refusal.ts';

/** Contract 2.2. Members and options beyond the contract are kept. */
const creationBody = z.looseObject({
  name: z.string().refine((name) => name.trim() !== '', 'is empty'),
  description: z.string().optional(),
  attribution: z.string().optional(),
  type: z.enum(assetTypes),
  options: z.looseObject({
    sourceType: z.string().refine((sourceType) => sourceType.trim() !== '', 'is empty'),
    clampToTerrain: z.boolean().optional(),
    baseTerrainId: z.int().optional(),
  }),
});

type CheckedCreation = z.infer<typeof creationBody>;

/**
 * Checks a creation body against contract 2.2, beyond it also against assumptions.md. Throws a 400 Refusal
 * that names the field.
 */
export function checkCreation(
  body: unknown,
  { assets, beyondContract }: { readonly assets: AccountAssets; readonly beyondContract: boolean },
): CheckedCreation {
  const parsed = creationBody.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') || 'body';
    throw new Refusal(400, 'InvalidRequest', `${field}: ${issue?.message ?? 'is not valid'}`);
  }
  const { type, options } = parsed.data;
  const isServed = !tiledTypes.some((tiled) => tiled === type);
  if (isServed && !beyondContract)
    throw new Refusal(400, 'InvalidRequest', `type: is not one of ${tiledTypes.join(', ')}`);
  if (isServed && options.sourceType !== type)
    throw new Refusal(400, 'InvalidRequest', `options.sourceType: ${type} is only made from ${type}`);
  if (options.sourceType === 'CITYGML' && type !== '3DTILES') {
    throw new Refusal(400, 'InvalidRequest', 'type: CITYGML can only produce 3DTILES');
  }
  if (options.baseTerrainId !== undefined && assets.get(options.baseTerrainId)?.type !== 'TERRAIN') {
    throw new Refusal(400, 'InvalidRequest', 'options.baseTerrainId: is not a terrain asset of this account');
  }
  return parsed.data;
}

/** Fields that only the service sets (contract 2.1, 3.2, and `service-facts`). */
const ownFields = [
  'id',
  'bytes',
  'dateAdded',
  'status',
  'percentComplete',
  'error',
  'progressMessage',
] as const;

/** A creation body's fields without those that the service sets. */
export function givenAtCreation(body: CheckedCreation): CheckedCreation {
  const fields: Record<string, unknown> & CheckedCreation = { ...body };
  for (const name of ownFields) delete fields[name];
  return fields;
}
