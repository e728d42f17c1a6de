import { unreadable } from './response-failures.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header that may occur once: two different values describe two different responses. */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  if (new Set(value).size > 1) throw unreadable(`has two different ${name} headers`);
  return value[0];
}

/** How long an intermediate cache has held the response; 0 without a valid `Age` (RFC 9111, 5.1). */
export function ageMsOf(headers: Headers): number {
  const age = optional(headers, 'age') ?? '';
  return /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0;
}

/** An optional header: two of them count as none. */
export function optional(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A date as HTTP writes it (RFC 9110, 5.6.7), in milliseconds since 1970. `Date.parse` alone accepts too much: a negative number is a year. */
export function parseHttpDate(text = ''): number | null {
  if (!IMF_FIXDATE.test(text)) return null;
  const at = Date.parse(text);
  // Neither the wrong weekday nor a 31st of February is corrected.
  return new Date(at).toUTCString() === text ? at : null;
}
