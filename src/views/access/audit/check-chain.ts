import type { AuditEntry } from '#contract/desk-access.ts';

/** Hexadecimal SHA-256 of a text. */
export type Hash = (text: string) => Promise<string>;

/** Before the first entry of all. */
const GENESIS = '0'.repeat(64);

/** The first entry that does not follow from the one before it, the oldest first; null: each does. */
export async function findBreak(entries: readonly AuditEntry[], hash: Hash): Promise<AuditEntry | null> {
  let before: AuditEntry | null = null;
  for (const entry of entries) {
    if (!(await follows(entry, before, hash))) return entry;
    before = entry;
  }
  return null;
}

/** What is older than the oldest entry that is kept cannot be checked, apart from the beginning itself. */
async function follows(entry: AuditEntry, before: AuditEntry | null, hash: Hash): Promise<boolean> {
  if (before !== null && entry.number !== before.number + 1) return false;
  const last = before?.hash ?? (entry.number === 1 ? GENESIS : null);
  return last === null || (await hash(`${last}\n${JSON.stringify(toBody(entry))}`)) === entry.hash;
}

/** The fields in the order in which they are hashed. */
function toBody({ number, at, kind, who, name, address, detail, filter, rows }: AuditEntry): Omit<AuditEntry, 'hash'> {
  return { number, at, kind, who, name, address, detail, filter, rows };
}

/** An entry a line, the oldest first, as `perpdesk audit check` reads them. */
export function toJsonLines(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify({ ...toBody(entry), hash: entry.hash })}\n`).join('');
}

/** By the browser; only pages from this machine or over TLS have it. */
export async function hashInBrowser(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
