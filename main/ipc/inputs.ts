import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type CallName, type Calls, callNames } from '../../preload/contract.ts';
import { isWebhookAddress } from '../../shared/addresses.ts';
import { assetTypeShape, assetTypes, maxDeletedAssets, sharedTexts } from '../../shared/assets.ts';
import { isFurtherOptions, maxOptionsLength } from '../../shared/creation-options.ts';
import { type FindingId, findingFacts } from '../../shared/findings.ts';
import { jobActions } from '../../shared/job-status.ts';
import { accountName } from '../../shared/schemas/accounts.ts';
import { heartbeatSchema, mailSettingsSchema } from '../../shared/schemas/alerts.ts';
import { assetChangeSchema } from '../../shared/schemas/asset-change.ts';
import { presetSchema } from '../../shared/schemas/presets.ts';
import { backgroundSwitchesSchema, bandwidthSchema, updatesSchema } from '../../shared/schemas/settings.ts';
import { jobGroups } from '../../shared/search/job-filter.ts';
import { maxWkt } from '../../shared/source-changes.ts';
import { heldAnswers, sourceActions } from '../../shared/watch.ts';
import { isAssignableWkt } from '../inspect/formats/systems/coordinate-system.ts';
import { maxOffered } from '../inspect/session/companion-offers.ts';
import { programSchema } from '../run-program.ts';
import { catalogues } from '../say.ts';
import { watchRuleSchema } from '../watch/model/rule.ts';
import { maxRules } from '../watch/rules/rules-file.ts';

const shortText = z.string().max(10_000);
const paths = z.array(z.string().min(1).refine(isAbsolute)).min(1).max(10_000);
/** Characters. */
const maxPath = 4_096;
/** Relative to the source. */
const fileName = z
  .string()
  .min(1)
  .max(maxPath)
  .refine((name) => !isAbsolute(name));
/** More than the number of reasons plus files taken out by hand. */
const leftOutPieces = z.array(z.int().nonnegative()).min(1).max(1_000);
const someFiles = z.union([
  z.strictObject({ keys: z.array(fileName).min(1).max(10_000) }),
  z.strictObject({ finding: z.enum(Object.keys(findingFacts) as [FindingId, ...FindingId[]]) }),
]);
/** Limit per source. */
const maxChanges = 1_000;
const sourceChanges = z.object({
  leftOut: z.array(someFiles).max(maxChanges),
  assigned: z.array(z.object({ epsg: z.int().positive(), files: someFiles })).max(maxChanges),
  worded: z
    .array(z.object({ wkt: z.string().max(maxWkt).refine(isAssignableWkt), files: someFiles }))
    .max(maxChanges)
    .exactOptional(),
  takenAlong: z.array(z.string().min(1).max(maxPath)).max(maxOffered).exactOptional(),
});
const assetId = z.number().int().positive();
const jobId = z.string().min(1).max(100);
const endedPlace = z.object({ createdAt: z.number(), row: z.int() });
const jobIds = z.array(jobId).max(100_000);
const newAsset = z.object({
  paths,
  pieces: z.array(z.int().nonnegative()).min(1).max(20_000).exactOptional(),
  name: shortText,
  description: z.string().max(1_000_000),
  assetType: z.enum(assetTypes),
  sourceType: shortText,
  clampToTerrain: z.boolean(),
  baseTerrainId: assetId.nullable(),
  options: z.string().max(maxOptionsLength).refine(isFurtherOptions),
  kindKey: z.string().min(1).max(200).nullable(),
  acceptForecast: z.boolean(),
  changes: sourceChanges.exactOptional(),
  predecessor: jobId.exactOptional(),
});

const service = z.object({
  name: shortText,
  baseUrl: shortText,
  authUrl: shortText,
  clientId: shortText.optional(),
  isPairConfirmed: z.boolean().optional(),
});
const accountId = z.string().min(1).max(100);
const assetOfAccount = z.object({ id: assetId, accountId: accountId.nullable() });
const ruleId = watchRuleSchema.shape.id;

type CallWithInput = { [Name in CallName]: Calls[Name]['input'] extends null ? never : Name }[CallName];

const inputSchemas: { readonly [Name in CallWithInput]: z.ZodType<Calls[Name]['input']> } = {
  'app.setAppearance': z.enum(['system', 'light', 'dark']),
  'app.setLanguage': z.enum(['system', ...catalogues.keys()]),
  'app.setCompactRows': z.boolean(),
  'app.setBandwidth': bandwidthSchema,
  'network.answerProxy': z
    .object({ username: z.string().min(1).max(1000), password: z.string().max(1000) })
    .nullable(),
  'network.allowPlainStorage': z.object({ accountId, allowed: z.boolean() }),
  'account.signIn': z.object({ service, accountId: accountId.exactOptional() }),
  'account.pasteAddress': shortText,
  'account.useAccessToken': z.object({
    service,
    token: z.string().max(100_000),
    accountId: accountId.exactOptional(),
  }),
  'account.switch': accountId,
  'account.signOut': accountId,
  'account.rename': z.object({ id: accountId, name: accountName.nullable() }),
  'account.forget': accountId,
  'source.pick': z.enum(['folder', 'files']),
  'source.recent': z.uuid(),
  'source.inspect': z.object({
    paths,
    round: z.number().int().nonnegative(),
    correcting: jobId.exactOptional(),
    included: z.array(z.int().nonnegative()).max(1_000).exactOptional(),
  }),
  'presets.save': presetSchema,
  'presets.remove': presetSchema.shape.id,
  'source.leftOut': z.strictObject({
    pieces: leftOutPieces,
    search: z.string().max(500),
    offset: z.int().nonnegative(),
  }),
  'source.partFile': z.strictObject({ pieces: leftOutPieces, key: fileName }),
  'source.regroup': z.strictObject({
    round: z.number().int().nonnegative(),
    assets: z
      .array(
        z.strictObject({ group: z.int().nonnegative(), pieces: z.array(z.int().nonnegative()).max(20_000) }),
      )
      .max(10_000),
  }),
  'source.folders': z.string().min(1).max(maxPath).refine(isAbsolute),
  'source.placeAs': z.strictObject({
    system: z.union([z.int().positive(), z.string().max(maxWkt).refine(isAssignableWkt)]),
    files: someFiles,
  }),
  'source.copyNames': z.array(fileName).min(1).max(1_000),
  'source.copyCommand': z.strictObject({ fileName, commandIndex: z.number().int().min(0).max(9) }),
  'systems.search': z.string().max(200),
  'assets.details': assetId,
  'assets.here': assetId,
  'assets.tell': z.strictObject({ id: assetId, isSubscribed: z.boolean() }),
  'assets.showSource': assetId,
  'assets.edit': z.strictObject({ id: assetId, change: assetChangeSchema }),
  'assets.delete': z.array(assetId).min(1).max(maxDeletedAssets),
  'assets.copyId': assetId,
  'assets.share': z.object({
    ...assetOfAccount.shape,
    name: shortText,
    assetType: z.string().regex(assetTypeShape),
    createdAt: z.number().nullable(),
  }),
  'assets.copyShared': z.enum(sharedTexts),
  'assets.open': assetOfAccount,
  'assets.view': z.object({ ...assetOfAccount.shape, name: shortText }),
  'jobs.list': endedPlace.nullable(),
  'jobs.find': z.object({
    filter: z.object({ group: z.enum(jobGroups), text: shortText, only: jobIds.nullable() }),
    startPlace: endedPlace.nullable(),
  }),
  'jobs.check': newAsset,
  'jobs.create': newAsset,
  'jobs.history': jobId,
  'jobs.files': jobId,
  'jobs.act': z.object({ id: jobId, action: z.enum(jobActions) }),
  'jobs.actOn': z.object({ ids: jobIds, action: z.enum(jobActions) }),
  'jobs.move': z.object({ ids: jobIds, successorId: jobId.nullable() }),
  'jobs.rename': z.object({ id: jobId, name: shortText }),
  'jobs.bringBack': jobIds.nullable(),
  'jobs.copySupplierMessage': jobId,
  'jobs.copyList': jobIds,
  'jobs.showInFolder': jobId,
  'alerts.setMail': z
    .object({ mail: mailSettingsSchema, password: z.string().min(1).max(1_000).nullable() })
    .nullable(),
  'alerts.setWebhook': z.string().max(2_000).refine(isWebhookAddress).nullable(),
  'alerts.copyKey': z.boolean(),
  'alerts.test': z.enum(['mail', 'webhook']),
  'alerts.setHeartbeat': heartbeatSchema.shape.minutes.nullable(),
  'programs.of': ruleId,
  'programs.set': z.object({
    id: ruleId,
    when: z.enum(['success', 'failure']),
    program: programSchema.nullable(),
  }),
  'thumbnails.of': z.union([
    z.strictObject({ jobId: z.uuid() }),
    z.strictObject({ assetId }),
    z.strictObject({
      pieces: z.array(z.int().nonnegative()).max(20_000).exactOptional(),
      leftOut: sourceChanges.shape.leftOut.exactOptional(),
    }),
  ]),
  'background.set': backgroundSwitchesSchema.extend({ startAtLogin: z.boolean(), keepRunning: z.boolean() }),
  'updates.set': updatesSchema,
  'watch.pickFolder': z.string().min(1).max(maxPath).refine(isAbsolute).nullable(),
  'watch.save': z.object({ rule: watchRuleSchema, takeExisting: z.boolean() }),
  'watch.remove': ruleId,
  'watch.setOn': z.object({ id: ruleId, isOn: z.boolean() }),
  'watch.dryRun': watchRuleSchema,
  'watch.sources': ruleId,
  'watch.act': z.object({ id: ruleId, path: z.string().min(1).max(10_000), action: z.enum(sourceActions) }),
  'watch.answer': z.object({ id: ruleId, answer: z.enum(heldAnswers) }),
  'watch.activity': ruleId,
  'rules.export': ruleId.nullable(),
  'rules.import': z.object({
    file: z.uuid(),
    rules: z
      .array(
        z.object({
          index: z.number().int().min(0).max(10_000),
          accountId,
          folder: watchRuleSchema.shape.folder.nullable(),
          replace: z.boolean(),
          existing: z.enum(['leave', 'upload']),
        }),
      )
      .min(1)
      .max(maxRules),
  }),
  'rules.removeUnreadable': z.uuid(),
  'watch.exportReceipts': z.object({ id: ruleId.nullable(), format: z.enum(['csv', 'json']) }),
};

export type CallInputs = { readonly [Name in CallName]: z.ZodType<Calls[Name]['input']> };

/**
 * Input schema of each call, because the renderer is untrusted. The compiler requires one for every call with
 * input.
 */
export const callInputs: CallInputs = {
  ...(Object.fromEntries(callNames.map((name) => [name, z.null()])) as Record<
    Exclude<CallName, CallWithInput>,
    z.ZodNull
  >),
  ...inputSchemas,
};
