import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type DiagnosticsParts,
  diagnosticsText,
  readLogTail,
} from '../../main/desktop/support/diagnostics.ts';
import { createLog, createLogTo, logFileName } from '../../main/log.ts';
import { redact } from '../../main/redact.ts';
import { settingsSchema } from '../../main/settings.ts';
import { aWatchRule } from '../a-watch-rule.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { canary, canarySettings } from './support/canary-settings.ts';

const letters = (pattern: RegExp) => fc.stringMatching(pattern);
/** As long and mixed as 32 random bytes. */
const random43 = letters(/^[A-Za-z0-9_-]{40}[a-z][A-Z][0-9]$/);
const random40 = letters(/^[A-Za-z0-9+/]{37}[a-z][A-Z][0-9]$/);
const opaque = letters(/^[A-Za-z0-9_-]{20,80}$/);

/** Each kind of secret, and texts in which it may appear. */
const kinds: readonly (readonly [string, fc.Arbitrary<string>, (secret: string) => readonly string[]])[] = [
  [
    'bearer tokens',
    opaque,
    (secret) => [`Authorization: Bearer ${secret}`, `bearer%20${secret}`, `'Bearer ${secret}'`],
  ],
  [
    'tokens shaped like JWT',
    letters(/^eyJ[A-Za-z0-9_-]{12,40}\.eyJ[A-Za-z0-9_-]{12,60}\.[A-Za-z0-9_-]{20,43}$/),
    (secret) => [secret, `got ${secret}.`, `{"x":"${secret}"}`],
  ],
  [
    'access key ids (AKIA, ASIA)',
    letters(/^A(KI|SI)A[A-Z0-9]{16}$/),
    (secret) => [secret, `key ${secret}, region`, `Credential=${secret}/20260101/us-east-1/s3/aws4_request`],
  ],
  ['secret access keys', random40, (secret) => [secret, `secret is ${secret}`, `["${secret}"]`]],
  [
    'session tokens',
    letters(/^(FwoG|FQoG|IQoJ)[A-Za-z0-9+/]{100,300}={0,2}$/),
    (secret) => [
      secret,
      `x-amz-security-token: ${secret}`,
      `X-Amz-Security-Token=${encodeURIComponent(secret)}`,
    ],
  ],
  [
    'authorization codes',
    opaque,
    (secret) => [
      `tilelift://oauth/callback?code=${secret}&state=s`,
      `grant_type=authorization_code&code=${secret}`,
      `opened "tilelift://oauth/callback?state=s&code=${secret}"`,
    ],
  ],
  [
    'states, verifiers and challenges',
    random43,
    (secret) => [
      secret,
      `verifier ${secret}`,
      `code_verifier=${secret}`,
      `?state=${secret}&x=1`,
      `{"verifier":"${secret}"}`,
    ],
  ],
  [
    'signed query strings',
    letters(/^[0-9a-f]{64}$/),
    (secret) => [
      `https://s3.example/b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=${secret}`,
      `AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=${secret}`,
      `https://blob.example/k?sv=1&sig=${secret}`,
    ],
  ],
  [
    'passwords of a proxy',
    letters(/^[A-Za-z0-9]{12,30}$/),
    (secret) => [
      `http://me:${secret}@proxy.example:3128`,
      `proxy-authorization: Basic ${secret}`,
      `password=${secret}`,
    ],
  ],
];

const anySecret = fc
  .constantFrom(...kinds)
  .chain(([, secrets, texts]) => secrets.map((secret) => ({ secret, texts: texts(secret) })));

it.each(kinds)('S141: redaction by shape removes %s', (_kind, secrets, texts) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      for (const text of texts(secret)) {
        for (const variant of [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify([text]))]) {
          const clean = redact(variant);
          expect(clean).not.toContain(secret);
          expect(clean).not.toContain(encodeURIComponent(secret));
          expect(redact(clean)).toBe(clean);
        }
      }
    }),
  );
});

it.each([
  'd41d8cd98f00b204e9800998ecf8427e-12',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '0b7d4c1e-5f0a-4a39-9f63-2f6f6f0a1f11',
  'sources/1234567/LoD2_CityModel_Berlin_Mitte_2020/textures/Dach_01.jpg',
  'uploading LoD2_CityModel_Berlin_Mitte_2020_Textured_v12.gml, part 3 of 9',
])('S142: redaction by shape keeps text without secrets: %s', (text) => expect(redact(text)).toBe(text));

it('S143: redaction by key removes any value under a secret name at any depth', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        'access_token',
        'refreshToken',
        'verifier',
        'SecretAccessKey',
        'sessionToken',
        'Cookie',
        'password',
      ),
      letters(/^secret [a-z]{12}$/),
      (name, secret) => {
        const lines: string[] = [];
        createLogTo((line) => lines.push(line), 'info').info({ a: [{ [name]: secret }] }, 'said');
        expect(lines.join('')).not.toContain(secret);
      },
    ),
  );
});

describe('the support bundle', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const parts = (change: Partial<DiagnosticsParts> = {}): DiagnosticsParts => ({
    madeAt: Date.UTC(2026, 0, 2),
    versions: { Tilelift: '1.2.3' },
    system: { System: 'linux 6' },
    account: { state: 'signed-in', baseUrl: 'https://api.example' },
    settings: settingsSchema.parse({}),
    jobs: { newest: [], count: 0 },
    log: [],
    home: '/home/anna',
    ...change,
  });

  it('the support bundle contains versions, system, account, settings, uploads and the log', () => {
    const text = diagnosticsText(parts({ log: ['{"msg":"one"}'] }));
    for (const harmlessText of [
      '1.2.3',
      'linux 6',
      'https://api.example',
      '"appearance": "system"',
      '{"msg":"one"}',
    ])
      expect(text).toContain(harmlessText);
  });

  it('S78: the support bundle contains no secret of any kind, wherever it appeared', () => {
    fc.assert(
      fc.property(anySecret, ({ secret, texts }) => {
        for (const text of texts) {
          const bundle = diagnosticsText(
            parts({
              log: [JSON.stringify({ msg: text })],
              account: { error: text },
              settings: settingsSchema.parse({ services: [{ name: text, baseUrl: text, authUrl: text }] }),
            }),
          );
          expect(bundle).not.toContain(secret);
        }
      }),
    );
  });

  it('S77: the support bundle contains no names, folders or choices of watch rules from settings or log', () => {
    const rule = aWatchRule({
      id: 'r1',
      name: 'Flurstück Seehausen',
      folder: '/srv/kunde-meier/eingang',
      namePattern: 'Meier {name}',
      description: 'Für Familie Meier',
      unit: { kind: 'files', patterns: ['meier-*.laz'] },
      ignore: ['meier-geheim/'],
      afterSuccess: { kind: 'move', folder: '/srv/kunde-meier/fertig' },
    });
    const settings = settingsSchema.parse({
      watchRules: [rule],
      network: { caFile: '/srv/kunde-meier/ca.pem' },
    });
    const line = { rule: rule.name, folder: rule.folder, target: 'C:\\kunde-meier' };
    const log = [JSON.stringify({ ...line, path: `${rule.folder}/haus.laz` })];
    const text = diagnosticsText(parts({ settings, log }));
    expect(text).not.toMatch(/seehausen|familie|meier-geheim|meier-\*|eingang|fertig|ca\.pem/i);
    expect(text).toContain('"unit": "files"');
    // Support can still match log entries to rules.
    const [, mark = ''] = /"mark": "(\w{8})"/.exec(text) ?? [];
    expect(text).toContain(`"path":"[rule ${mark}]/haus.laz"`);
  });

  it('S76: the support bundle contains no text that a user can enter in a setting', () => {
    for (const { settings, words, fixed } of canarySettings()) {
      // Each word is really in the settings, and only these texts take none.
      const settingsText = JSON.stringify(settings);
      expect(words.filter((word) => !settingsText.includes(word))).toEqual([]);
      expect(words.length).toBeGreaterThan(40);
      expect(fixed).toEqual(['.bandwidth.timetable.from', '.bandwidth.timetable.until']);
      const folders = [...settings.watchRules, ...settings.unreadableRules].map(({ folder }) => folder);
      const log = folders.map((folder) => JSON.stringify({ folder, msg: `looking at ${folder}` }));
      const text = diagnosticsText(parts({ settings, log }));
      expect(text.split('\n').filter((line) => line.includes(canary))).toEqual([]);
    }
  });

  it('the support bundle omits the user’s name in the home folder', () => {
    const text = diagnosticsText(parts({ log: ['{"msg":"read /home/anna/data"}'] }));
    expect(text).toContain('read ~/data');
    expect(text).not.toContain('anna');
  });

  it('the support bundle ends with the last lines of the log, including the previous file', async () => {
    await writeFile(join(folder, `${logFileName}.1`), 'one\ntwo\n');
    await writeFile(join(folder, logFileName), 'three\nfour\n');
    expect(await readLogTail(folder, 3)).toEqual(['two', 'three', 'four']);
    expect(await readLogTail(folder, 1)).toEqual(['four']);
    expect(await readLogTail(join(folder, 'none'), 3)).toEqual([]);
  });

  it('the support bundle finds the previous file by its rotated name', async () => {
    const megabyte = Array.from({ length: 50 }, () => 'x'.repeat(20_000));
    for (let run = 0; run < 2; run += 1) {
      const log = createLog({ folder, level: 'info' });
      for (let i = 0; i < 6; i += 1) log.info({ text: megabyte }, `line ${run}-${i}`);
      await log.dispose();
    }
    const current = (await readFile(join(folder, logFileName), 'utf8')).split('\n').length - 1;
    expect(await readLogTail(folder, current + 1)).toHaveLength(current + 1);
  });
});
