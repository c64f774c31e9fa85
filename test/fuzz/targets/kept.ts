import { z } from 'zod';
import { fileRow, jobRow } from '../../../main/jobs/journal/journal-rows.ts';
import { readPolicy } from '../../../main/policy/read-policy.ts';
import { parseJson } from '../../../main/service/answer.ts';
import { settingsSchema } from '../../../main/settings.ts';
import { ledgerRow } from '../../../main/watch/model/records.ts';
import { activityRow } from '../../../main/watch/state/ledger/ledger.ts';
import { receiptRow } from '../../../main/watch/state/ledger/receipts.ts';
import { outcomeOf, shapeOf, type Target } from '../target.ts';

const policy: Target = {
  name: 'policy',
  seeds: [
    '{\n  "services": [{"name": "A", "baseUrl": "https://api.example", "authUrl": "https://ion.example"}],\n  "watch": {"roots": ["/srv"]},\n  "updates": {"check": false}\n}',
    '{"bandwidth": {"limit": 1000}}',
    '\ufeff{"unknown": [1, "a", null, true, -1.5e3]}',
  ],
  words: [
    '"services":',
    '"watch":',
    '"updates":',
    '"network":',
    '"',
    '\\u0000',
    '[',
    '{',
    '}',
    ']',
    ':',
    ',',
  ],
  run: async (input) => {
    const file = { text: input.toString(), isProtected: true };
    const state = await readPolicy(
      '/etc/tilelift/policy.json',
      async () => file,
      async () => file,
    );
    return state.kind === 'unusable' ? state.error.code : state.kind;
  },
};

const settings: Target = {
  name: 'settings',
  seeds: [
    JSON.stringify(settingsSchema.parse({})),
    '{"services":[{"name":"a","baseUrl":"b","authUrl":"c"}],"window":{"x":1}}',
  ],
  words: [
    '"watchRules":',
    '"network":',
    '"caFile":',
    '"bandwidth":',
    '"timetable":[',
    '"from":"08:00"',
    '"limit":',
  ],
  run: (input) => shapeOf(settingsSchema.safeParse(parseJson(input.toString())).data),
};

/** Errors of unreadable rows that the journal's recovery reports: zod's errors and invalid JSON. */
const unreadableError = (error: unknown) =>
  error instanceof z.ZodError || error instanceof SyntaxError ? error.name : null;
const rows = [jobRow, fileRow, ledgerRow, activityRow, receiptRow];

const journalRows: Target = {
  name: 'journal-rows',
  seeds: [
    JSON.stringify({
      id: 'a',
      account_id: 'b',
      paths: '["/srv/a"]',
      body: '{"name":"n","type":"3DTILES","options":{"sourceType":"CITYGML"}}',
      created_at: 1,
      accept_forecast: 0,
      exactly: '{"keysFrom":"/srv","gitignore":["a"],"fingerprint":null}',
    }),
    JSON.stringify({ id: 1, path: '/a', key: 'a', size: 1, mtime_ms: 1, part_size: 8, upload_id: null }),
    JSON.stringify({ at: 1, said: '[{"key":"sources.taken","values":{"name":"a"}}]', text: 't' }),
    JSON.stringify({ seq: 1, ended_at: 1, receipt: '{"ruleId":"r","files":[]}' }),
  ],
  words: ['"body":"', '\\"options\\":', '"paths":"[', '"said":"[', '"receipt":"{', '\\"', 'null'],
  run: (input) => {
    const row = parseJson(input.toString());
    return rows.map((schema) => outcomeOf(() => schema.parse(row), unreadableError)).join(' ');
  },
};

export const keptTargets: readonly Target[] = [policy, settings, journalRows];
