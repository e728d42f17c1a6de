import type { ChainedEntry } from '#contract/desk/audit-chain.ts';
import { AUDIT_FORMAT, type AuditEnds, type AuditEntry } from '#contract/desk/access.ts';

/** The fields in the order in which they are hashed. */
function toBody({ number, at, kind, who, name, address, detail, filter, rows }: AuditEntry): Omit<AuditEntry, 'hash'> {
  return { number, at, kind, who, name, address, detail, filter, rows };
}

export function toChained(entry: AuditEntry): ChainedEntry {
  const { number, who, kind, hash } = entry;
  return { number, who, kind, hash, body: JSON.stringify(toBody(entry)) };
}

/** A line about the chain and one for each entry, the oldest first, as `perpdesk audit check` reads them. */
export function toJsonLines(entries: readonly AuditEntry[], { anchor, head }: AuditEnds): string {
  const lines = [
    { format: AUDIT_FORMAT, anchor, head },
    ...entries.map((entry) => ({ ...toBody(entry), hash: entry.hash })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** By the browser; only pages from this machine or over TLS have it. */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
