import { z } from 'zod';
import { assetTypes, snippetTools } from '../assets.ts';
import { maxOwnSnippets, maxSnippetName, snippetProblem } from '../snippets/snippet-text.ts';

/** Templates of code that people have changed or written themselves. */

const text = z.string().refine((given) => snippetProblem(given) === null);

/** One of Tilelift's, in a person's words. */
const changedSchema = z.object({ tool: z.enum(snippetTools), assetType: z.enum(assetTypes), text });

const ownId = z.templateLiteral([z.literal('own-'), z.string().regex(/^[\w-]{1,60}$/)]);

/** A person's own. */
const ownSchema = z.object({
  id: ownId,
  name: z.string().trim().min(1).max(maxSnippetName),
  /** Null: for assets of every type. */
  assetType: z.enum(assetTypes).nullable(),
  text,
});

export const snippetsSchema = z.object({
  changed: z
    .array(changedSchema)
    .max(snippetTools.length * assetTypes.length)
    .readonly(),
  own: z.array(ownSchema).max(maxOwnSnippets).readonly(),
});

/** As a settings file holds them: one that can't be read takes no other along. */
export const storedSnippetsSchema = z.preprocess((given) => {
  if (typeof given !== 'object' || given === null) return given;
  const { changed, own } = given as Record<string, unknown>;
  return { changed: readable(changed, changedSchema), own: readable(own, ownSchema) };
}, snippetsSchema);

function readable(given: unknown, schema: z.ZodType): unknown {
  return Array.isArray(given) ? given.filter((one) => schema.safeParse(one).success) : [];
}

export type Snippets = z.infer<typeof snippetsSchema>;
export type OwnSnippet = z.infer<typeof ownSchema>;

/** By which template code is copied: one of Tilelift's, or one of the person's own. */
export const snippetIdSchema = z.union([z.enum(snippetTools), ownId]);
export type SnippetId = z.infer<typeof snippetIdSchema>;
