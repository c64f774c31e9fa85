import type { z } from 'zod';
import { settingsSchema } from '../../../main/settings.ts';

/** Part of every text; its presence reveals text of the user. */
export const canary = 'CANARY';
/** Accepted forms of a text; the first valid one is used. */
const forms: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `/srv/${word}`,
  (word) => `{assetId} // ${word}`,
  (word) => `{"note":"${word}"}`,
  (word) => `${word}@mail.test`,
  (word) => `https://hook.test/${word}`,
  (word) => `own-${word}`,
  (word) => `x-${word}`,
];
/** Text that is not the user's: a time of day. */
const fixedTexts = ['12:30'];

type Def = Readonly<Record<string, unknown>> & { readonly type: string };
type Schema = z.ZodType & { readonly def: Def };

export interface CanarySettings {
  readonly settings: z.infer<typeof settingsSchema>;
  /** All inserted texts. */
  readonly words: readonly string[];
  /** Paths of texts without user input. */
  readonly fixed: readonly string[];
}

/** Settings with a unique word in every text of the schema, for each of its variants. */
export function canarySettings(): readonly CanarySettings[] {
  const variants = [0, 1, 2, 3, 4];
  return variants.map((variant) => {
    const words: string[] = [];
    const fixed: string[] = [];
    const sample = sampleOf(settingsSchema as unknown as Schema, '', { variant, words, fixed });
    return { settings: settingsSchema.parse(sample), words, fixed };
  });
}

interface Sampling {
  readonly variant: number;
  readonly words: string[];
  readonly fixed: string[];
}

function sampleOf(schema: Schema, path: string, sampling: Sampling): unknown {
  const { def } = schema;
  const sampleBelow = (name: string, at = path) => sampleOf(def[name] as Schema, at, sampling);
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape as Record<string, Schema>);
      return Object.fromEntries(
        shape.map(([name, part]) => [name, sampleOf(part, `${path}.${name}`, sampling)]),
      );
    }
    case 'array':
      return [sampleBelow('element')];
    case 'record':
      return { [String(sampleBelow('keyType', `${path} key`))]: sampleBelow('valueType') };
    case 'union': {
      const options = def.options as Schema[];
      return sampleOf(options[sampling.variant % options.length] as Schema, path, sampling);
    }
    case 'pipe':
      return sampleBelow('out');
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return sampleBelow('innerType');
    case 'enum':
      return Object.values(def.entries as Record<string, string>)[0];
    case 'literal':
      return (def.values as unknown[])[0];
    case 'boolean':
      return true;
    case 'number':
      return [1, 587].find((number) => schema.safeParse(number).success);
    case 'string':
    case 'template_literal':
      return textFor(schema, path, sampling);
    case 'custom': {
      // A rule of a later version with unknown content.
      const word = () => textFor(null, path, sampling);
      return { id: 'u', name: word(), folder: word(), problems: [], value: { [word()]: word() }, at: 0 };
    }
    default:
      throw new Error(`no sample for ${def.type} at ${path}`);
  }
}

function textFor(schema: Schema | null, path: string, { words, fixed }: Sampling): string {
  const word = `${canary}${words.length}x`;
  const form = forms.find((form) => schema === null || schema.safeParse(form(word)).success);
  if (form) {
    words.push(word);
    return form(word);
  }
  fixed.push(path);
  const text = fixedTexts.find((text) => schema?.safeParse(text).success);
  if (text === undefined) throw new Error(`no text fits at ${path}`);
  return text;
}
