import { createHash } from 'node:crypto';
import { type ChainedEntry, type Link, toHashed } from '#contract/desk/audit-chain.ts';
import type { AUDIT_KINDS, AuditEnds } from '#contract/desk/access.ts';
import { limitTo, type Row, type Step } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { auditEntries, auditNotes } from '#server/store/tables.ts';

export type AuditKind = (typeof AUDIT_KINDS)[number];

export const LONGEST_FILTER = 2_000;

/** An action, its author and the address it came from. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** ID of the person or token; empty without a sign-in. */
  readonly who: string;
  readonly name: string;
  readonly address: string;
  readonly detail: string;
  /** At most `LONGEST_FILTER` characters. */
  readonly filter?: string;
  readonly rows?: number | null;
}

/**
 * The link before the first entry.
 *
 * @internal Exported for its test.
 */
export const GENESIS: Link = { number: 0, hash: '0'.repeat(64) };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Fixes the order of the fields, so that equal entries have equal texts. */
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

/**
 * Returns the entries of events, each chained to the previous one.
 *
 * @internal Exported for its test.
 */
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

/** The oldest entries beyond this number are dropped. This many take about 250 MB. */
const MOST_ENTRIES = 500_000;
/** Entries are dropped in batches, not with every write. */
const DROPPED_AT_ONCE = 1_000;

interface PageRequest {
  /** The person or token to filter by; null for all. */
  readonly who: string | null;
  /** Null for all kinds. */
  readonly kind: string | null;
  readonly before: number | null;
  readonly limit: number;
}

interface EntryPage {
  readonly entries: readonly ChainedEntry[];
  /** The number of the last entry on the page; null if no entry follows. */
  readonly next: number | null;
}

/** The notes that the log keeps beside its entries, by name. */
type NoteName = 'anchor' | 'head' | 'settings' | 'run';

export interface AuditStore {
  readonly append: (events: readonly TimedEvent[]) => Promise<void>;
  /** Returns entries, newest first. */
  readonly page: (request: PageRequest) => Promise<EntryPage>;
  /** Returns entries, oldest first. */
  readonly after: (number: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** Returns the link before the oldest entry and that of the newest, as of the last write. */
  readonly ends: () => Promise<AuditEnds>;
  readonly note: (name: 'settings' | 'run') => Promise<string | null>;
  readonly putNote: (name: 'settings' | 'run', body: string) => Promise<void>;
}

export function createAuditStore(
  { read, mustWrite }: Pick<Store, 'read' | 'mustWrite'>,
  mostEntries = MOST_ENTRIES,
): AuditStore {
  const entriesOf = async (
    name: string,
    sql: string,
    values: readonly (string | number)[],
  ): Promise<readonly ChainedEntry[]> =>
    (
      await read((store) =>
        store.read({ name, sql: `SELECT number, who, kind, body, hash FROM audit_entry WHERE ${sql}`, values }),
      )
    ).map(toEntry);
  return {
    append: (events) =>
      mustWrite(async (store) => {
        const { anchor, head } = await readEnds(store);
        const entries = chain(head, events);
        const end = entries.at(-1) ?? head;
        const drops =
          end.number - anchor.number > mostEntries + DROPPED_AT_ONCE
            ? toDrops(await findEntry(store, entries, end.number - mostEntries))
            : [];
        await store.writeThrough([
          {
            table: auditEntries,
            rows: entries.map(({ number, who, kind, body, hash }) => [number, who, kind, body, hash]),
          },
          putNote('head', toLinkText(end)),
          ...drops,
        ]);
      }),
    page: async ({ before, limit, ...filters }) => {
      // Compares only filtered columns, so that their index is used.
      const chosen = Object.entries(filters).flatMap(([column, value]) =>
        value === null ? [] : [[column, value] as const],
      );
      const conditions = ['number < $1', ...chosen.map(([column], index) => `${column} = $${String(index + 2)}`)].join(
        ' AND ',
      );
      const found = await entriesOf(
        ['audit page', ...chosen.map(([column]) => column)].join(' '),
        `${conditions} ORDER BY number DESC ${limitTo(chosen.length + 2)}`,
        [before ?? Number.MAX_SAFE_INTEGER, ...chosen.map(([, value]) => value), limit + 1],
      );
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.number ?? null) : null };
    },
    after: (number, limit) => entriesOf('audit after', `number > $1 ORDER BY number ${limitTo(2)}`, [number, limit]),
    ends: () => read(readEnds),
    note: (name) => read((store) => readNote(store, name)),
    putNote: (name, body) => mustWrite((store) => store.writeThrough([putNote(name, body)])),
  };
}

type ReadOne = Pick<Parameters<Parameters<Store['read']>[0]>[0], 'read'>;

async function readNote({ read }: ReadOne, name: NoteName): Promise<string | null> {
  const [row] = await read({ name: 'audit note', sql: 'SELECT body FROM audit_note WHERE name = $1', values: [name] });
  return row === undefined ? null : String(row[0]);
}

/** Reads the ends from notes, since otherwise removing the latest entries would go unnoticed. */
async function readEnds(store: ReadOne): Promise<AuditEnds> {
  const [anchor, head] = [await readNote(store, 'anchor'), await readNote(store, 'head')];
  return { anchor: toLink(anchor), head: toLink(head) };
}

function toLink(text: string | null): Link {
  return text === null ? GENESIS : (JSON.parse(text) as Link);
}

function toLinkText({ number, hash }: Link): string {
  return JSON.stringify({ number, hash });
}

function putNote(name: NoteName, body: string): Step {
  return { table: auditNotes, rows: [[name, body]] };
}

async function findEntry(
  { read }: ReadOne,
  written: readonly ChainedEntry[],
  number: number,
): Promise<ChainedEntry | undefined> {
  const [row] = await read({
    name: 'audit anchor',
    sql: 'SELECT number, who, kind, body, hash FROM audit_entry WHERE number = $1',
    values: [number],
  });
  return row === undefined ? written.find((entry) => entry.number === number) : toEntry(row);
}

/** The last dropped entry remains as the anchor from which the chain is checked. */
function toDrops(last: ChainedEntry | undefined): readonly Step[] {
  if (last === undefined) return [];
  return [
    putNote('anchor', toLinkText(last)),
    { name: 'drop old audit entries', sql: 'DELETE FROM audit_entry WHERE number <= $1', values: [last.number] },
  ];
}

function toEntry([number, who, kind, body, hash]: Row): ChainedEntry {
  return { number: Number(number), who: String(who), kind: String(kind), body: String(body), hash: String(hash) };
}
