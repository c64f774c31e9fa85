import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createVault, vaultExists } from '../../../../main/account/vault/encrypted-vault.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { testCipher } from '../stand-ins.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'deep', 'vault.json');
});

function raise(message: string): never {
  throw new Error(message);
}

it('createVault() exists once it stores something, even if a crash left only the newer file', async () => {
  expect(vaultExists(file)).toBe(false);
  const vault = createVault({ file, cipher: testCipher() });
  expect(vaultExists(file)).toBe(false);
  vault.set('a', 'secret');
  expect(vaultExists(file)).toBe(true);
  await rename(file, `${file}.new`);
  expect(vaultExists(file)).toBe(true);
});

it('createVault() keeps secrets across restarts and unreadable in its file', async () => {
  const vault = createVault({ file, cipher: testCipher() });
  expect(vault.persistent).toBe(true);
  vault.set('a', 'first secret');
  vault.set('b', 'ünïcode secret');
  vault.set('a', 'second secret');
  vault.set('c', 'gone');
  vault.delete('c');

  const secondVault = createVault({ file, cipher: testCipher() });
  expect([secondVault.get('a'), secondVault.get('b'), secondVault.get('c')]).toEqual([
    'second secret',
    'ünïcode secret',
    undefined,
  ]);
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('secret');
  expect(text).not.toContain(Buffer.from('second secret').toString('base64'));
});

it('createVault() leaves one file, readable only by its owner', async () => {
  const vault = createVault({ file, cipher: testCipher() });
  await writeFile(join(folder, 'x'), '');
  vault.set('a', '1');
  await writeFile(`${file}.new`, 'left by a crash', { mode: 0o666 });
  vault.set('a', '2');
  expect(await readdir(join(folder, 'deep'))).toEqual(['vault.json']);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('createVault() drops and names entries that the keychain can’t decrypt, and keeps the rest', () => {
  createVault({ file, cipher: testCipher(1) }).set('old', 'x');
  const vault = createVault({ file, cipher: testCipher(2) });
  expect(vault.get('old')).toBeUndefined();
  vault.set('new', 'y');
  expect(vault.keys()).toEqual(['old', 'new']);
  vault.delete('old');
  const secondVault = createVault({ file, cipher: testCipher(2) });
  expect(secondVault.get('new')).toBe('y');
  expect(secondVault.keys()).toEqual(['new']);
});

it('createVault() decrypts entries again when the keychain has its old key', () => {
  createVault({ file, cipher: testCipher(1) }).set('old', 'x');
  const meanwhile = createVault({ file, cipher: testCipher(2) });
  expect(meanwhile.get('old')).toBeUndefined();
  meanwhile.set('new', 'y');
  expect(createVault({ file, cipher: testCipher(1) }).get('old')).toBe('x');
});

it('createVault() keeps a value that it can’t encrypt in memory and reports it', () => {
  createVault({ file, cipher: testCipher() }).set('a', '1');
  const refusing = { ...testCipher(), encrypt: () => raise('locked') };
  const vault = createVault({ file, cipher: refusing });
  expect(() => vault.set('a', '2')).toThrow('locked');
  expect(vault.get('a')).toBe('2');
  expect(createVault({ file, cipher: testCipher() }).get('a')).toBe('1');
});

it('createVault() adopts a newer file after a crash and finishes its rename', async () => {
  createVault({ file, cipher: testCipher() }).set('a', 'old');
  const previous = await readFile(file);
  createVault({ file, cipher: testCipher() }).set('a', 'new');
  await rename(file, `${file}.new`);
  await writeFile(file, previous);
  expect(createVault({ file, cipher: testCipher() }).get('a')).toBe('new');
  expect(await readdir(join(folder, 'deep'))).toEqual(['vault.json']);
  expect(createVault({ file, cipher: testCipher() }).get('a')).toBe('new');
});

it('createVault() ignores a newer file that was cut off at any byte', async () => {
  createVault({ file, cipher: testCipher() }).set('a', 'old');
  const contentBefore = await readFile(file);
  createVault({ file, cipher: testCipher() }).set('a', 'new');
  const contentAfter = await readFile(file);
  await writeFile(file, contentBefore);
  for (let length = 0; length < contentAfter.length; length++) {
    await writeFile(`${file}.new`, contentAfter.subarray(0, length));
    expect(createVault({ file, cipher: testCipher() }).get('a')).toBe('old');
  }
});

it.each(['', '{', '[]', '{"version":2,"entries":{}}', '{"version":1,"entries":{"a":"*"}}', '\0\0\0'])(
  'createVault() starts empty and usable with a file that contains %j',
  async (text) => {
    createVault({ file, cipher: testCipher() }).set('a', '1');
    await writeFile(file, text);
    const vault = createVault({ file, cipher: testCipher() });
    expect(vault.get('a')).toBeUndefined();
    vault.set('b', '2');
    expect(createVault({ file, cipher: testCipher() }).get('b')).toBe('2');
  },
);

it('createVault() stays in memory without a keychain and keeps the file', async () => {
  createVault({ file, cipher: testCipher() }).set('a', '1');
  const contentBefore = await readFile(file, 'utf8');
  const vault = createVault({ file, cipher: testCipher(1, false) });
  expect(vault.persistent).toBe(false);
  expect(vault.get('a')).toBeUndefined();
  vault.set('a', 'memory');
  expect(vault.get('a')).toBe('memory');
  vault.delete('a');
  expect(vault.get('a')).toBeUndefined();
  expect(await readFile(file, 'utf8')).toBe(contentBefore);
});

it('createVault() reports a failed write and keeps the value in memory', async () => {
  await writeFile(join(folder, 'deep'), 'a file where the folder should be');
  const vault = createVault({ file, cipher: testCipher() });
  expect(() => vault.set('a', '1')).toThrow();
  expect(vault.get('a')).toBe('1');
});
