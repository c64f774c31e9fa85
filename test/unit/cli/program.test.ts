import { execFileSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram, runProgram } from '../../../main/cli/commands/program.ts';
import { exitCodes } from '../../../main/cli/exit-codes.ts';
import { completionScript, shells } from '../../../main/cli/generated/completion.ts';
import { describeProgram } from '../../../main/cli/generated/described.ts';
import { manPage } from '../../../main/cli/generated/man-page.ts';
import type { CliProcess } from '../../../main/cli/process.ts';
import { examplesIn } from '../../../main/cli/program-help.ts';
import { errorAdvice } from '../../../main/say.ts';
import { type ErrorCode, errorTable } from '../../../shared/errors.ts';

const missingUrl = new URL('file:///nowhere');

function processWith(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  const process: CliProcess = {
    ...{
      args,
      env: { LC_ALL: 'C', ...env },
      stdin: new PassThrough().end('token'),
      stdout,
      stderr,
      platform: 'linux',
    },
    ...{ userHome: '/home/ada', workers: { upload: missingUrl, scan: missingUrl }, version: '1.2.3' },
    stop: new AbortController().signal,
  };
  return { process, texts };
}

async function run(args: readonly string[], env?: NodeJS.ProcessEnv) {
  const { process, texts } = processWith(args, env);
  const code = await runProgram(process);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...texts };
}

const program = createProgram({
  ...processWith([]).process,
  common: () => ({ json: false }),
  output: () => {
    throw new Error('nothing is said');
  },
  finish: () => {},
});
const commands = describeProgram(program);
const paths = commands.map(({ path }) => path);

const commandsIn = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap((subcommand) => commandsIn(subcommand)),
];

it('errorAdvice() names an environment variable for certificates, not the settings', async () => {
  await run(['--help']);
  const advice = errorAdvice({ code: 'certificate-untrusted' });
  expect(advice).toContain('NODE_EXTRA_CA_CERTS');
  expect(advice).not.toContain('Settings');
});

it.each(['C', 'de_DE.UTF-8'])('errorAdvice() names no part of the window (%s)', async (LC_ALL) => {
  await run(['--help'], { LC_ALL });
  const windowWords =
    /\b(?:in Settings|Settings under|dialog|window|screen|sheet|choose .* from the list|the field|drop it|choose Try again)\b|Einstellungen unter|in den Einstellungen,|Fenster|Dialog|Ansicht|„Wiederholen“/;
  const codes = Object.keys(errorTable) as readonly ErrorCode[];
  expect(codes.map((code) => errorAdvice({ code })).filter((advice) => windowWords.test(advice))).toEqual([]);
});

it.each(paths)(
  'tilelift --help prints the help of “tilelift %s” with exit codes, within 80 columns',
  async (path) => {
    const args = [...path.split(' ').filter(Boolean), '--help'];
    const [english, german] = [await run(args), await run(args, { LC_ALL: 'de_DE.UTF-8' })];

    for (const { stdout, ...otherOutcome } of [english, german]) {
      expect(otherOutcome).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/\n(?:Exit codes|Exit-Codes):\n {2}0 {4}\S.*\n {2}2 {4}\S/s);
      const text = stdout.replace(/^(?:Examples|Beispiele):\n(?: {2}.*\n)*/m, '');
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
    if (path === '' || path === 'upload')
      await expect(english.stdout).toMatchFileSnapshot(`help/${path || 'tilelift'}.golden`);
  },
);

it('tilelift --help describes every command, argument and option', () => {
  const undescribed = commandsIn(program).flatMap((command) => [
    ...(command.description() === '' && command.name() !== 'man' ? [command.name()] : []),
    ...[...command.options, ...command.registeredArguments]
      .filter(({ description }) => description === '')
      .map((item) => `${command.name()} ${'flags' in item ? item.flags : item.name()}`),
  ]);
  expect(undescribed).toEqual([]);
});

it('tilelift --help shows examples for every command', () => {
  const commandsWithout = commandsIn(program).filter(
    (command) => command !== program && command.name() !== 'man' && examplesIn(command).length === 0,
  );

  expect(commandsWithout.map((command) => command.name())).toEqual([]);
});

it('tilelift --help shows only valid examples', () => {
  const knownFlags = new Set(commands.flatMap(({ options }) => options.map(({ flag }) => flag)));
  for (const { path, examples } of commands)
    for (const example of examples) {
      expect(example).toContain(`tilelift ${path.split(' ')[0]}`);
      const flags = example.match(/(?<= )--[a-z-]+/g) ?? [];
      expect(flags.filter((flag) => !knownFlags.has(flag))).toEqual([]);
    }
});

it.each([
  [['upload'], 'The argument path is missing.'],
  [['upload', '--nonsense', 'x'], 'The option --nonsense doesn’t exist.'],
  [['uplod'], 'The command uplod doesn’t exist. Did you mean upload?'],
  [['uplod', '--help'], 'The command uplod doesn’t exist. Did you mean upload?'],
  [['presets', '--help'], 'The command presets doesn’t exist.'],
  [['assets', 'lst'], 'lst is not expected here.'],
  [['upload', '--nme', 'x'], 'The option --nme doesn’t exist. Did you mean --name?'],
  [['upload', '/', '--limit-rate', 'fast'], '“fast” isn’t a rate.'],
  [['upload', '/', '--crs', 'WGS84'], '“WGS84” isn’t an EPSG code.'],
  [['upload', '/', '--position', '200,0,0'], '“200,0,0” isn’t a position.'],
  [['upload', '--files-from', '/missing'], 'The file /missing can’t be read.'],
  [['upload', '/', '--options', '@/missing'], 'The file /missing can’t be read.'],
  [['sign-in', '--token-file', '-'], '--token-file - also needs --key-file FILE'],
  [['upload', '--name'], 'The option --name <name> needs a value.'],
  [['assets', 'get', 'twelve'], '“twelve” isn’t the ID of an asset.'],
  [
    ['upload', '/', '--source-type', 'citygml', '--base-terrain', '3'],
    '--base-terrain needs --clamp-to-terrain',
  ],
  [['upload', '/', '--options', '[]'], 'Enter --options as NAME=VALUE or a JSON object.'],
  [['upload', '/', '--options', '{"baseTerrainId":1}'], 'Remove “baseTerrainId” from --options'],
  [['upload', '/', '--type', 'GLOBE'], 'Tilelift doesn’t know the asset type “GLOBE”.'],
  [['upload', '/', '--give-up-after', 'soon'], '“soon” isn’t a number of minutes.'],
  [['completion', 'tcsh'], '“tcsh” isn’t one of these: bash, zsh, fish, powershell.'],
  [['jobs', 'stop'], '“stop” isn’t one of these: wait, pause, '],
  [['sources', 'explode', 'x'], '“explode” isn’t one of these: upload, '],
  [['sources', '--state', 'odd'], '“odd” isn’t one of these: settling, '],
  [['sources', 'upload'], 'Name the sources, or use --all.'],
])('exits with 2 and an explanation after the wrong call %j', async (args, explanation) => {
  const { code, stdout, stderr } = await run(args);

  expect({ code, stdout }).toEqual({ code: exitCodes.badInput, stdout: '' });
  expect(stderr).toContain(explanation);
});

describe('generated files', () => {
  it('manPage() contains every command, option and exit code', () => {
    const page = manPage(commands, '1.2.3');

    for (const { path } of commands) expect(page).toContain(path.replaceAll('-', '\\-'));
    for (const code of Object.values(exitCodes)) expect(page).toContain(`.B ${code}\n`);
  });

  it.each(shells)('completionScript() contains every command for %s', (shell) => {
    const script = completionScript(shell, commands);

    for (const { subcommands } of commands) for (const name of subcommands) expect(script).toContain(name);
    expect(script).toContain('clamp-to-terrain');
  });

  it.skipIf(process.platform === 'win32').each([
    [['tilelift', 'as'], 'assets'],
    [['tilelift', 'assets', 'w'], 'wait'],
    [['tilelift', 'upload', '--cl'], '--clamp-to-terrain'],
    [['tilelift', 'receipts', 'export', '--format', 'j'], 'json'],
  ])('completionScript() completes %j in bash', (words, expected) => {
    const script = `${completionScript('bash', commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_tilelift; printf '%s\\n' "\${COMPREPLY[@]}"`;

    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: '/proc' })).toContain(expected);
  });
});
