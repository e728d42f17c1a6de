import { type Endpoint, ENDPOINT_NAMES, type EndpointName, ENDPOINTS, type Mount } from './endpoints.ts';

/** The addresses of a venue's endpoints. */
export interface VenueProfile {
  readonly name: string;
  /**
   * Absolute, without a trailing slash; null for the embedded exchange, whose address is known only once it listens.
   */
  readonly baseUrl: string | null;
  /** Replaces `{env}` in the mounts. */
  readonly env: string;
  /** Whether nothing that it reports is of a real market, whatever its environment is called. */
  readonly simulated?: true;
  /** Prefix of an endpoint's path below the base URL: empty, or with a leading and without a trailing slash. */
  readonly mounts: Readonly<Record<Mount, string>>;
}

/** The mounts of the built-in venues, which are also the defaults of a profile file. */
export const DEFAULT_MOUNTS: VenueProfile['mounts'] = {
  web: '',
  funding: '/v1',
  orders: '/v1/{env}',
  product: '/v1/{env}',
};

const BITNOMIAL = 'https://bitnomial.com/exchange/api';

/** The built-in venues. Others come from a profile file, see `parseVenueProfile`. */
export const VENUES: Readonly<Record<string, VenueProfile>> = {
  'sandbox': { name: 'sandbox', baseUrl: null, env: 'prod', mounts: DEFAULT_MOUNTS, simulated: true },
  'bitnomial': { name: 'bitnomial', baseUrl: BITNOMIAL, env: 'prod', mounts: DEFAULT_MOUNTS },
  'bitnomial-sandbox': { name: 'bitnomial-sandbox', baseUrl: BITNOMIAL, env: 'sandbox', mounts: DEFAULT_MOUNTS },
};

/** Finds a built-in venue by name, or returns null. Property names of all objects (`constructor`) are not venues. */
export function findVenue(name: string): VenueProfile | null {
  return Object.hasOwn(VENUES, name) ? (VENUES[name] ?? null) : null;
}

/** Returns the prefix of an endpoint's path below the base URL, for example `/v1/prod`. */
export function toMountPrefix(profile: VenueProfile, mount: Mount): string {
  return profile.mounts[mount].replaceAll('{env}', () => profile.env);
}

/** An endpoint matched to a path. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Path parameters, percent-decoded but not yet validated. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the endpoint of a path as in the interface document, or returns null. A literal segment takes precedence over a
 * parameter (`/trailing/all-products` is not the product `all-products`). A trailing slash is part of the path.
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
 * Builds the path of a request with percent-encoded parameters. Throws a `RangeError` if a parameter is missing, is not
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
