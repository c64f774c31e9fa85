import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { beginJourney, type Journey } from './support/journey.ts';
import { sandboxArguments } from './support/packaged-app.ts';
import {
  preferencesOfAll,
  type RunInPage,
  runInWindow,
  strangersWindow,
} from './support/strangers-window.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';
import { visitsDuring } from './support/visits.ts';

const elsewhere = 'data:text/html,<p>elsewhere';

/**
 * Electron's own checklist, point by point with its numbers, read from the running packaged app. Point 19 is
 * in `shell-fuses`.
 */
describe('Electron’s security checklist', () => {
  let journey: Journey;
  let window: TileliftWindow;
  let inPage: RunInPage;
  beforeAll(async () => {
    journey = await beginJourney();
    window = await journey.launch();
    await window.page.getByRole('button', { name: 'Sign in' }).waitFor();
    // Right after the start, a garbage collection may end an evaluation: “promise was garbage collected”.
    const id = await vi.waitFor(
      () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.id ?? 0),
      10_000,
    );
    inPage = runInWindow(window.app, id);
  });
  afterAll(() => journey.end());

  const expectOfEveryPage = async (expected: Readonly<Record<string, unknown>>) => {
    const all = await preferencesOfAll(window.app);
    expect(all.length).toBeGreaterThan(0);
    for (const preferences of all) expect(preferences).toMatchObject(expected);
  };
  /** Values of the program's switches, by name; only those that are set. */
  const switches = async (...names: string[]) => {
    const set = await window.app.evaluate(
      ({ app }, asked) =>
        asked
          .filter((name) => app.commandLine.hasSwitch(name))
          .map((name) => `${name}=${app.commandLine.getSwitchValue(name)}`),
      names,
    );
    return set;
  };

  it('1 · serves only packaged content to a page', async () => {
    const loaded = await inPage<string[]>(
      `return [location.href, ...Array.from(document.querySelectorAll('[src], link[href]'), (one) => one.src ?? one.href)]`,
    );
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.filter((name) => !name.startsWith('app://tilelift/'))).toEqual([]);
    const visits = await visitsDuring(async (origin) => {
      await inPage(`
        await fetch('${origin}/fetch').catch(() => undefined);
        await new Promise((resolve) => {
          const image = new Image();
          image.onload = image.onerror = resolve;
          image.src = '${origin}/image.png';
        });
        await new Promise((resolve) => {
          const socket = (() => { try { return new WebSocket('${origin}'.replace('http', 'ws')); } catch { return null; } })();
          if (socket) socket.onopen = socket.onerror = resolve; else resolve();
        });
      `);
    });
    expect(visits).toEqual([]);
  });

  it('2 · exposes no require, process or Buffer to pages', async () => {
    await expectOfEveryPage({ nodeIntegration: false });
    const names = ['require', 'process', 'Buffer', 'module', 'exports', 'global', '__dirname', 'electron'];
    expect(await inPage(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`)).toEqual([]);
    expect(
      await inPage(`return new Promise((resolve) => {
        try {
          const worker = new Worker('data:text/javascript,postMessage(typeof require + typeof process)');
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = () => resolve('refused');
        } catch { resolve('refused'); }
      })`),
    ).toBe('refused');
  });

  it('3 · isolates the preload from changed built-ins of a page', async () => {
    await expectOfEveryPage({ contextIsolation: true });
    const touched = await inPage(`
      let touched = false;
      const original = Set.prototype.has;
      Set.prototype.has = function has(value) { touched = true; return original.call(this, value); };
      await tilelift.call('app.info', null);
      Set.prototype.has = original;
      return touched;
    `);
    expect(touched).toBe(false);
  });

  it('4 · sandboxes every page', async () => {
    await expectOfEveryPage({ sandbox: true });
    // Root must run the tests without Chromium's sandbox.
    expect((await switches('no-sandbox')).length).toBe(sandboxArguments.length);
  });

  it('5 · denies every permission request and check', async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
    const states = await inPage(`
      const names = ${JSON.stringify(names)};
      return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
    `);
    expect(states).toEqual(names.map(() => 'denied'));
    const answers = await inPage<Record<string, string>>(`
      const why = (thrown) => thrown.name ?? String(thrown);
      const given = () => 'given';
      return {
        notification: await Notification.requestPermission(),
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(given, why),
        clipboard: await navigator.clipboard.readText().then(given, why),
        screen: await navigator.mediaDevices.getDisplayMedia().then(given, why),
        place: await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('given'), (error) => resolve('denied ' + error.code))),
      };
    `);
    expect(answers).toMatchObject({
      notification: 'denied',
      clipboard: 'NotAllowedError',
      place: 'denied 1',
    });
    expect(Object.values(answers)).not.toContain('given');
  });

  it('6 · enables web security', async () => {
    await expectOfEveryPage({ webSecurity: true });
    expect(await switches('disable-web-security', 'ignore-certificate-errors')).toEqual([]);
  });

  it('7 · blocks inline scripts, handlers, styles and eval by a CSP without unsafe-*', async () => {
    const policy = await inPage<string>(
      `return (await fetch('app://tilelift/')).headers.get('content-security-policy')`,
    );
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    // Thumbnails are the only data that isn't from the package.
    expect(policy.replace("img-src 'self' data:", '')).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    const effects = await inPage<{ ran: string[]; violated: string[]; colour: string }>(`
      const violated = [];
      document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
      const attempt = (what) => { try { what(); } catch {} };
      attempt(() => { globalThis.eval('globalThis.ranEval = true'); });
      attempt(() => { new Function('globalThis.ranFunction = true')(); });
      attempt(() => { setTimeout('globalThis.ranTimer = true'); });
      await import('data:text/javascript,globalThis.ranImport = true').catch(() => undefined);
      attempt(() => {
        const script = document.createElement('script');
        script.append('globalThis.ranInline = true');
        document.head.append(script);
        script.remove();
      });
      attempt(() => { document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="globalThis.ranMarkup = true">'); });
      const host = document.createElement('button');
      attempt(() => { host.setAttribute('onclick', 'globalThis.ranHandler = true'); });
      attempt(() => { host.setAttribute('style', 'color: rgb(1, 2, 3)'); });
      document.body.append(host);
      host.click();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const colour = getComputedStyle(host).color;
      host.remove();
      return { ran: Object.keys(globalThis).filter((name) => name.startsWith('ran')), violated, colour };
    `);
    expect(effects.ran).toEqual([]);
    expect(effects.colour).not.toBe('rgb(1, 2, 3)');
    // Trusted types stop what makes script out of text, script-src what comes from elsewhere.
    const directives = ['require-trusted-types-for', 'script-src-elem', 'style-src-attr'];
    expect(effects.violated).toEqual(expect.arrayContaining(directives));
  });

  it('8 · blocks insecure content', () => expectOfEveryPage({ allowRunningInsecureContent: false }));

  it('9 · enables no experimental features', async () => {
    await expectOfEveryPage({ experimentalFeatures: false });
    expect(await switches('enable-experimental-web-platform-features')).toEqual([]);
  });

  it('10 · enables no Blink feature', async () => {
    for (const preferences of await preferencesOfAll(window.app))
      expect(preferences.enableBlinkFeatures ?? '').toBe('');
    expect(await switches('enable-blink-features')).toEqual([]);
  });

  it('11 · treats a webview element as an unknown element', async () => {
    await expectOfEveryPage({ webviewTag: false });
    const exposed = await inPage(`
      const view = document.createElement('webview');
      view.setAttribute('allowpopups', '');
      return typeof view.loadURL;
    `);
    expect(exposed).toBe('undefined');
  });

  it('12 · rejects a webview in a page that could have one', async () => {
    const kinds = await strangersWindow(window.app, { url: elsewhere, webviewTag: true }, async (run) => {
      expect(await run(`return typeof document.createElement('webview').loadURL`)).toBe('function');
      const visits = await visitsDuring(async (origin) => {
        await run(`
          const view = document.createElement('webview');
          view.src = '${origin}/webview';
          document.body.append(view);
          await new Promise((resolve) => { view.addEventListener('did-attach', resolve); view.addEventListener('destroyed', resolve); setTimeout(resolve, 500); });
        `);
      });
      expect(visits).toEqual([]);
      return window.app.evaluate(({ webContents }) =>
        webContents.getAllWebContents().map((contents) => contents.getType()),
      );
    });
    expect(kinds).not.toContain('webview');
  });

  it('13 · blocks navigation by script, link, form, refresh and frame', async () => {
    const begin = await inPage('return location.href');
    const visits = await visitsDuring(async (origin) => {
      const element = (tag: string, fields: string, after: string) =>
        `const e = Object.assign(document.createElement('${tag}'), ${fields}); document.body.append(e); ${after}`;
      for (const way of [
        `location.href = '${origin}/href'`,
        `location.replace('${origin}/replace')`,
        `location.assign('app://elsewhere/')`,
        element('a', `{ href: '${origin}/link' }`, 'e.click(); e.remove()'),
        element('form', `{ action: '${origin}/form' }`, 'e.submit(); e.remove()'),
        element(
          'iframe',
          `{ src: '${origin}/frame' }`,
          'await new Promise((r) => { e.onload = r; setTimeout(r, 300); }); e.remove()',
        ),
        element(
          'meta',
          `{ httpEquiv: 'refresh', content: '0;url=${origin}/refresh' }`,
          'await new Promise((r) => setTimeout(r, 300)); e.remove()',
        ),
      ]) {
        await inPage(way);
        // The main process answers after the page's pending actions.
        expect(await inPage(`return (await tilelift.call('app.info', null)).ok`)).toBe(true);
      }
    });
    expect(visits).toEqual([]);
    expect(begin).toMatch(/^app:\/\/tilelift\/\?language=/);
    expect(await inPage('return location.href')).toBe(begin);
  });

  it('14 · opens no new window by script or link', async () => {
    const visits = await visitsDuring(async (origin) => {
      const opened = await inPage(`
        const link = Object.assign(document.createElement('a'), { href: '${origin}/link', target: '_blank' });
        document.body.append(link);
        link.click();
        link.remove();
        return ['${origin}/script', 'about:blank', 'app://tilelift/'].map((to) => window.open(to));
      `);
      expect(opened).toEqual([null, null, null]);
    });
    expect(visits).toEqual([]);
    expect(await preferencesOfAll(window.app)).toHaveLength(1);
  });

  it('15 · opens only pages of known services in the browser', async () => {
    const signIn = (baseUrl: string, authUrl: string, more: { isPairConfirmed?: boolean } = {}) => {
      const service = JSON.stringify({ name: 'x', baseUrl, authUrl, ...more });
      return inPage(`return tilelift.call('account.signIn', { service: ${service} })`);
    };
    for (const authUrl of ['javascript:alert(1)', 'file:///etc/passwd', 'http://plain.example'])
      expect(await signIn(journey.service.baseUrl, authUrl)).toMatchObject({ ok: false });
    // The API address makes it the known service, but its sign-in page is on another host, even if a page
    // says that the user agreed.
    const evil = 'https://evil.example';
    expect(await signIn(journey.service.baseUrl, evil)).toMatchObject({
      ok: false,
      error: { code: 'service-pair-unconfirmed' },
    });
    await signIn(journey.service.baseUrl, evil, { isPairConfirmed: true });
    const state = await inPage(`return tilelift.call('account.state', null)`);
    expect(state).toMatchObject({ value: { error: { code: 'browser-not-opened' } } });
    await inPage(`return tilelift.call('account.cancel', null)`);
    await signIn(journey.service.baseUrl, journey.service.authUrl);
    expect(new URL(await journey.browser.opened(1)).origin).toBe(new URL(journey.service.authUrl).origin);
    await inPage(`return tilelift.call('account.cancel', null)`);
  });

  it('16 · runs the locked Electron version, which may be updated', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8'));
    const requestedVersion: string = read('package.json').devDependencies.electron;
    const locked: string = read('package-lock.json').packages['node_modules/electron'].version;
    // A caret follows the line; `npm test -- audit` compares the line with the registry's newest.
    expect(requestedVersion).toMatch(/^\^\d+\./);
    expect(locked.split('.')[0]).toBe(requestedVersion.slice(1).split('.')[0]);
  });

  it('17 · accepts calls only from the main frame of our page and only with valid input', async () => {
    const call = `tilelift.call('app.info', null)`;
    const refused = { ok: false, error: { code: 'input-invalid' } };
    expect(await inPage(`return ${call}`)).toMatchObject({ ok: true });
    const foreign = await strangersWindow(window.app, { url: elsewhere }, (run) => run(`return ${call}`));
    expect(foreign).toMatchObject(refused);
    // Same origin, same bridge; only the frame within is not the main frame.
    const pages = { '/': '<iframe src="/within"></iframe>', '/within': 'within' };
    const answers = await strangersWindow(window.app, { url: 'app://tilelift/', pages }, (run) =>
      run<unknown[]>(`return [await ${call}, await frames[0].${call}]`),
    );
    expect(answers).toMatchObject([{ ok: true }, refused]);
    expect(await inPage(`return tilelift.call('assets.open', 'https://evil.example')`)).toMatchObject(
      refused,
    );
  });

  it('18 · serves pages by app:// and never from files', async () => {
    const addresses = [
      'app://tilelift/../package.json',
      'app://tilelift/%2e%2e/main/index.js',
      'app://tilelift/%2e%2e%2fmain%2findex.js',
      'app://elsewhere/index.html',
      'file:///etc/hostname',
    ];
    const statuses = await inPage(`
      const ask = (address) => fetch(address).then(({ status }) => status, () => 'refused');
      return [location.protocol, await ask('app://tilelift/index.html'), ...await Promise.all(${JSON.stringify(addresses)}.map(ask))];
    `);
    expect(statuses).toEqual(['app:', 200, 'refused', 'refused', 'refused', 'refused', 'refused']);
  });

  it('20 · exposes only three frozen functions as window.tilelift', async () => {
    const bridge = await inPage(`
      const own = Object.getOwnPropertyDescriptor(globalThis, 'tilelift');
      return {
        kinds: Object.entries(tilelift).map(([name, held]) => name + ' ' + typeof held),
        frozen: Object.isFrozen(tilelift),
        fixed: !own.writable && !own.configurable,
        changed: Reflect.set(tilelift, 'call', null) || Reflect.deleteProperty(globalThis, 'tilelift'),
      };
    `);
    const kinds = ['call function', 'on function', 'pathOf function'];
    expect(bridge).toEqual({ kinds, frozen: true, fixed: true, changed: false });
    const names = `return Object.getOwnPropertyNames(globalThis)`;
    const bare = await strangersWindow(window.app, { url: 'app://tilelift/', preload: false }, (run) =>
      run<string[]>(names),
    );
    const added = (await inPage<string[]>(names)).filter((name) => !bare.includes(name));
    expect(added.filter((name) => !/^(__svelte|__playwright|bits)/.test(name))).toEqual(['tilelift']);
  });

  it('20 · passes only calls and events of the contract over the bridge', async () => {
    const tried = await inPage(`
      const why = (thrown) => thrown.message;
      const through = () => 'went through';
      return [
        await tilelift.call('app.quit', null).then(through, why),
        await tilelift.call('constructor', null).then(through, why),
        await (async () => tilelift.on('ELECTRON_BROWSER_REQUIRE', () => {}))().then(through, why),
      ];
    `);
    expect(tried).toEqual(['No such call', 'No such call', 'No such event']);
  });
});
