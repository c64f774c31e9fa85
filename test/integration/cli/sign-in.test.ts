import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { allowInBrowser } from '../../service/person.ts';
import { type CliHouse, cliHouse, jsonLines, lastLine, smallCity } from './run-cli.ts';

const token = (house: CliHouse) => readFile(house.tokenFile, 'utf8');

/** Returns all file contents of the home folder as one text. */
async function onDisk(house: CliHouse): Promise<string> {
  const entries = await readdir(house.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

it('tilelift sign-in reads a token from a file and stores it nowhere else', async () => {
  const house = await cliHouse();

  const { code, stdout } = await house.run(['sign-in', '--token-file', house.tokenFile]);
  await house.run(['upload', await smallCity(house.folder)]);

  expect({ code, stdout }).toEqual({ code: 0, stdout: `Signed in to ${house.service.baseUrl}.\n` });
  expect(await onDisk(house)).not.toContain(await token(house));
});

it.skipIf(process.platform === 'win32')(
  'tilelift sign-in refuses a token file that others may read',
  async () => {
    const house = await cliHouse();
    await chmod(house.tokenFile, 0o644);

    const { code, stderr } = await house.run(['sign-in', '--token-file', house.tokenFile]);

    expect(code).toBe(2);
    expect(stderr).toContain(`chmod 600 ${house.tokenFile}`);
  },
);

it('tilelift sign-in reads a token from systemd credentials', async () => {
  const house = await cliHouse();
  const city = await smallCity(house.folder);
  await writeFile(join(house.folder, 'tilelift-token'), await token(house));

  const { code } = await house.run(['upload', city], { CREDENTIALS_DIRECTORY: house.folder });

  expect(code).toBe(0);
});

it.runIf(process.platform === 'linux')(
  'S40: tilelift sign-in passes no access token to the browser',
  async () => {
    const house = await cliHouse();
    const environment = join(house.folder, 'environment');
    const browser = join(house.folder, 'xdg-open');
    await writeFile(
      browser,
      `#!/bin/sh\nexport -p > ${environment}.new\nmv ${environment}.new ${environment}\n`,
    );
    await chmod(browser, 0o755);

    const signingIn = house.start(['sign-in', '--key-file', join(house.folder, 'key')], {
      ...{ DISPLAY: ':77', TILELIFT_TOKEN: 'canary-token' },
      PATH: `${house.folder}:${process.env.PATH}`,
    });
    await vi.waitFor(() => readFile(environment), { timeout: 60_000 });
    signingIn.child.kill('SIGKILL');

    const inherited = await readFile(environment, 'utf8');
    expect(inherited).toContain(':77');
    expect(inherited).not.toContain('canary-token');
  },
);

it('tilelift sign-in reports a refused token', async () => {
  const house = await cliHouse();
  await writeFile(house.tokenFile, 'nonsense');

  const { code, stdout } = await house.run(['sign-in', '--token-file', house.tokenFile, '--json']);

  expect(code).toBe(3);
  expect(lastLine(stdout)).toMatchObject({ exitCode: 3, error: { code: 'access-token-refused' } });
});

it('tilelift sign-in requires --key-file before it opens a browser', async () => {
  const house = await cliHouse();

  const { code, stderr } = await house.run(['sign-in', '--no-browser']);

  expect(code).toBe(2);
  expect(stderr).toContain('--key-file');
});

it('tilelift sign-in accepts an address pasted from a browser, and stays signed in if the next sign-in is given up', async () => {
  const house = await cliHouse();
  const keyFile = join(house.folder, 'key');
  const running = house.start(['sign-in', '--no-browser', '--key-file', keyFile, '--json']);
  const output = await running.says(/"link":"[^"]+"/);
  const link = /"link":"([^"]+)"/.exec(output)?.[1] ?? '';

  running.child.stdin.write(`${await allowInBrowser(link)}\n`);
  const { code } = await running.ended;
  const accounts = await house.run(['accounts', '--json']);

  expect(code).toBe(0);
  expect(jsonLines(accounts.stdout)[0]).toMatchObject({
    event: 'account',
    signedInBy: 'browser',
    current: true,
  });
  expect(await onDisk(house)).not.toContain((await readFile(keyFile, 'utf8')).trim());

  const unfinishedRun = await house.run(['sign-in', '--no-browser', '--key-file', keyFile]);
  expect(unfinishedRun.code).toBe(3);
  expect(unfinishedRun.stderr).toContain('Standard input ended');
  expect((await house.run(['assets', 'list'])).code).toBe(0);
});

describe('tilelift sign-in --account', () => {
  const signInAs = async (house: CliHouse, person: string, ...furtherArgs: string[]) => {
    const keyFile = join(house.folder, 'key');
    const running = house.start(['sign-in', '--no-browser', '--key-file', keyFile, '--json', ...furtherArgs]);
    const output = await running.says(/"link":"[^"]+"/);
    const [, link = ''] = /"link":"([^"]+)"/.exec(output) ?? [];
    running.child.stdin.write(`${await allowInBrowser(link, fetch, person)}\n`);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
  };

  it('tilelift sign-in --account adds a second account, lists it and uploads with it', {
    timeout: 120_000,
  }, async () => {
    const house = await cliHouse({ accountName: 'Office', furtherAccounts: ['Field crew'] });
    await signInAs(house, 'Office');
    await signInAs(house, 'Field crew', '--account', 'Survey');

    const accounts = await house.run(['accounts', '--json']);
    const [firstAccount, secondAccount] = jsonLines(accounts.stdout);
    expect([firstAccount, secondAccount]).toMatchObject([
      { event: 'account', name: null, current: false },
      { event: 'account', name: 'Survey', current: true },
    ]);
    expect((await house.run(['accounts'])).stdout).toMatch(
      /\S+ {2}\S+\n\S+ {2}\S+ {2}Survey {2}\(current\)\n/,
    );

    const city = await smallCity(house.folder);
    const [byName, byId] = [
      await house.run(['upload', city, '--account', 'Survey', '--json']),
      await house.run(['upload', city, '--account', String(firstAccount?.accountId), '--json']),
    ];
    const owners = [byName, byId].map(({ stdout }) => {
      const { jobs } = lastLine(stdout) as { jobs: [{ assetId: number }] };
      return house.service.control.ownerOf(jobs[0].assetId);
    });
    expect(owners).toEqual(['Field crew', 'Office']);
    const ambiguousRun = await house.run(['upload', city, '--account', house.service.baseUrl]);
    expect(ambiguousRun).toMatchObject({ code: 2, stderr: expect.stringContaining('Choose one by its ID') });

    // A repeated name refers to the same account.
    await signInAs(house, 'Field crew', '--account', 'Survey');
    expect(jsonLines((await house.run(['accounts', '--json'])).stdout)).toHaveLength(3);
    expect((await house.run(['sign-out', '--account', 'Survey'])).code).toBe(0);
    const remainingAccounts = jsonLines((await house.run(['accounts', '--json'])).stdout);
    expect(remainingAccounts[0]).toMatchObject({ accountId: firstAccount?.accountId, current: true });
  });

  it('tilelift sign-in --account adds a second account by token only if one key protects both', {
    timeout: 120_000,
  }, async () => {
    const house = await cliHouse();
    const otherFile = join(house.folder, 'other-token');
    await writeFile(
      otherFile,
      house.service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']),
      { mode: 0o600 },
    );
    await house.signIn();

    const refusedRun = await house.run(['sign-in', '--account', 'Survey', '--token-file', otherFile]);
    expect(refusedRun).toMatchObject({ code: 2, stderr: expect.stringContaining('--key-file FILE') });
    expect((await house.run(['accounts'])).code).toBe(0);

    const keyFile = ['--key-file', join(house.folder, 'key')];
    expect((await house.run(['sign-in', '--token-file', house.tokenFile, ...keyFile])).code).toBe(0);
    const furtherRun = await house.run([
      'sign-in',
      '--account',
      'Survey',
      '--token-file',
      otherFile,
      ...keyFile,
    ]);
    expect(furtherRun).toMatchObject({ code: 0 });
    const accounts = jsonLines((await house.run(['accounts', '--json'])).stdout);
    expect(accounts.slice(0, 2)).toMatchObject([
      { name: null, signedInBy: 'access-token' },
      { name: 'Survey', signedInBy: 'access-token', current: true },
    ]);
    const onDiskNow = await onDisk(house);
    for (const file of [house.tokenFile, otherFile])
      expect(onDiskNow).not.toContain((await readFile(file, 'utf8')).trim());
  });

  it('S153: tilelift sign-in --account uses http in a private network only with --allow-http', async () => {
    const house = await cliHouse();
    // 127.0.0.2 isn't among the names that may always use http.
    const receivedTokens: string[] = [];
    const relay = createServer(async ({ url = '', headers: { authorization = '' } }, response) => {
      receivedTokens.push(url);
      const answer = await fetch(`${house.service.baseUrl}${url}`, { headers: { authorization } });
      response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.2', resolve));
    onTestFinished(() => void relay.close());
    const address = `http://127.0.0.2:${(relay.address() as AddressInfo).port}`;
    const args = ['sign-in', '--service', address, '--token-file', house.tokenFile];

    const refusedRun = await house.run(args);
    expect(refusedRun).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-http') });
    expect(receivedTokens).toEqual([]);

    const proxy = { HTTP_PROXY: 'http://127.0.0.1:1' };
    expect(await house.run([...args, '--allow-http'], proxy)).toMatchObject({ code: 0 });
    expect((await house.run(['assets', '--json'], proxy)).code).toBe(0);
    expect(receivedTokens.length).toBeGreaterThan(1);
  });
});
