import { unreadable } from './broken-answer.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header that may be there once: two different ones are two different answers. */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  if (new Set(value).size > 1) throw unreadable(`gives ${name} twice`);
  return value[0];
}

/** How long a cache on the way has held the answer; 0 where that is not said, or not in whole seconds (RFC 9111, 5.1). */
export function ageMsOf(headers: Headers): number {
  const age = hint(headers, 'age') ?? '';
  return /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0;
}

/** A header that can be done without: two of them say no more than none. */
export function hint(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
