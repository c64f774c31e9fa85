import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression in the source. */
export interface PatternLiteral {
  readonly source: string;
  readonly flags: string;
  /** `main/redact.ts:61`. */
  readonly place: string;
}

interface PatternsInSource {
  readonly literals: readonly PatternLiteral[];
  /** Position of an expression composed at run time, which can't be checked statically. */
  readonly built: readonly string[];
}

const rooms = [
  'main/**/*.ts',
  'preload/**/*.ts',
  'renderer/**/*.{ts,svelte}',
  'shared/**/*.ts',
  'strings/**/*.ts',
];

/** All regular expressions of the shipped code. */
export function patternsInSource(root: string): PatternsInSource {
  const literals: PatternLiteral[] = [];
  const built: string[] = [];
  for (const path of globSync(rooms, { cwd: root })) {
    const file = ts.createSourceFile(path, scriptOf(path, root), ts.ScriptTarget.Latest, true);
    const placeOf = (node: ts.Node) =>
      `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
        literals.push({ source, flags, place: placeOf(node) });
      }
      const callee = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression : null;
      if (callee && ts.isIdentifier(callee) && callee.text === 'RegExp') built.push(placeOf(node));
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals, built };
}

/** Blanks a component except its scripts, so that lines keep their numbers. */
function scriptOf(path: string, root: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  if (!path.endsWith('.svelte')) return text;
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  let script = '';
  let end = 0;
  for (const scriptMatch of text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    const [wholeScript, body = ''] = scriptMatch;
    const start = scriptMatch.index + wholeScript.indexOf('>') + 1;
    script += blank(text.slice(end, start)) + body;
    end = start + body.length;
  }
  return script + blank(text.slice(end));
}
