import { type ChainedEntry, type ChainResult, checkChain, findAdded } from '#contract/desk/audit-chain.ts';
import {
  type ACCESS_ENDPOINTS,
  AUDIT_FORMAT,
  type AuditEnds,
  type AuditEntry,
  type DeskAudit,
} from '#contract/desk/access.ts';
import type { DeskCalls } from '#page/client/create-api.ts';
import type { Cursor } from '#contract/exchange/paging.ts';

/** Lists the fields in the order in which they are hashed. */
function toBody({ number, at, kind, who, name, address, detail, filter, rows }: AuditEntry): Omit<AuditEntry, 'hash'> {
  return { number, at, kind, who, name, address, detail, filter, rows };
}

function toChained(entry: AuditEntry): ChainedEntry {
  const { number, who, kind, hash } = entry;
  return { number, who, kind, hash, body: JSON.stringify(toBody(entry)) };
}

/**
 * Writes a line about the chain and one for each entry, oldest first, in the format that `perpdesk audit check` reads.
 */
export function toJsonLines(entries: readonly AuditEntry[], { anchor, head }: AuditEnds): string {
  const lines = [
    { format: AUDIT_FORMAT, anchor, head },
    ...entries.map((entry) => ({ ...toBody(entry), hash: entry.hash })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * Hashes in the browser, which offers this only to pages from this machine or over TLS.
 *
 * @internal Exported for its test.
 */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const LARGEST_PAGE = 1_000;

/** All entries as of one moment, oldest first. */
export interface WholeLog extends AuditEnds, Pick<ChainResult, 'problem' | 'uncleanStops'> {
  readonly entries: readonly AuditEntry[];
}

/** Reads the whole log, newest entries first, and checks its chain as `perpdesk audit check` does. */
export async function readLog(
  { audit }: Pick<DeskCalls<typeof ACCESS_ENDPOINTS>, 'audit'>,
  onRead: (count: number) => void,
): Promise<WholeLog> {
  const { value: newest } = await audit({ limit: LARGEST_PAGE });
  const found = [...newest.entries];
  onRead(found.length);
  let oldest: DeskAudit = newest;
  for (let cursor = cursorOf(oldest); cursor !== null; cursor = cursorOf(oldest)) {
    oldest = (await audit({ limit: LARGEST_PAGE, cursor })).value;
    found.push(...oldest.entries);
    onRead(found.length);
  }
  // Entries written after the first page, or dropped before the last one, are left out.
  const { head } = newest;
  const { anchor } = oldest;
  const entries = found.filter(({ number }) => number > anchor.number && number <= head.number).toReversed();
  const { problem, uncleanStops } = await checkChain({ anchor, head }, entries.map(toChained), sha256);
  return { anchor, head, entries, problem: problem ?? (await findAddition(newest)), uncleanStops };

  async function findAddition({ entries: [last] }: DeskAudit): Promise<string | null> {
    return last === undefined || last.number <= head.number
      ? null
      : findAdded(last, (await audit({ limit: 1 })).value.head);
  }
}

function cursorOf({ pagination: { cursor } }: DeskAudit): Cursor | null {
  return cursor === undefined || cursor === '' ? null : cursor;
}
