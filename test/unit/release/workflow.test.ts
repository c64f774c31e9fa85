import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofLibrary } from '../../../scripts/package/builder-library.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const workflow = ofLibrary('js-yaml').load(text);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const config = ofLibrary('js-yaml').load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
const documented = readFileSync(join(root, 'docs/release.md'), 'utf8');

interface Step {
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}
const jobs: readonly { readonly steps: readonly Step[] }[] = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.map(({ run }) => run ?? '').join('\n');
const all = (pattern: RegExp, within: string) =>
  [...within.matchAll(pattern)].map(([, found]) => found ?? '');

describe('the release workflow', () => {
  it('calls existing scripts', () => {
    const called = all(/npm run ([\w:]+)/g, commands);
    expect(called).toEqual(expect.arrayContaining(['package', 'test:installed']));
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
    const files = all(/node ((?:scripts|tools)\/\S+)/g, commands);
    expect(files).toEqual(
      expect.arrayContaining(['tools/release/attachments.mjs', 'tools/release/notes.ts']),
    );
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('uses no Electron stand-in and no placeholder address', () => {
    expect(commands).toContain('npm run package -- --installer --release');
    expect(commands).toContain("grep -n '[.]invalid' package.json electron-builder.yml");
  });

  it('publishes every kind of installer', () => {
    const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'));
    const targets = [...config.linux.target, ...config.win.target, ...config.mac.target];
    const kinds = targets.map((item) => item.target ?? item).map((kind) => (kind === 'nsis' ? 'exe' : kind));
    expect(kinds).toHaveLength(7);
    for (const kind of kinds) expect(upload?.with?.path).toContain(`dist/*.${kind}\n`);
  });

  it('uses exactly the documented secrets', () => {
    const known = new Set(all(/secrets\.(\w+)/g, text));
    const [, table = ''] = /\| secret \|([\s\S]*?)\n\n/.exec(documented) ?? [];
    expect([...known].sort()).toEqual(all(/`([A-Z_]+)`/g, table).sort());
  });

  it('can write only in the drafting job', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.jobs.draft.permissions).toEqual({
      contents: 'write',
      'id-token': 'write',
      attestations: 'write',
    });
    expect(workflow.jobs.installers).not.toHaveProperty('permissions');
    expect(commands).toContain('gh release create "$GITHUB_REF_NAME" --draft');
  });

  it('pins every action to a commit', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(5);
    for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
    expect(all(/uses: \S+@[\da-f]{40} # (v\d+\.\d+\.\d+)/g, text)).toHaveLength(actions.length);
  });

  it('exposes each secret only to its step, and writes none to disk', () => {
    const holders = (name: string) =>
      steps.filter((step) => JSON.stringify(step).includes(`secrets.${name} `));
    for (const name of all(/secrets\.(\w+)/g, text)) expect(holders(name), name).toHaveLength(1);
    for (const step of steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.')))
      expect(step.run).not.toContain('GITHUB_ENV');
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout')))
      expect(step.with).toEqual({ 'persist-credentials': false });
  });

  it('writes checksums before attestation and draft', () => {
    const at = (words: string) =>
      workflow.jobs.draft.steps.findIndex((step: Step) => `${step.run} ${step.uses}`.includes(words));
    expect(at('attachments.mjs')).toBeGreaterThan(at('download-artifact'));
    expect(at('attest-build-provenance')).toBeGreaterThan(at('attachments.mjs'));
    expect(at('attest-sbom')).toBeGreaterThan(at('attachments.mjs'));
    expect(at('gh release create')).toBeGreaterThan(at('attest-sbom'));
  });
});
