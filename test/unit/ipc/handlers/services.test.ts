import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import {
  confirmPair,
  confirmPlain,
  knownServices,
  presetsUnder,
  rememberService,
} from '../../../../main/ipc/services.ts';
import { governSettings } from '../../../../main/policy/governed-settings.ts';
import { noPolicy, type PolicyState, policyIn } from '../../../../main/policy/policy.ts';
import { refusePlainService } from '../../../../main/policy/refusals.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

const preset = { name: 'Preset', baseUrl: 'https://api.preset.example', authUrl: 'https://preset.example' };
const office = { name: 'Office', baseUrl: 'https://api.office.example', authUrl: 'https://office.example' };
const ownService = { name: 'Mine', baseUrl: 'https://api.mine.example', authUrl: 'https://mine.example' };

const offering = (isExclusive: boolean): PolicyState => ({
  kind: 'in-force',
  path: '/etc/tilelift/policy.json',
  policy: { services: { offered: [{ ...office, clientId: '4711' }], only: isExclusive } },
});

function handlersUnder(policy: PolicyState) {
  const ownSettings = settingsInMemory();
  const settings = governSettings(ownSettings, policyIn(policy));
  const presets = presetsUnder(policy, [preset]);
  return {
    own: ownSettings,
    parts: { settings, presets, policy },
    names: () => knownServices(presets, settings).map(({ name }) => name),
  };
}

it('offered services are presets, then the user’s own', () => {
  const { parts, names } = handlersUnder(noPolicy);
  rememberService(parts, ownService);
  expect(names()).toEqual(['Preset', 'Mine']);
});

it('offered services begin with the administrator’s, each once', () => {
  const { parts, names } = handlersUnder(offering(false));
  rememberService(parts, ownService);
  expect(names()).toEqual(['Office', 'Preset', 'Mine']);
  expect(presetsUnder(offering(false), [{ ...office, name: 'Known' }]).map(({ name }) => name)).toEqual([
    'Office',
  ]);
});

it('offered services are only the administrator’s when others are forbidden, even if stored', () => {
  const { own: ownSettings, names } = handlersUnder(offering(true));
  ownSettings.update({ services: [ownService] });
  expect(names()).toEqual(['Office']);
});

it('a service from the user is refused and not stored when the policy forbids it', () => {
  const { own: ownSettings, parts } = handlersUnder(offering(true));
  expect(() => rememberService(parts, ownService)).toThrow(
    expect.objectContaining({ code: 'service-not-allowed' }),
  );
  expect(ownSettings.get().services).toEqual([]);
});

it('a service from the user is refused and not stored with another client id than the administrator’s', () => {
  const { own: ownSettings, parts } = handlersUnder(offering(false));
  for (const clientId of ['1', '', undefined])
    expect(() => rememberService(parts, clientId === undefined ? office : { ...office, clientId })).toThrow(
      expect.objectContaining({ code: 'set-by-policy' }),
    );
  expect(rememberService(parts, { ...office, clientId: '4711' })).toMatchObject({ baseUrl: office.baseUrl });
  expect(ownSettings.get().clientIds).toEqual({});
});

describe('an address pair of two sites', () => {
  const pair = { name: 'Two', baseUrl: 'https://tiles.far.test', authUrl: 'https://mine.example' };

  it('S9: an address pair of two sites needs consent once before the browser opens', async () => {
    const { own: ownSettings, parts } = handlersUnder(noPolicy);
    await expect(confirmPair(parts, pair)).rejects.toMatchObject({
      code: 'service-pair-unconfirmed',
      subject: pair.authUrl,
    });
    expect(ownSettings.get().confirmedPairs).toEqual([]);
    await confirmPair(parts, { ...pair, isPairConfirmed: true });
    await confirmPair(parts, pair);
    // Another API address makes another pair.
    await expect(confirmPair(parts, { ...pair, baseUrl: 'https://other.test' })).rejects.toThrow();
  });

  it('an address pair of two sites needs no consent when both are of one site or the administrator offers it', async () => {
    await expect(confirmPair(handlersUnder(noPolicy).parts, ownService)).resolves.toBeUndefined();
    const path = '/etc/tilelift/policy.json';
    const policy: PolicyState = {
      kind: 'in-force',
      path,
      policy: { services: { offered: [pair], only: false } },
    };
    await expect(confirmPair(handlersUnder(policy).parts, pair)).resolves.toBeUndefined();
  });

  it('an address pair of two sites can’t be confirmed when the sign-in page is that of a known service', async () => {
    const { own: ownSettings, parts } = handlersUnder(offering(false));
    const mixedPair = { ...office, baseUrl: 'https://api.attacker.test', isPairConfirmed: true };
    await confirmPair(parts, mixedPair);
    expect(() => rememberService(parts, mixedPair)).toThrow(
      expect.objectContaining({ code: 'service-pair-mixed' }),
    );
    expect(ownSettings.get().services).toEqual([]);
    expect(ownSettings.get().confirmedPairs).toEqual([]);
  });
});

describe('confirmPlain()', () => {
  const plain = { name: 'Own', baseUrl: 'http://ion.internal:8080', authUrl: 'http://ion.internal' };
  const allowing = (isAllowed: boolean): PolicyState => ({
    kind: 'in-force',
    path: '/etc/tilelift/policy.json',
    policy: { plainServices: { allowed: isAllowed } },
  });
  /** Signs in with an answer of the user, who is asked about `questions`. */
  function answering(policy: PolicyState, answer: boolean, check: () => Promise<void> = async () => {}) {
    const { parts, own: ownSettings } = handlersUnder(policy);
    const questions: string[] = [];
    const ask = async ({ baseUrl }: { readonly baseUrl: string }) => {
      questions.push(baseUrl);
      return answer;
    };
    const isRefused = () => refusePlainService(policy, ownSettings.get(), plain)?.code;
    return { confirm: (service = plain) => confirmPlain(parts, service, ask, check), questions, isRefused };
  }

  it('confirmPlain() asks once per pair of addresses and never for https', async () => {
    const { confirm, questions, isRefused } = answering(noPolicy, true);
    await confirm(ownService);
    expect(questions).toEqual([]);
    expect(isRefused()).toBe('service-plain');
    await confirm();
    await confirm();
    expect(questions).toEqual([plain.baseUrl]);
    expect(isRefused()).toBeUndefined();
    await confirm({ ...plain, authUrl: 'http://other.internal' });
    expect(questions).toHaveLength(2);
  });

  it('S152: confirmPlain() refuses without consent, and without a question if a name leads to the internet', async () => {
    const declined = answering(noPolicy, false);
    await expect(declined.confirm()).rejects.toMatchObject({ code: 'service-plain' });
    expect(declined.isRefused()).toBe('service-plain');
    const rebound = answering(noPolicy, true, () => Promise.reject(new TileliftError('service-not-private')));
    await expect(rebound.confirm()).rejects.toMatchObject({ code: 'service-not-private' });
    expect(rebound.questions).toEqual([]);
  });

  it('confirmPlain() leaves the decision to the administrator', async () => {
    const forbidden = answering(allowing(false), true);
    await expect(forbidden.confirm()).rejects.toMatchObject({ code: 'service-plain' });
    const allowedAnswers = answering(allowing(true), false);
    await allowedAnswers.confirm();
    expect(allowedAnswers.isRefused()).toBeUndefined();
    expect([...forbidden.questions, ...allowedAnswers.questions]).toEqual([]);
  });
});
