import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliHouse, script, smallCity } from './run-cli.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Lines of a document that a new user reads first. */
const firstPage = 60;

/** Lines of code blocks, and inline code with arguments, in order, without comments of blocks. */
async function commandsOf(document: string): Promise<readonly string[]> {
  const lines = (await readFile(join(root, document), 'utf8')).split('\n').slice(0, firstPage);
  const code = [...lines.join('\n').matchAll(/```\w*\n([^`]*)```|`([^`\n]+)`/g)];
  const commandLines = code.flatMap(([, block, inline = '']) =>
    block === undefined ? (inline.split(' ').length > 2 ? [inline] : []) : block.split('\n'),
  );
  const commands = commandLines.map((line) => line.replace(/ #.*| \[.*/, '').trim());
  // The others need a browser, or only show a syntax.
  const isComplete = (line: string) =>
    /^(tilelift|npm start)\b/.test(line) && !/SIGN_IN_URL|COMMAND|…/.test(line);
  return [...new Set(commands.filter(isComplete))];
}

describe.skipIf(process.platform === 'win32')('the commands on the first page', () => {
  it.each([
    ['README.md', 5],
    ['docs/check.md', 3],
    ['docs/cli.md', 3],
    ['docs/rules-file.md', 2],
    ['docs/server.md', 5],
  ])(
    'the commands on the first page of %s work in an empty home folder',
    { timeout: 600_000 },
    async (document, count) => {
      const commands = await commandsOf(document);
      expect(commands).toHaveLength(count);
      const house = await cliHouse();
      const at = (...names: readonly string[]) => join(house.folder, ...names);
      for (const folder of ['bin', 'city', 'empty', 'incoming']) await mkdir(at(folder));
      await smallCity(at('city'));
      const start = `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`;
      await writeFile(at('bin', 'tilelift'), start, { mode: 0o755 });
      const places: Readonly<Record<string, string>> = {
        ...{ API_URL: house.service.baseUrl, FOLDER: at('city'), PATH: at('city'), FILE: house.tokenFile },
        '/etc/tilelift/token': house.tokenFile,
      };
      const run = (command: string) => {
        const ownCommand = command.replace(
          /API_URL|FOLDER|PATH|FILE|\/etc\/tilelift\/token/g,
          (name) => places[name] ?? '',
        );
        const child = spawn('bash', ['-c', `exec ${ownCommand}`], {
          cwd: command.startsWith('npm') ? root : house.folder,
          env: {
            ...{ PATH: `${at('bin')}:${process.env.PATH}`, HOME: at('empty'), LC_ALL: 'C.UTF-8' },
            ...{
              TILELIFT_SERVICE_API: house.service.baseUrl,
              TILELIFT_SERVICE_SIGN_IN: house.service.authUrl,
            },
            ...{ TILELIFT_POLL_MS: '100', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        return child;
      };
      if (document === 'docs/server.md')
        expect(await once(run('tilelift rules new rules.json'), 'close')).toEqual([0, null]);

      for (const command of commands) {
        const child = run(command);
        if (/^tilelift watch(?!.*--dry-run)/.test(command)) {
          let log = '';
          child.stderr.setEncoding('utf8').on('data', (line: string) => {
            log += line;
          });
          await expect.poll(() => log, { timeout: 60_000 }).toContain('"watching"');
          continue;
        }
        const commandEnded = Promise.all([text(child.stderr), text(child.stdout), once(child, 'close')]);
        const [stderr, stdout, [code]] = await commandEnded;
        expect(code, `${command}\n${stderr}\n${stdout}`).toBe(0);
      }
    },
  );
});
