import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Policy, type PolicyState, policyIn, policySchema } from '../../../main/policy/policy.ts';
import type { PolicyText } from '../../../main/policy/policy-file.ts';
import { readPolicy } from '../../../main/policy/read-policy.ts';

const path = '/etc/tilelift/policy.json';

const authorities = { text: '', isProtected: true };
const read = (text: string, isProtected = true) =>
  readPolicy(
    path,
    async () => ({ text, isProtected }),
    async () => authorities,
  );
const readAs = (policy: unknown) => read(JSON.stringify(policy, undefined, 2));

function problemOf(state: PolicyState): unknown {
  if (state.kind !== 'unusable') return state;
  return { code: state.error.code, subject: state.error.subject };
}

const office = { name: 'Office', baseUrl: 'https://api.office.example', authUrl: 'https://office.example' };

it('readPolicy() returns none without a file, or on a system without a policy path', async () => {
  expect(
    await readPolicy(
      path,
      async () => null,
      async () => null,
    ),
  ).toEqual({ kind: 'none' });
  expect(
    await readPolicy(
      null,
      async () => ({ text: '!', isProtected: false }),
      async () => null,
    ),
  ).toEqual({ kind: 'none' });
});

it('readPolicy() accepts an empty policy', async () => {
  expect(await readAs({})).toEqual({ kind: 'in-force', path, policy: {} });
});

it('readPolicy() accepts every setting', async () => {
  const policy = policyIn(
    await readAs({
      services: { offered: [{ ...office, clientId: '4711' }], only: true },
      proxy: { mode: 'fixed', server: 'proxy.office:3128', except: ['*.office', '<local>'] },
      caFile: '/etc/ssl/office.pem',
      updates: { allowed: false, channel: 'beta' },
      watch: { roots: ['/srv/geodata'] },
    }),
  );
  expect(policy).toEqual({
    services: { offered: [{ ...office, clientId: '4711' }], only: true },
    proxy: { mode: 'fixed', server: 'proxy.office:3128', except: ['*.office', '<local>'] },
    caFile: '/etc/ssl/office.pem',
    updates: { allowed: false, channel: 'beta' },
    watch: { roots: ['/srv/geodata'] },
  });
});

it('readPolicy() accepts the documented example', async () => {
  const text = readFileSync(new URL('../../../docs/administration.md', import.meta.url), 'utf8');
  const example = /```json\n([\s\S]+?)```/.exec(text)?.[1] ?? '';
  expect(Object.keys(policyIn(await read(example)))).toEqual(Object.keys(policySchema.shape));
});

it('readPolicy() normalizes addresses as accounts do', async () => {
  const offeredServices = [{ ...office, baseUrl: 'HTTPS://API.Office.example/', authUrl: 'office.example' }];
  expect(policyIn(await readAs({ services: { offered: offeredServices } })).services).toEqual({
    offered: [office],
    only: false,
  });
});

it('readPolicy() lets the user switch updates off if it only names a channel', async () => {
  expect(policyIn(await readAs({ updates: { channel: 'latest' } })).updates).toEqual({
    allowed: true,
    channel: 'latest',
  });
});

it('readPolicy() accepts a byte order mark', async () =>
  expect((await read('\uFEFF{}')).kind).toBe('in-force'));

it.each<[string, Policy['proxy'] | object]>([
  ['the system’s', { mode: 'system' }],
  ['none', { mode: 'direct' }],
  ['one over TLS', { mode: 'fixed', server: 'https://proxy.office', except: [] }],
  ['a script', { mode: 'pac', address: 'http://office/proxy.pac' }],
])('readPolicy() accepts %s as a proxy', async (_what, proxy) => {
  expect(policyIn(await readAs({ proxy })).proxy).toEqual(proxy);
});

it('readPolicy() with an unusable policy reports it instead of returning none', async () => {
  const state = await readPolicy(
    path,
    async () => {
      throw new Error('EACCES');
    },
    async () => null,
  );
  expect(problemOf(state)).toEqual({ code: 'policy-unreadable', subject: path });
});

it.each([
  ['{\n  "caFile": "/a",\n}', `Line 3 of ${path}: a key in double quotes is missing`],
  ['{\n  "updates": {},\n  "updates": {} }', `Line 3 of ${path}: the key “updates” appears twice`],
  [
    `{ "watchRules":\n${'['.repeat(6_000)}${']'.repeat(6_000)} }`,
    `Line 2 of ${path}: lists and objects are nested too deeply`,
  ],
])(
  'readPolicy() with an unusable policy names the line of invalid JSON and the reason',
  async (text, words) => {
    const state = await read(text);
    expect(state).toMatchObject({ kind: 'unusable', error: { code: 'policy-not-json' } });
    expect(state.kind === 'unusable' && state.error.message).toBe(
      `The policy file is not valid JSON. ${words}.`,
    );
  },
);

it('readPolicy() with an unusable policy rejects a file that others could have written', async () => {
  expect(problemOf(await read('{}', false))).toEqual({ code: 'policy-unprotected', subject: path });
});

it.each([
  ['{\n"watch": {\n"rotts": ["/srv"] } }', 'watch.rotts', 3],
  ['{\n"services": { "offered": [\n{ "name": "x",\n"url": "y" } ] } }', 'services.offered.0.url', 4],
  ['{\n"proxy": {\n"mode": "direct",\n"server": "x" } }', 'proxy.server', 4],
  ['{\n"__proto__": {} }', '__proto__', 2],
])('readPolicy() with an unusable policy names the unknown key in %j', async (text, key, line) => {
  expect(problemOf(await read(text))).toEqual({
    code: 'policy-key-unknown',
    subject: `${key} (${path}:${line})`,
  });
});

it.each<[object, string]>([
  [{ services: { offered: [] } }, 'services.offered'],
  [{ services: { only: true } }, 'services.offered'],
  [
    { services: { offered: [{ ...office, baseUrl: 'http://api.office.example' }] } },
    'services.offered.0.baseUrl',
  ],
  [{ services: { offered: [{ ...office, authUrl: 'https://a@b' }] } }, 'services.offered.0.authUrl'],
  [{ services: { offered: [{ ...office, clientId: 'abc' }] } }, 'services.offered.0.clientId'],
  [{ services: { offered: [office], only: 'yes' } }, 'services.only'],
  [{ proxy: { mode: 'auto' } }, 'proxy.mode'],
  [{ proxy: { mode: 'fixed' } }, 'proxy.server'],
  [{ proxy: { mode: 'fixed', server: 'socks5://proxy' } }, 'proxy.server'],
  [{ proxy: { mode: 'fixed', server: 'http://me:secret@proxy' } }, 'proxy.server'],
  [{ proxy: { mode: 'fixed', server: 'proxy', except: ['a,b'] } }, 'proxy.except.0'],
  [{ proxy: { mode: 'pac', address: 'file:///etc/proxy.pac' } }, 'proxy.address'],
  [{ caFile: 'office.pem' }, 'caFile'],
  [{ caFile: null }, 'caFile'],
  [{ updates: { allowed: 0 } }, 'updates.allowed'],
  [{ updates: { channel: 'nightly' } }, 'updates.channel'],
  [{ watch: { roots: [] } }, 'watch.roots'],
  [{ watch: { roots: ['/srv', 'data'] } }, 'watch.roots.1'],
])('readPolicy() with an unusable policy names the invalid value in %j', async (policy, key) => {
  const state = await readAs(policy);
  expect(problemOf(state)).toMatchObject({ code: 'policy-value-unusable' });
  expect(state.kind === 'unusable' && state.error.subject).toMatch(`${key} (${path}:`);
});

it('readPolicy() with an unusable policy names a policy that is no object as a whole', async () => {
  expect(problemOf(await read('\n[]'))).toEqual({ code: 'policy-value-unusable', subject: `${path}:2` });
});

describe('the certificate file of a policy', () => {
  const caFile = '/srv/office.pem';
  const withAuthorities = async (answer: () => Promise<PolicyText | null>) => {
    const requests: string[] = [];
    const policy = await readPolicy(
      path,
      async () => ({ text: JSON.stringify({ caFile }), isProtected: true }),
      (file) => {
        requests.push(file);
        return answer();
      },
    );
    expect(requests).toEqual([caFile]);
    return problemOf(policy);
  };

  it('S84: the certificate file of a policy must be writable for administrators only, like the policy', async () => {
    expect(await withAuthorities(async () => ({ text: '', isProtected: true }))).toMatchObject({
      kind: 'in-force',
    });
    expect(await withAuthorities(async () => ({ text: '', isProtected: false }))).toEqual({
      code: 'policy-unprotected',
      subject: caFile,
    });
  });

  it('S85: the certificate file of a policy must exist, since anyone could create it', async () => {
    const unreadableError = { code: 'policy-unreadable', subject: caFile };
    expect(await withAuthorities(async () => null)).toEqual(unreadableError);
    expect(await withAuthorities(() => Promise.reject(new Error('EIO')))).toEqual(unreadableError);
  });
});
