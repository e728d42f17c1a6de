import { describe } from './check.ts';
import type { Mount } from './endpoints.ts';
import { USUAL_MOUNTS, type VenueProfile } from './venues.ts';

/** What a profile file turned out to be: a venue, or every mistake in it, each a sentence that names the field. */
export type VenueProfileReading = { readonly profile: VenueProfile } | { readonly problems: readonly string[] };

type Problems = string[];
type Fields = Readonly<Record<string, unknown>>;

const FIELDS = ['name', 'baseUrl', 'env', 'mounts'];
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Plain segments only: what a URL parser would rewrite (`..`, `%2F`, `//`) would change what is signed. */
const MOUNT_PATTERN = /^(?:\/(?:\{env\}|[A-Za-z0-9_~-][A-Za-z0-9_.~-]*))*$/;

/**
 * Reads a venue's profile from the value of a JSON file: `name`, `baseUrl`, and where they differ from the usual ones
 * `env` and `mounts`. All mistakes are told at once.
 */
export function parseVenueProfile(value: unknown): VenueProfileReading {
  if (!isRecord(value)) return { problems: [`A venue's profile must be an object, not ${describe(value)}.`] };
  const problems: Problems = unknownFields(value, FIELDS, '');
  const profile: VenueProfile = {
    name: readName(value, 'name', undefined, problems),
    baseUrl: readBaseUrl(value['baseUrl'], problems),
    env: readName(value, 'env', 'prod', problems),
    mounts: readMounts(value['mounts'], problems),
  };
  return problems.length > 0 ? { problems } : { profile };
}

function readName(record: Fields, field: string, usual: string | undefined, problems: Problems): string {
  const value = record[field] === undefined ? usual : record[field];
  if (typeof value === 'string' && NAME_PATTERN.test(value)) return value;
  problems.push(`${field} must be 1 to 64 letters, digits, _ or -, not ${describe(value)}.`);
  return '';
}

function readBaseUrl(value: unknown, problems: Problems): string {
  const baseUrl = typeof value === 'string' ? parseBaseUrl(value) : null;
  // The value is not repeated: an address may hold a password.
  if (baseUrl === null)
    problems.push('baseUrl must be an absolute http or https address without user, query or fragment.');
  return baseUrl ?? '';
}

/** A venue's address as it is sent to, without a trailing slash; null where the text is no plain http or https address. */
export function parseBaseUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function readMounts(value: unknown, problems: Problems): VenueProfile['mounts'] {
  if (value === undefined) return USUAL_MOUNTS;
  if (!isRecord(value)) {
    problems.push(`mounts must be an object, not ${describe(value)}.`);
    return USUAL_MOUNTS;
  }
  problems.push(...unknownFields(value, Object.keys(USUAL_MOUNTS), 'mounts.'));
  const read = (mount: Mount): string => readMount(mount, value[mount], problems);
  return { web: read('web'), funding: read('funding'), orders: read('orders'), product: read('product') };
}

function readMount(mount: Mount, value: unknown, problems: Problems): string {
  if (value === undefined) return USUAL_MOUNTS[mount];
  if (typeof value === 'string' && MOUNT_PATTERN.test(value)) return value;
  problems.push(
    `mounts.${mount} must be nothing or a path such as /v1/{env}, without a trailing slash, not ${describe(value)}.`,
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
