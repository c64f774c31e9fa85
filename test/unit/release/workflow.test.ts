import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofLibrary } from '../../../scripts/package/builder-parts.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const workflow = ofLibrary('js-yaml').load(text);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const config = ofLibrary('js-yaml').load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
const documented = readFileSync(join(root, 'docs/release.md'), 'utf8');

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}
const jobs: readonly { readonly steps: readonly Step[] }[] = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.map(({ run }) => run ?? '').join('\n');
const all = (pattern: RegExp, within: string) =>
  [...within.matchAll(pattern)].map(([, found]) => found ?? '');

describe('the workflow of a release', () => {
  it('calls scripts that are there', () => {
    const called = all(/npm run ([\w:]+)/g, commands);
    expect(called).toEqual(expect.arrayContaining(['package', 'test:installed']));
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
    const files = all(/node (scripts\/\S+)/g, commands);
    expect(files).toEqual(
      expect.arrayContaining(['scripts/release/attachments.mjs', 'scripts/release/notes.ts']),
    );
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('takes no stand-in for Electron, and no placeholder for an address', () => {
    expect(commands).toContain('npm run package -- --installer --release');
    expect(commands).toContain("grep -n '[.]invalid' package.json electron-builder.yml");
  });

  it('gives out every kind of installer that is made', () => {
    const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'));
    const targets = [...config.linux.target, ...config.win.target, ...config.mac.target];
    const kinds = targets.map((one) => one.target ?? one).map((kind) => (kind === 'nsis' ? 'exe' : kind));
    expect(kinds).toHaveLength(7);
    for (const kind of kinds) expect(upload?.with?.path).toContain(`dist/*.${kind}\n`);
  });

  it('knows the secrets that the documentation names, and no others', () => {
    const known = new Set(all(/secrets\.(\w+)/g, text));
    const [, table = ''] = /\| secret \|([\s\S]*?)\n\n/.exec(documented) ?? [];
    expect([...known].sort()).toEqual(all(/`([A-Z_]+)`/g, table).sort());
  });

  it('may write only where it drafts', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.jobs.draft.permissions).toEqual({ contents: 'write' });
    expect(workflow.jobs.installers).not.toHaveProperty('permissions');
    expect(commands).toContain('gh release create "$GITHUB_REF_NAME" --draft');
  });
});
