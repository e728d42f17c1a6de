import { createHash } from 'node:crypto';
import { toHashed, type ChainedEntry, type Link } from '#contract/desk/audit-chain.ts';
import type { AUDIT_KINDS } from '#contract/desk/access.ts';

export type AuditKind = (typeof AUDIT_KINDS)[number];

export const LONGEST_FILTER = 2_000;

/** What was done, by whom and from where. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** Id of the person or token; empty if nobody was signed in. */
  readonly who: string;
  readonly name: string;
  readonly address: string;
  readonly detail: string;
  /** At most `LONGEST_FILTER` characters. */
  readonly filter?: string;
  readonly rows?: number | null;
}

/** Before the first entry. */
export const GENESIS: Link = { number: 0, hash: '0'.repeat(64) };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The fields in one order, so that equal entries are equal texts. */
function toBody(
  number: number,
  at: number,
  { kind, who, name, address, detail, filter = '', rows = null }: AuditEvent,
): string {
  return JSON.stringify({ number, at: new Date(at).toISOString(), kind, who, name, address, detail, filter, rows });
}

export interface TimedEvent {
  readonly at: number;
  readonly event: AuditEvent;
}

/** The entries of events, each chained to the one before. */
export function chain(end: Link, events: readonly TimedEvent[]): readonly ChainedEntry[] {
  const entries: ChainedEntry[] = [];
  let last = end;
  for (const { at, event } of events) {
    const number = last.number + 1;
    const body = toBody(number, at, event);
    const entry = { number, who: event.who, kind: event.kind, body, hash: sha256(toHashed(last, body)) };
    entries.push(entry);
    last = entry;
  }
  return entries;
}
