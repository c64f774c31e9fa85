import { isAbsolute } from 'node:path';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { parseJson } from '../../../main/service/answer.ts';
import { settingsSchema } from '../../../main/settings.ts';
import { Escape, shapeOf, type Target } from '../target.ts';

const { bandwidth, updates } = settingsSchema.parse({});
const rule = {
  id: 'r',
  name: 'Scans',
  folder: '/srv/scans',
  accountId: 'a',
  unit: { kind: 'files', patterns: ['*.tif'] },
  assetType: 'TERRAIN',
  sourceType: 'RASTER_TERRAIN',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{}',
  namePattern: '{name}',
  description: '',
  ignore: [],
  settleSeconds: null,
  whenChanged: 'leave',
  afterSuccess: { kind: 'move', folder: 'done' },
  afterFailure: { kind: 'leave' },
  whenTooLong: 'hold',
  whenExpired: 'wait',
  shared: false,
  alerts: { failed: true, waitingHours: 4, silentDays: null, signedOut: true },
  receiptFile: { kind: 'beside' },
  on: true,
};
const service = { name: 's', baseUrl: 'https://api.example', authUrl: 'https://ion.example' };
const job = {
  paths: ['/srv/a'],
  name: 'n',
  description: '',
  assetType: '3DTILES',
  sourceType: 'CITYGML',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{}',
  kindKey: null,
  acceptForecast: false,
};
/** Valid arguments of some calls; every call is tried with each. */
const inputs: readonly unknown[] = [
  ...[null, 'dark', 'de', 7, 'an-id', service, { service, token: 't' }, { paths: ['/srv/a', '/srv/b'] }, job],
  ...[{ id: 'j', action: 'pause' }, { rule, takeExisting: true }, rule, { id: 'r', on: true }],
  ...[{ id: 'r', path: 'a.tif', action: 'take-now' }, { id: null, format: 'csv' }, bandwidth, updates],
  ...[
    { username: 'u', password: 'p' },
    { startAtLogin: true, keepRunning: true, keepAwake: true, notify: true, askBeforeQuit: true },
  ],
];

/** Paths are the only input that reaches outside the program, so they must be absolute. */
function checkPaths(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('paths' in value && Array.isArray(value.paths))
    for (const path of value.paths)
      if (typeof path !== 'string' || !isAbsolute(path)) throw new Escape(String(path));
  if (
    'folder' in value &&
    typeof value.folder === 'string' &&
    'namePattern' in value &&
    !isAbsolute(value.folder)
  )
    throw new Escape(value.folder);
}

export const callTargets: readonly Target[] = Object.entries(callInputs).map(([name, schema]) => ({
  name: `call-${name.replace('.', '-')}`,
  // Many similar targets share the time.
  share: 0.1,
  seeds: inputs.map((input) => JSON.stringify(input)),
  words: ['"paths":', '"id":', '"rule":', '"options":"{', '\\"', '"action":', 'null', '[[[[', '{"a":', '"/"'],
  run: (input) => {
    const parsed = schema.safeParse(parseJson(input.toString()));
    if (parsed.success) checkPaths(parsed.data);
    return parsed.success ? shapeOf(parsed.data) : 'refused';
  },
}));
