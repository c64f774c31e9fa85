import type { z } from 'zod';
import { type JsonPath, offsetOf, positionOf, readStrictJson } from '../../shared/json-positions.ts';
import type { Subject } from '../../strings/said-error.ts';
import { type ErrorCode, TileliftError } from '../errors.ts';
import { noPolicy, type PolicyState, policySchema } from './policy.ts';
import type { PolicyText, ReadPolicyFile } from './policy-file.ts';

/**
 * An unusable file never counts as "no policy": the state contains the error and its place
 * (`/etc/tilelift/policy.json:7`). The file of authorities needs the same protection. Never rejects.
 */
export async function readPolicy(
  path: string | null,
  readFile: ReadPolicyFile,
  readAuthorities: ReadPolicyFile,
): Promise<PolicyState> {
  if (path === null) return noPolicy;
  const unusable = (code: ErrorCode, subject: Subject, cause?: unknown): PolicyState => ({
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
  // Notepad used to add a byte order mark.
  const text = file.text.replace(/^\uFEFF/, '');
  const lineAt = (offset: number) => positionOf(text, offset).line;
  const json = readStrictJson(text);
  if (json.fault) {
    const values = { path, line: lineAt(json.fault.offset), what: json.fault.what };
    return unusable('policy-not-json', { key: 'policy.faultAt', values });
  }
  const parsed = policySchema.safeParse(json.value);
  if (parsed.success) {
    const { caFile } = parsed.data;
    const problem = caFile === undefined ? null : await problemOf(caFile, readAuthorities);
    if (problem) return unusable(problem.code, caFile ?? path, problem.cause);
    const rulesFrom = parsed.data.watchRules === undefined ? {} : { rulesFrom: text };
    return { kind: 'in-force', path, policy: parsed.data, ...rulesFrom };
  }
  const { key, line, isUnknown } = firstProblem(parsed.error, (keys) => lineAt(offsetOf(json.tree, keys)));
  const location = `${path}:${line}`;
  const subject = key === '' ? location : `${key} (${location})`;
  return unusable(isUnknown ? 'policy-key-unknown' : 'policy-value-unusable', subject, parsed.error);
}

/** Reject a missing file: users of its folder could create it. */
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
  readonly line: number;
  readonly isUnknown: boolean;
}

/** A mistyped key is also a missing one, so unknown keys come first. */
function firstProblem({ issues }: z.ZodError, lineOf: (path: JsonPath) => number): Problem {
  const problemAt = (keys: readonly PropertyKey[], isUnknown: boolean): Problem => {
    const path = keys.map((key) => (typeof key === 'number' ? key : String(key)));
    return { key: path.join('.'), line: lineOf(path), isUnknown };
  };
  const problems = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => problemAt([...issue.path, key], true))
      : [problemAt(issue.path, false)],
  );
  problems.sort((a, b) => Number(b.isUnknown) - Number(a.isUnknown) || a.line - b.line);
  return problems[0] ?? problemAt([], false);
}
