import { describe, expect, it } from 'vitest';
import { knownServices, presetsUnder, rememberService } from '../../../main/ipc/services.ts';
import { governSettings } from '../../../main/policy/governed-settings.ts';
import { noPolicy, type PolicyState, policyIn } from '../../../main/policy/policy.ts';
import { memorySettings } from '../account/stand-ins.ts';

const preset = { name: 'Preset', baseUrl: 'https://api.preset.example', authUrl: 'https://preset.example' };
const office = { name: 'Office', baseUrl: 'https://api.office.example', authUrl: 'https://office.example' };
const mine = { name: 'Mine', baseUrl: 'https://api.mine.example', authUrl: 'https://mine.example' };

const offering = (only: boolean): PolicyState => ({
  kind: 'in-force',
  path: '/etc/tilelift/policy.json',
  policy: { services: { offered: [{ ...office, clientId: '4711' }], only } },
});

function under(policy: PolicyState) {
  const own = memorySettings();
  const settings = governSettings(own, policyIn(policy));
  const presets = presetsUnder(policy, [preset]);
  return {
    own,
    parts: { settings, presets, policy },
    names: () => knownServices(presets, settings).map(({ name }) => name),
  };
}

describe('the services to offer', () => {
  it('are presets, then the person’s own', () => {
    const { parts, names } = under(noPolicy);
    rememberService(parts, mine);
    expect(names()).toEqual(['Preset', 'Mine']);
  });

  it('begin with the administrator’s, each once', () => {
    const { parts, names } = under(offering(false));
    rememberService(parts, mine);
    expect(names()).toEqual(['Office', 'Preset', 'Mine']);
    expect(presetsUnder(offering(false), [{ ...office, name: 'Known' }]).map(({ name }) => name)).toEqual([
      'Office',
    ]);
  });

  it('are the administrator’s alone where no others may be used, though the person has kept one', () => {
    const { own, names } = under(offering(true));
    own.update({ services: [mine] });
    expect(names()).toEqual(['Office']);
  });
});

describe('what the person gives for a service', () => {
  it('is refused, and not kept, where that service may not be used', () => {
    const { own, parts } = under(offering(true));
    expect(() => rememberService(parts, mine)).toThrow(
      expect.objectContaining({ code: 'service-not-allowed' }),
    );
    expect(own.get().services).toEqual([]);
  });

  it('is refused, and not kept, where it is another client id than the administrator’s', () => {
    const { own, parts } = under(offering(false));
    for (const clientId of ['1', '', undefined])
      expect(() => rememberService(parts, clientId === undefined ? office : { ...office, clientId })).toThrow(
        expect.objectContaining({ code: 'set-by-policy' }),
      );
    expect(rememberService(parts, { ...office, clientId: '4711' })).toMatchObject({
      baseUrl: office.baseUrl,
    });
    expect(own.get().clientIds).toEqual({});
  });
});
