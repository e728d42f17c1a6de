import { AUDIT_FORMAT, type AuditEnds, type AuditEntry } from '#contract/desk-access.ts';

/** Hexadecimal SHA-256 of a text. */
export type Hash = (text: string) => Promise<string>;

/** The first entry that does not follow from the one before it, the oldest first; null: each does. */
export async function findBreak(entries: readonly AuditEntry[], anchor: AuditEnds['anchor'], hash: Hash): Promise<AuditEntry | null> {
  let before = anchor;
  for (const entry of entries) {
    if (!(await follows(entry, before, hash))) return entry;
    before = entry;
  }
  return null;
}

async function follows(entry: AuditEntry, before: AuditEnds['anchor'], hash: Hash): Promise<boolean> {
  return entry.number === before.number + 1 && (await hash(`${before.hash}\n${JSON.stringify(toBody(entry))}`)) === entry.hash;
}

/** The fields in the order in which they are hashed. */
function toBody({ number, at, kind, who, name, address, detail, filter, rows }: AuditEntry): Omit<AuditEntry, 'hash'> {
  return { number, at, kind, who, name, address, detail, filter, rows };
}

/** A line about the chain and one for each entry, the oldest first, as `perpdesk audit check` reads them. */
export function toJsonLines(entries: readonly AuditEntry[], { anchor, head }: AuditEnds): string {
  const lines = [{ format: AUDIT_FORMAT, anchor, head }, ...entries.map((entry) => ({ ...toBody(entry), hash: entry.hash }))];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** By the browser; only pages from this machine or over TLS have it. */
export async function hashInBrowser(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
