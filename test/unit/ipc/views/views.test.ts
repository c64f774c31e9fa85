import { describe, expect, it } from 'vitest';
import { accountView, serviceView } from '../../../../main/ipc/views/views.ts';

const address = { baseUrl: 'https://api.example', authUrl: 'https://sign-in.example' };

describe('what the page sees of a sign-in', () => {
  it('never holds the link, which carries the state', () => {
    const link = 'https://sign-in.example/oauth?state=secret';
    const waiting = { kind: 'waiting-for-browser', address, link, endsAt: 5, error: null } as const;
    const view = accountView({ state: () => waiting, accounts: () => [], lostService: () => null }, []);
    expect(JSON.stringify(view)).not.toContain('secret');
    expect(view).toMatchObject({ kind: 'waiting-for-browser', endsAt: 5 });
  });

  it('names the service whose sign-in was lost, so that its window stays', () => {
    const out = { kind: 'signed-out', error: null } as const;
    const accounts = { state: () => out, accounts: () => [], lostService: () => address.baseUrl };
    const service = { name: 'Survey office', ...address };
    expect(accountView(accounts, [service])).toEqual({ ...out, lost: service });
    expect(accountView(accounts, [])).toEqual(out);
  });

  it('names a service as the person knows it, else by its host', () => {
    expect(serviceView(address, [{ name: 'Survey office', ...address }]).name).toBe('Survey office');
    expect(serviceView(address, []).name).toBe('api.example');
  });
});
