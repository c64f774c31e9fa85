import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';

/** The named segments of the path, percent-decoded. */
export type PathParameters = Readonly<Record<string, string>>;

export interface Route<Extra> {
  readonly method: string;
  /** Segments separated by `/`; `:name` matches any single segment. */
  readonly path: string;
  readonly extra: Extra;
  readonly handle: (exchange: Exchange, parameters: PathParameters) => Promise<void>;
}

/**
 * Finds the route; public clients may send a trailing slash. Throws Refusal: 404 for an unknown path, 405
 * with `Allow` for another method. `prefix`: prefix of all paths.
 */
export function findRoute<Extra>(
  routes: readonly Route<Extra>[],
  exchange: Exchange,
  prefix = '',
): { readonly route: Route<Extra>; readonly parameters: PathParameters } {
  const allowedMethods: string[] = [];
  for (const route of routes) {
    const parameters = matchPath(prefix + route.path, exchange.path);
    if (!parameters) continue;
    if (route.method === exchange.method) return { route, parameters };
    allowedMethods.push(route.method);
  }
  if (allowedMethods.length === 0)
    throw new Refusal(404, 'ResourceNotFound', 'There is nothing at this address.');
  const Allow = [...new Set(allowedMethods)].join(', ');
  throw new Refusal(405, 'MethodNotAllowed', `This address takes ${Allow} only.`, { Allow });
}

function matchPath(pattern: string, path: string): PathParameters | undefined {
  const patternParts = pattern.split('/');
  const pathParts = path.replace(/\/$/, '').split('/');
  if (patternParts.length !== pathParts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of patternParts.entries()) {
    const actual = pathParts[index] ?? '';
    if (segment.startsWith(':')) {
      const decoded = decodeSegment(actual);
      if (!decoded) return undefined;
      parameters[segment.slice(1)] = decoded;
    } else if (segment !== actual) return undefined;
  }
  return parameters;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
