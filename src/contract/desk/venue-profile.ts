import { describeValue } from '../parse/check.ts';
import type { Mount } from '../exchange/endpoints.ts';
import { DEFAULT_MOUNTS, type VenueProfile } from '../exchange/addresses.ts';

/** A venue's profile, or all of its mistakes: one sentence each, naming the field. */
export type VenueProfileResult = { readonly profile: VenueProfile } | { readonly problems: readonly string[] };

type Problems = string[];
type Fields = Readonly<Record<string, unknown>>;

const FIELDS = ['name', 'baseUrl', 'env', 'mounts'];
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Plain segments only, because a URL parser would rewrite `..`, `%2F` or `//` after signing. */
const MOUNT_PATTERN = /^(?:\/(?:\{env\}|[A-Za-z0-9_~-][A-Za-z0-9_.~-]*))*$/;

/**
 * Parses a venue's profile from the value of a JSON file: `name`, `baseUrl` and, if they differ from the defaults,
 * `env` and `mounts`. Reports all mistakes together.
 */
export function parseVenueProfile(value: unknown): VenueProfileResult {
  if (!isRecord(value)) return { problems: [`A venue's profile must be an object, not ${describeValue(value)}.`] };
  const problems: Problems = unknownFields(value, FIELDS, '');
  const profile: VenueProfile = {
    name: readName(value, 'name', undefined, problems),
    baseUrl: readBaseUrl(value['baseUrl'], problems),
    env: readName(value, 'env', 'prod', problems),
    mounts: readMounts(value['mounts'], problems),
  };
  return problems.length > 0 ? { problems } : { profile };
}

function readName(record: Fields, field: string, fallback: string | undefined, problems: Problems): string {
  const value = record[field] === undefined ? fallback : record[field];
  if (typeof value === 'string' && NAME_PATTERN.test(value)) return value;
  problems.push(`${field} must be 1 to 64 letters, digits, _ or -, not ${describeValue(value)}.`);
  return '';
}

function readBaseUrl(value: unknown, problems: Problems): string {
  const baseUrl = typeof value === 'string' ? parseBaseUrl(value) : null;
  // The value is not quoted, because an address may contain a password.
  if (baseUrl === null)
    problems.push('baseUrl must be an absolute http or https address without user, query or fragment.');
  return baseUrl ?? '';
}

/** Normalises a base URL to have no trailing slash; null if the text is not a plain http or https address. */
export function parseBaseUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function readMounts(value: unknown, problems: Problems): VenueProfile['mounts'] {
  if (value === undefined) return DEFAULT_MOUNTS;
  if (!isRecord(value)) {
    problems.push(`mounts must be an object, not ${describeValue(value)}.`);
    return DEFAULT_MOUNTS;
  }
  problems.push(...unknownFields(value, Object.keys(DEFAULT_MOUNTS), 'mounts.'));
  const read = (mount: Mount): string => readMount(mount, value[mount], problems);
  return { web: read('web'), funding: read('funding'), orders: read('orders'), product: read('product') };
}

function readMount(mount: Mount, value: unknown, problems: Problems): string {
  if (value === undefined) return DEFAULT_MOUNTS[mount];
  if (typeof value === 'string' && MOUNT_PATTERN.test(value)) return value;
  problems.push(
    `mounts.${mount} must be empty or a path such as /v1/{env}, without a trailing slash, not ${describeValue(value)}.`,
  );
  return '';
}

function unknownFields(record: Fields, known: readonly string[], prefix: string): string[] {
  const unknown = Object.keys(record).filter((name) => !known.includes(name));
  return unknown.map((name) => `${prefix}${name} is not a field of a venue's profile: ${known.join(', ')}.`);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
