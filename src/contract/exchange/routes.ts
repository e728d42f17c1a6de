import { ENDPOINTS, ENDPOINT_NAMES, type Endpoint, type EndpointName } from './endpoints.ts';

/** An endpoint matched by a path. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Path parameters, percent-decoded. Their format has not been checked. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * The endpoint of a path as in the interface document, or null. A literal segment takes precedence over a parameter
 * (`/trailing/all-products` is not the product `all-products`). The trailing slash is part of a path.
 */
export function matchRoute(path: string): Route | null {
  const segments = path.split('/');
  for (const { name, template } of ROUTES) {
    const pathParameters = matchSegments(template, segments);
    if (pathParameters) return { name, endpoint: ENDPOINTS[name], pathParameters };
  }
  return null;
}

/**
 * The path of a request, its parameters percent-encoded. Throws a `RangeError` where a parameter is missing, is not
 * well-formed Unicode, or would change the path even when encoded: empty, `.` and `..`.
 */
export function toPath(endpoint: Endpoint, pathParameters: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = Object.hasOwn(pathParameters, name) ? pathParameters[name] : undefined;
    if (value === undefined) throw new RangeError(`${endpoint.path} needs ${name}`);
    if (/^\.{0,2}$/.test(value) || !value.isWellFormed())
      throw new RangeError(`${name} of ${endpoint.path} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

const ROUTES = ENDPOINT_NAMES.map((name) => ({ name, template: ENDPOINTS[name].path.split('/') })).sort(
  (a, b) => countParameters(a.template) - countParameters(b.template),
);

function countParameters(template: readonly string[]): number {
  return template.filter((segment) => segment.startsWith(':')).length;
}

function matchSegments(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const found: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith(':')) {
      if (segment !== expected) return null;
      continue;
    }
    const value = decode(segment);
    if (value === null || value === '') return null;
    found[expected.slice(1)] = value;
  }
  return found;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
