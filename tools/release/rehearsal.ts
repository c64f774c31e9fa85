/** A step of a workflow's job. */
interface WorkflowStep {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

/** The part of a workflow that a rehearsal reads. */
export interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy?: { readonly matrix: { readonly system: readonly string[] } };
        readonly steps: readonly WorkflowStep[];
      }
    >
  >;
}

/** Action of a rehearsal for a step. */
export type RehearsedAction =
  | { readonly name: string; readonly kind: 'run'; readonly script: string }
  /** Copies files where the next job finds them. */
  | { readonly name: string; readonly kind: 'collect'; readonly patterns: readonly string[] }
  | { readonly name: string; readonly kind: 'unable'; readonly why: string };

/** Folders that a checkout contains. */
const providedActions = /^actions\/(checkout|setup-node|download-artifact)@/;

/** GitHub's machine that a rehearsal replaces. */
const runners: Readonly<Record<string, string>> = {
  Linux: 'ubuntu-latest',
  Windows: 'windows-latest',
  macOS: 'macos-latest',
};

/** Why an action needs GitHub. */
const reasons: Readonly<Record<string, string>> = {
  'actions/attest-build-provenance': 'only GitHub’s runners can attest where something was built',
  'actions/attest-sbom': 'only GitHub’s runners can attest what something is made of',
};

/** How a rehearsal runs. */
interface RehearsalContext {
  /** Linux, Windows or macOS, as the runner calls it. */
  readonly system: string;
  /** Whether this machine may be changed, as a runner may. */
  readonly isRoot: boolean;
  /** Whether packages are compressed less. */
  readonly isQuick: boolean;
}

/** The workflow's steps as one machine can run them, without secrets. Pure. */
export function rehearsalOf(
  { jobs }: Workflow,
  { system, isRoot, isQuick }: RehearsalContext,
): readonly RehearsedAction[] {
  return Object.entries(jobs).flatMap(([job, { strategy, steps }]) => [
    ...steps.flatMap((step): readonly RehearsedAction[] => {
      const name = `${job}: ${step.name ?? step.run?.trim().split('\n')[0] ?? step.uses?.replace(/@.*/, '') ?? ''}`;
      const [, onlyOn] = /runner\.os == '(\w+)'/.exec(step.if ?? '') ?? [];
      if (onlyOn !== undefined && onlyOn !== system)
        return [{ name, kind: 'unable', why: `it needs ${onlyOn}` }];
      if (step.run?.includes('sudo ') && !isRoot) return [{ name, kind: 'unable', why: 'it needs root' }];
      if (step.run !== undefined) return [rehearsedRun(name, step.run, isQuick)];
      const action = step.uses ?? '';
      if (providedActions.test(action)) return [];
      if (action.startsWith('actions/upload-artifact@')) return collects(name, step.with?.path ?? '');
      return [{ name, kind: 'unable', why: reasons[action.replace(/@.*/, '')] ?? 'it needs GitHub' }];
    }),
    ...(strategy?.matrix.system ?? [])
      .filter((otherSystem) => otherSystem !== runners[system])
      .map((otherSystem) => ({
        name: `${job} on ${otherSystem}`,
        kind: 'unable' as const,
        why: 'it needs that system',
      })),
  ]);
}

function rehearsedRun(name: string, run: string, isQuick: boolean): RehearsedAction {
  if (run.includes('gh release create'))
    return { name, kind: 'unable', why: 'a rehearsal publishes nothing' };
  const script = run
    // Without the official Electron, a stand-in shows whether packaging works.
    .replaceAll(' --release', '')
    .replaceAll('npm run package --', isQuick ? 'npm run package -- --quick' : 'npm run package --')
    .replaceAll(/\$\{\{ matrix\.gives \}\}/g, 'dist/*.deb dist/*.tgz dist/*.cdx.json')
    .replaceAll(/\bsudo (env "PATH=\$PATH" )?/g, '');
  return { name, kind: 'run', script };
}

/** Patterns in `dist`, or everything in a folder that a step has filled. */
function collects(name: string, path: string): readonly RehearsedAction[] {
  const patterns = [...path.matchAll(/dist\/[^\s']+/g)].map(([pattern]) => pattern);
  return [{ name, kind: 'collect', patterns: patterns.length > 0 ? patterns : [`${path.trim()}/*`] }];
}
