import type { ChainedEntry, Link } from '#contract/desk/audit-chain.ts';
import { AUDIT_FORMAT, type AuditEnds } from '#contract/desk/access.ts';

/** The log as a file: a line of JSON that says where the chain begins and ends, and one for each entry, the oldest first. */
export function toHeadLine({ anchor, head }: AuditEnds): string {
  return JSON.stringify({ format: AUDIT_FORMAT, anchor, head });
}

/** The fields of the entry, then its hash. */
export function toLine({ body, hash }: ChainedEntry): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), hash });
}

/** Null: it is not the first line of such a file. */
export function parseHeadLine(line: string): AuditEnds | null {
  const { format, anchor, head } = (parseObject(line) ?? {}) as {
    readonly format?: unknown;
    readonly anchor?: unknown;
    readonly head?: unknown;
  };
  return format === AUDIT_FORMAT && isLink(anchor) && isLink(head) ? { anchor, head } : null;
}

/** Null: it is not an entry. */
export function parseLine(line: string): ChainedEntry | null {
  const parsed = parseObject(line);
  if (parsed === null) return null;
  const { hash, ...fields } = parsed;
  const { number, who, kind } = fields;
  if (typeof hash !== 'string' || typeof number !== 'number' || typeof who !== 'string' || typeof kind !== 'string')
    return null;
  return { number, who, kind, body: JSON.stringify(fields), hash };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false;
  const { number, hash } = value as { readonly number?: unknown; readonly hash?: unknown };
  return typeof number === 'number' && typeof hash === 'string';
}
