import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { CallName, Calls } from '../../preload/contract.ts';
import { assetTypes } from '../../shared/assets.ts';
import { jobActions } from '../../shared/job-status.ts';
import { languages } from '../../strings/languages.ts';
import { heartbeatSchema, isWebhookAddress, mailSettingsSchema } from '../alerts/alert-settings.ts';
import { isFurtherOptions, longestOptions } from '../service/creation-options.ts';
import { bandwidthSchema, updatesSchema } from '../settings.ts';
import { programSchema } from '../watch/after/program.ts';
import { heldAnswers } from '../watch/held/held-question.ts';
import { sourceActions } from '../watch/model.ts';
import { watchRuleSchema } from '../watch/rule.ts';
import { mostRules } from '../watch/rules-file/rules-file.ts';

const nothing = z.null();
const shortText = z.string().max(10_000);
const paths = z.array(z.string().min(1).refine(isAbsolute)).min(1).max(10_000);
const assetId = z.number().int().positive();
const jobId = z.string().min(1).max(100);

const service = z.object({
  name: shortText,
  baseUrl: shortText,
  authUrl: shortText,
  clientId: shortText.optional(),
  isPairConfirmed: z.boolean().optional(),
});
const accountId = z.string().min(1).max(100);
const ruleId = watchRuleSchema.shape.id;

/** What each call takes, checked: nothing of the renderer is trusted. A call left out does not compile. */
export const callInputs: { readonly [Name in CallName]: z.ZodType<Calls[Name]['input']> } = {
  'app.info': nothing,
  'app.setAppearance': z.enum(['system', 'light', 'dark']),
  'app.setLanguage': z.enum(['system', ...languages]),
  'app.bandwidth': nothing,
  'app.setBandwidth': bandwidthSchema,
  'app.openLogs': nothing,
  'app.copyDiagnostics': nothing,
  'desktop.take': nothing,
  'network.state': nothing,
  'network.answerProxy': z
    .object({ username: z.string().min(1).max(1000), password: z.string().max(1000) })
    .nullable(),
  'network.pickCaFile': nothing,
  'network.forgetCaFile': nothing,
  'network.allowPlainStorage': z.object({ accountId, allowed: z.boolean() }),
  'account.state': nothing,
  'account.signIn': service,
  'account.openAgain': nothing,
  'account.copyLink': nothing,
  'account.pasteAddress': shortText,
  'account.cancel': nothing,
  'account.useAccessToken': z.object({ service, token: z.string().max(100_000) }),
  'account.dismissError': nothing,
  'account.switch': accountId,
  'account.signOut': accountId,
  'source.pick': z.enum(['folder', 'files']),
  'source.inspect': z.object({ paths }),
  'assets.list': nothing,
  'assets.copyId': assetId,
  'assets.open': assetId,
  'jobs.create': z.object({
    paths,
    name: shortText,
    description: z.string().max(1_000_000),
    assetType: z.enum(assetTypes),
    sourceType: shortText,
    clampToTerrain: z.boolean(),
    baseTerrainId: assetId.nullable(),
    options: z.string().max(longestOptions).refine(isFurtherOptions),
    kindKey: z.string().min(1).max(200).nullable(),
    acceptForecast: z.boolean(),
  }),
  'jobs.list': nothing,
  'jobs.history': jobId,
  'jobs.files': jobId,
  'jobs.act': z.object({
    id: jobId,
    action: z.enum(jobActions),
  }),
  'alerts.state': nothing,
  'alerts.setMail': z
    .object({ mail: mailSettingsSchema, password: z.string().min(1).max(1_000).nullable() })
    .nullable(),
  'alerts.setWebhook': z.string().max(2_000).refine(isWebhookAddress).nullable(),
  'alerts.copyKey': z.boolean(),
  'alerts.test': z.enum(['mail', 'webhook']),
  'alerts.pickHeartbeat': nothing,
  'alerts.setHeartbeat': heartbeatSchema.shape.minutes.nullable(),
  'programs.of': ruleId,
  'programs.choose': nothing,
  'programs.set': z.object({
    id: ruleId,
    when: z.enum(['success', 'failure']),
    program: programSchema.nullable(),
  }),
  'background.state': nothing,
  'background.set': z.object({
    startAtLogin: z.boolean(),
    keepRunning: z.boolean(),
    keepAwake: z.boolean(),
    notify: z.boolean(),
    askBeforeQuit: z.boolean(),
  }),
  'updates.state': nothing,
  'updates.set': updatesSchema,
  'updates.checkNow': nothing,
  'updates.restart': nothing,
  'updates.openPage': nothing,
  'watch.folders': nothing,
  'watch.pickFolder': nothing,
  'watch.save': z.object({ rule: watchRuleSchema, takeExisting: z.boolean() }),
  'watch.remove': ruleId,
  'watch.setOn': z.object({ id: ruleId, on: z.boolean() }),
  'watch.dryRun': watchRuleSchema,
  'watch.sources': ruleId,
  'watch.act': z.object({
    id: ruleId,
    path: z.string().min(1).max(10_000),
    action: z.enum(sourceActions),
  }),
  'watch.answer': z.object({ id: ruleId, answer: z.enum(heldAnswers) }),
  'watch.activity': ruleId,
  'rules.export': ruleId.nullable(),
  'rules.open': nothing,
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
      .max(mostRules),
  }),
  'rules.copyProblems': nothing,
  'rules.unreadable': nothing,
  'rules.removeUnreadable': z.uuid(),
  'watch.exportReceipts': z.object({ id: ruleId.nullable(), format: z.enum(['csv', 'json']) }),
};
