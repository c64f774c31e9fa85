import type { z } from 'zod';
import { type ErrorCode, TileliftError } from '../errors.ts';
import { JsonFault, type LocatedJson, readJson } from './json-lines.ts';
import { noPolicy, type PolicyState, policySchema } from './policy.ts';
import type { PolicyText, ReadPolicyFile } from './policy-file.ts';

/**
 * The policy at that path. A file that is there and can't be used is never "no policy": the state then says what is wrong with it, and where
 * (`/etc/tilelift/policy.json:7`). The file of certificate authorities that it names is believed as the policy is, and has to be kept as safe. Never rejects.
 */
export async function readPolicy(
  path: string | null,
  readFile: ReadPolicyFile,
  readAuthorities: ReadPolicyFile,
): Promise<PolicyState> {
  if (path === null) return noPolicy;
  const unusable = (code: ErrorCode, subject: string, cause?: unknown): PolicyState => ({
    kind: 'unusable',
    path,
    error: new TileliftError(code, { subject, cause }),
  });
  let file: PolicyText | null;
  try {
    file = await readFile(path);
  } catch (cause) {
    return unusable('policy-unreadable', path, cause);
  }
  if (!file) return noPolicy;
  if (!file.isProtected) return unusable('policy-unprotected', path);
  // Windows' own editor used to begin a file with a byte order mark.
  const text = file.text.replace(/^\uFEFF/, '');
  let json: LocatedJson;
  try {
    json = readJson(text);
  } catch (cause) {
    const place = cause instanceof JsonFault ? `${path}:${cause.line}` : path;
    return unusable('policy-not-json', place, cause);
  }
  const parsed = policySchema.safeParse(json.value);
  if (parsed.success) {
    const { caFile } = parsed.data;
    const problem = caFile === undefined ? null : await problemOf(caFile, readAuthorities);
    if (problem) return unusable(problem.code, caFile ?? path, problem.cause);
    const rulesFrom = parsed.data.watchRules === undefined ? {} : { rulesFrom: text };
    return { kind: 'in-force', path, policy: parsed.data, ...rulesFrom };
  }
  const { key, line, isUnknown } = firstProblem(parsed.error, json);
  const place = `${path}:${line}`;
  const subject = key === '' ? place : `${key} (${place})`;
  return unusable(isUnknown ? 'policy-key-unknown' : 'policy-value-unusable', subject, parsed.error);
}

/** A file that is not there yet could be made by anybody who may write to its folder. */
async function problemOf(
  path: string,
  readFile: ReadPolicyFile,
): Promise<{ readonly code: ErrorCode; readonly cause?: unknown } | null> {
  try {
    const file = await readFile(path);
    if (!file) return { code: 'policy-unreadable' };
    return file.isProtected ? null : { code: 'policy-unprotected' };
  } catch (cause) {
    return { code: 'policy-unreadable', cause };
  }
}

interface Problem {
  readonly key: string;
  /** Of a key that is missing: where its object begins. */
  readonly line: number;
  readonly isUnknown: boolean;
}

/** Unknown keys before others, since one that is mistyped is also missing; then as they stand in the file: an administrator reads from the top. */
function firstProblem({ issues }: z.ZodError, { lineOf }: LocatedJson): Problem {
  const problemAt = (path: readonly PropertyKey[], isUnknown: boolean): Problem => {
    const line = lineOf(path) ?? lineOf(path.slice(0, -1)) ?? 1;
    return { key: path.join('.'), line, isUnknown };
  };
  const problems = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => problemAt([...issue.path, key], true))
      : [problemAt(issue.path, false)],
  );
  problems.sort((a, b) => Number(b.isUnknown) - Number(a.isUnknown) || a.line - b.line);
  return problems[0] ?? problemAt([], false);
}
