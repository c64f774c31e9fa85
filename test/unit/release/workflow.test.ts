import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireLibrary } from '../../../scripts/package/builder-library.mjs';
import { rehearsalOf } from '../../../tools/release/rehearsal.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const workflow = requireLibrary('js-yaml').load(text);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const config = requireLibrary('js-yaml').load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
const documented = readFileSync(join(root, 'docs/release.md'), 'utf8');

const onLinux = rehearsalOf(workflow, { system: 'Linux', isRoot: true, isQuick: false });

interface WorkflowStep {
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}
const jobs: readonly { readonly steps: readonly WorkflowStep[] }[] = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.map(({ run }) => run ?? '').join('\n');
const matchesOf = (pattern: RegExp, section: string) =>
  [...section.matchAll(pattern)].map(([, match]) => match ?? '');

it('the workflow of a release calls scripts that are there', () => {
  const called = matchesOf(/npm run ([\w:]+)/g, commands);
  expect(called).toEqual(expect.arrayContaining(['package', 'test:installed']));
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
  const files = matchesOf(/node ((?:scripts|tools)\/\S+)/g, commands);
  expect(files).toEqual(expect.arrayContaining(['tools/release/attachments.mjs', 'tools/release/notes.ts']));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('the workflow of a release takes no stand-in for Electron, and no placeholder for an address', () => {
  expect(commands).toContain('npm run package -- --installer --release');
  for (const job of ['installers', 'command'])
    expect(JSON.stringify(workflow.jobs[job])).toContain('node tools/release/placeholders.ts');
});

it('the workflow of a release gives out every kind of installer that is made', () => {
  const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'));
  const targets = [...config.linux.target, ...config.win.target, ...config.mac.target];
  const kinds = targets
    .map((installer) => installer.target ?? installer)
    .map((kind) => (kind === 'nsis' ? 'exe' : kind));
  expect(kinds).toHaveLength(7);
  for (const kind of kinds) expect(upload?.with?.path).toContain(`dist/*.${kind}\n`);
});

it('the workflow of a release gives out the packages of the command, built on every system, in a job without secrets', () => {
  const { command, draft } = workflow.jobs;
  expect(draft.needs).toEqual(['installers', 'command']);
  const systems: readonly string[] = command.strategy.matrix.system;
  for (const system of ['ubuntu', 'windows', 'macos'])
    expect(
      systems.some((name) => name.startsWith(system)),
      system,
    ).toBe(true);
  const providedFiles = command.strategy.matrix.include
    .map(({ gives }: { gives: string }) => gives)
    .join(' ');
  for (const kind of ['deb', 'tgz', 'cdx.json']) expect(providedFiles).toContain(`dist/*.${kind}`);
  expect(JSON.stringify(command)).toContain('npm run package -- --cli');
  expect(JSON.stringify(command)).not.toContain('secrets.');
});

it('the workflow of a release reads its secrets in the environment that the documentation names', () => {
  const holders = Object.entries<{ environment?: string }>(workflow.jobs).filter(([, job]) =>
    JSON.stringify(job).includes('secrets.'),
  );
  expect(holders.map(([name, { environment }]) => [name, environment])).toEqual([['installers', 'release']]);
  expect(documented).toContain('environment `release`');
});

it('the workflow of a release knows the secrets that the documentation names, and no others', () => {
  const knownSecrets = new Set(matchesOf(/secrets\.(\w+)/g, text));
  const [, table = ''] = /\| secret \|([\s\S]*?)\n\n/.exec(documented) ?? [];
  expect([...knownSecrets].sort()).toEqual(matchesOf(/`([A-Z_]+)`/g, table).sort());
});

it('the workflow of a release may write only where it drafts', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(workflow.jobs.draft.permissions).toEqual({
    contents: 'write',
    'id-token': 'write',
    attestations: 'write',
  });
  expect(workflow.jobs.installers).not.toHaveProperty('permissions');
  expect(commands).toContain('gh release create "$GITHUB_REF_NAME" --draft');
});

it('S98: the workflow of a release pins every action to a commit', () => {
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(5);
  for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
  expect(matchesOf(/uses: \S+@[\da-f]{40} # (v\d+\.\d+\.\d+)/g, text)).toHaveLength(actions.length);
});

it('S99: the workflow of a release exposes each secret only to its step, and writes none to disk', () => {
  const holders = (name: string) => steps.filter((step) => JSON.stringify(step).includes(`secrets.${name} `));
  for (const name of matchesOf(/secrets\.(\w+)/g, text)) expect(holders(name), name).toHaveLength(1);
  for (const step of steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.')))
    expect(step.run).not.toContain('GITHUB_ENV');
  for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout')))
    expect(step.with).toEqual({ 'persist-credentials': false });
});

it('the workflow of a release writes checksums before it attests and drafts the release', () => {
  const at = (words: string) =>
    workflow.jobs.draft.steps.findIndex((step: WorkflowStep) => `${step.run} ${step.uses}`.includes(words));
  expect(at('attachments.mjs')).toBeGreaterThan(at('download-artifact'));
  expect(at('attest-build-provenance')).toBeGreaterThan(at('attachments.mjs'));
  expect(at('attest-sbom')).toBeGreaterThan(at('attachments.mjs'));
  expect(at('gh release create')).toBeGreaterThan(at('attest-sbom'));
});

it('a rehearsal of the workflow runs each command, except the one that publishes', () => {
  const scripts = onLinux.flatMap((step) => (step.kind === 'run' ? [step.script] : []));
  expect(scripts).toHaveLength(steps.filter(({ run }) => run !== undefined).length - 1);
  expect(scripts.join('\n')).not.toMatch(/gh release|sudo|\$\{\{|--release/);
  expect(scripts.join('\n')).toContain('npm run package -- --installer');
});

it('a rehearsal of the workflow says why it can’t attest, publish or build for other systems', () => {
  const unableActions = onLinux.filter(({ kind }) => kind === 'unable');
  expect(unableActions).toHaveLength(9);
  expect(unableActions.map(({ name }) => name)).toContain('command on windows-latest');
  const withoutRoot = rehearsalOf(workflow, { system: 'Linux', isRoot: false, isQuick: false }).filter(
    ({ kind }) => kind === 'unable',
  );
  expect(withoutRoot).toHaveLength(11);
  expect(
    rehearsalOf(workflow, { system: 'macOS', isRoot: true, isQuick: false }).filter(
      ({ kind }) => kind === 'unable',
    ),
  ).toHaveLength(11);
});

it('a rehearsal of the workflow collects what the workflow gives out', () => {
  const patterns = onLinux.flatMap((step) => (step.kind === 'collect' ? step.patterns : []));
  expect(patterns).toEqual(expect.arrayContaining(['dist/*.deb', 'dist/tilelift-*.cdx.json', 'given/*']));
});
