import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';

/** A sent request and its answer. */
export interface Exchanged {
  readonly method: string;
  /** Path and query, below the server's own address. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string } | undefined;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const schema = z.custom<AnySchemaObject>((value) => typeof value === 'object');
const content = z.record(z.string(), z.object({ schema: schema.optional() })).optional();
const parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema });
const header = z.object({ required: z.boolean().optional(), schema });
const response = z.object({ headers: z.record(z.string(), header).optional(), content });
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).optional(),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), response),
});
type Operation = z.infer<typeof operation>;

const methods = ['get', 'put', 'post', 'delete', 'head'] as const;

/** `openapi.json`, to compare answers with. */
export class Description {
  readonly #root: Readonly<Record<string, unknown>>;
  readonly #operations: readonly { method: string; path: readonly string[]; operation: Operation }[];
  readonly #ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, coerceTypes: false });
  readonly #validators = new Map<AnySchemaObject, ValidateFunction>();
  readonly #metAnswers = new Set<string>();

  constructor(text = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8')) {
    formats.default(this.#ajv);
    this.#ajv.addVocabulary(['xml']);
    this.#root = JSON.parse(text);
    const paths = z.record(z.string(), z.record(z.string(), z.unknown())).parse(this.#root.paths);
    this.#operations = Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) =>
        item[method] === undefined
          ? []
          : [
              {
                method,
                path: path.split('/'),
                operation: operation.parse(this.#replaceReferences(item[method])),
              },
            ],
      ),
    );
  }

  /** All described answers: operation, status, media type. */
  all(): readonly string[] {
    return this.#operations.flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([status, { content: types }]) =>
        Object.keys(types ?? { '-': {} }).map((type) => `${operationId} ${status} ${type}`),
      ),
    );
  }

  /** Described answers that a test has received. */
  met(): readonly string[] {
    return [...this.#metAnswers];
  }

  /** Deviations of an answer, or of an accepted request, from the description. */
  complaints(exchanged: Exchanged): readonly string[] {
    const { status, headers, text } = exchanged;
    const match = this.#findOperation(exchanged);
    if (!match) return [`${exchanged.method} ${exchanged.path} is not described`];
    const { operationId, responses } = match;
    const describedAnswer = responses[status];
    const type = text === '' ? '-' : (headers['content-type'] ?? '').split(';')[0]?.trim() || '?';
    const name = `${operationId} ${status} ${type}`;
    const media = describedAnswer?.content?.[type];
    if (!describedAnswer || (type === '-' ? describedAnswer.content : !media))
      return [`${name} is not described`];
    this.#metAnswers.add(name);
    const wrongHeaders = Object.entries(describedAnswer.headers ?? {}).flatMap(
      ([field, { required: isRequired, schema }]) => {
        const value = headers[field.toLowerCase()];
        if (value === undefined) return isRequired ? [`${name}: there is no ${field}`] : [];
        return this.#errors(schema, value, `${name}: ${field}`);
      },
    );
    const wrongBody = media?.schema ? this.#errors(media.schema, readBody(type, text), name) : [];
    return [...wrongHeaders, ...wrongBody, ...(status < 300 ? this.wrongRequest(exchanged) : [])];
  }

  /** Deviations of a request from the description, whatever its answer. */
  wrongRequest(exchanged: Exchanged): readonly string[] {
    const match = this.#findOperation(exchanged);
    const name = `request of ${match?.operationId}`;
    const query = new URLSearchParams(exchanged.path.split('?')[1] ?? '');
    const wrongParameters = (match?.parameters ?? []).flatMap(
      ({ name: field, in: location, ...parameter }) => {
        if (location !== 'query') return [];
        const value = query.get(field);
        if (value === null) return parameter.required ? [`${name}: there is no ${field}`] : [];
        const typedValue = parameter.schema.type === 'integer' ? Number(value) : value;
        return this.#errors(parameter.schema, typedValue, `${name}: ${field}`);
      },
    );
    const { requestBody } = match ?? {};
    const { type, text } = exchanged.body ?? { type: '', text: '' };
    if (!requestBody || (text === '' && !requestBody.required)) return wrongParameters;
    const media = requestBody.content?.[type] ?? requestBody.content?.['*/*'];
    if (!media) return [...wrongParameters, `${name}: ${type} is not described`];
    const wrongBody = media.schema ? this.#errors(media.schema, readBody(type, text), name) : [];
    return [...wrongParameters, ...wrongBody];
  }

  /** The most literal matching path; a key matches the rest of the path. */
  #findOperation({ method, path }: Exchanged): Operation | undefined {
    const pathParts = (path.split('?')[0] ?? '').split('/');
    return this.#operations.find(
      (candidate) =>
        candidate.method === method.toLowerCase() &&
        (candidate.path.length === pathParts.length || candidate.path.at(-1) === '{key}') &&
        candidate.path.every((segment, index) => segment.startsWith('{') || segment === pathParts[index]),
    )?.operation;
  }

  #errors(schema: AnySchemaObject, value: unknown, name: string): readonly string[] {
    let validate = this.#validators.get(schema);
    if (!validate) {
      validate = this.#ajv.compile(schema);
      this.#validators.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${name}${error.instancePath}: ${error.message}`);
  }

  /** Replaces all references by their targets; the description has no recursion. */
  #replaceReferences(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#replaceReferences(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...siblings } = value as Readonly<Record<string, unknown>>;
    const ownFields = Object.fromEntries(
      Object.entries(siblings).map(([name, item]) => [name, this.#replaceReferences(item)]),
    );
    if (typeof $ref !== 'string') return ownFields;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], this.#root);
    if (target === undefined) throw new Error(`${$ref} leads nowhere`);
    return { ...(this.#replaceReferences(target) as object), ...ownFields };
  }
}

/** A body as data for its schema; for XML, the root element's content. */
function readBody(type: string, text: string): unknown {
  if (type === 'application/json') return JSON.parse(text);
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
  if (type !== 'application/xml') return text;
  const { '?xml': _, ...document } = new XMLParser({ parseTagValue: false }).parse(text);
  return Object.values(document)[0];
}
