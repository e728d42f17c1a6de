import { createHash } from 'node:crypto';
import { type ChainedEntry, type Link, toHashed } from '#contract/desk/audit-chain.ts';
import type { AUDIT_KINDS, AuditEnds } from '#contract/desk/access.ts';
import { limitTo, type Read, type ReadPlan, type Row, type Step, type WritePlan } from '#sql/driver.ts';
import { AUDIT_DEFAULTS, type AuditSettings } from '#server/core/audit-settings.ts';
import type { Store } from '#server/store/store.ts';
import { auditEntries, auditNotes } from '#server/store/tables.ts';

export type AuditKind = (typeof AUDIT_KINDS)[number];

export const LONGEST_FILTER = 2_000;
/** What is said of a sign-in that is refused without a look at the password or passkey. */
export const LOCKED_OUT = { detail: 'Too many failed attempts before this one.', isLockedOut: true } as const;

/** An action, its author and the address it came from. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** ID of the person or token; empty without a sign-in. */
  readonly who: string;
  readonly name: string;
  readonly address: string;
  readonly detail: string;
  /** Whether a sign-in was refused because of earlier attempts. Counted apart, but not stored. */
  readonly isLockedOut?: boolean;
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

/** One write drops at most this many entries, or twice as many as it adds: the next ones continue. */
const DROPPED_AT_ONCE = 100;
/** What an entry takes beside its body: hash, columns and indexes. */
const BYTES_BESIDE = 250;
const DAY_MS = 86_400_000;

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

/** What was so at the last start: of the only desk on the store, or of one by its name. */
type StartNote = 'settings' | 'run' | `${'settings' | 'run'} of ${string}`;

/** The notes that the log keeps beside its entries, by name. */
type NoteName = 'anchor' | 'head' | 'size' | StartNote;

/** The size of the log, about as on disk, and its limit. */
interface AuditUsage {
  readonly bytes: number;
  readonly maxBytes: number;
  /** When its oldest entry was written; null if it is empty. */
  readonly oldestAt: number | null;
}

export interface AuditStore {
  readonly append: (events: readonly TimedEvent[]) => Promise<void>;
  /** Returns entries, newest first. */
  readonly page: (request: PageRequest) => Promise<EntryPage>;
  /** Returns entries, oldest first. */
  readonly after: (number: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** Returns the link before the oldest entry and that of the newest, as of the last write. */
  readonly ends: () => Promise<AuditEnds>;
  readonly usage: () => Promise<AuditUsage>;
  readonly note: (name: StartNote) => Promise<string | null>;
  readonly putNote: (name: StartNote, body: string) => Promise<void>;
  /** Empties a note. Returns false if it no longer says this. */
  readonly clearNote: (name: StartNote, body: string) => Promise<boolean>;
  /** Returns the notes of runs that are not empty. */
  readonly runs: () => Promise<ReadonlyMap<string, string>>;
}

/** What the notes say of the chain: its ends, and its size unless the store is from before that was counted. */
interface Noted extends AuditEnds {
  readonly size: number | null;
}

/** `onStored` receives entries once they are stored. */
export function createAuditStore(
  { read, mustWrite }: Pick<Store, 'read' | 'mustWrite'>,
  { days, bytes: maxBytes }: AuditSettings = AUDIT_DEFAULTS,
  onStored: (entries: readonly ChainedEntry[]) => void = () => undefined,
): AuditStore {
  /** When the first entry after this anchor was written. */
  let oldest: { readonly anchor: number; readonly at: number } | null = null;
  const entriesOf = async (select: Read): Promise<readonly ChainedEntry[]> =>
    (await read((store) => store.read(select))).map(toEntry);
  const planOldest = function* (anchor: Link): ReadPlan<number | null> {
    if (oldest?.anchor === anchor.number) return oldest.at;
    const [row] = yield selectAfter(anchor.number, 1);
    if (row === undefined) return null;
    oldest = { anchor: anchor.number, at: instantOf(toEntry(row)) };
    return oldest.at;
  };
  const planAppend = function* (events: readonly TimedEvent[]): WritePlan<readonly ChainedEntry[]> {
    // From here on, another desk that appends waits for this one, and then goes on from its last entry.
    yield LOCK_HEAD;
    const { anchor, head, size: noted } = toNoted(yield READ_NOTED);
    const entries = chain(head, events);
    const size = (noted ?? toSize(yield SUM_SIZES)) + sumOf(entries, sizeOf);
    const oldestWanted = (events.at(-1)?.at ?? 0) - days * DAY_MS;
    const isDue = size > maxBytes || ((yield* planOldest(anchor)) ?? Infinity) < oldestWanted;
    const limits = { size, maxBytes, oldestWanted, most: Math.max(DROPPED_AT_ONCE, 2 * events.length) };
    const dropped = isDue ? findDropped(yield selectAfter(anchor.number, limits.most), limits) : [];
    yield {
      table: auditEntries,
      rows: entries.map(({ number, who, kind, body, hash }) => [number, who, kind, body, hash]),
    };
    yield putNote('head', toLinkText(entries.at(-1) ?? head));
    yield putNote('size', String(size - sumOf(dropped, sizeOf)));
    for (const step of toDrops(dropped.at(-1))) yield step;
    return entries;
  };
  return {
    append: async (events) => {
      onStored(await mustWrite(({ transact }) => transact(() => planAppend(events))));
    },
    usage: () =>
      read(({ readTogether }) =>
        readTogether(
          (function* () {
            const { anchor, size } = toNoted(yield READ_NOTED);
            return { bytes: size ?? toSize(yield SUM_SIZES), maxBytes, oldestAt: yield* planOldest(anchor) };
          })(),
        ),
      ),
    page: async ({ before, limit, ...filters }) => {
      // Compares only filtered columns, so that their index is used.
      const chosen = Object.entries(filters).flatMap(([column, value]) =>
        value === null ? [] : [[column, value] as const],
      );
      const conditions = ['number < $1', ...chosen.map(([column], index) => `${column} = $${String(index + 2)}`)].join(
        ' AND ',
      );
      const found = await entriesOf(
        toSelect(
          ['audit page', ...chosen.map(([column]) => column)].join(' '),
          `${conditions} ORDER BY number DESC ${limitTo(chosen.length + 2)}`,
          [before ?? Number.MAX_SAFE_INTEGER, ...chosen.map(([, value]) => value), limit + 1],
        ),
      );
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.number ?? null) : null };
    },
    after: (number, limit) => entriesOf(selectAfter(number, limit)),
    ends: () =>
      read(async (store) => {
        const { anchor, head } = toNoted(await store.read(READ_NOTED));
        return { anchor, head };
      }),
    note: async (name) => {
      const [row] = await read((store) =>
        store.read({ name: 'audit note', sql: 'SELECT body FROM audit_note WHERE name = $1', values: [name] }),
      );
      return row === undefined ? null : String(row[0]);
    },
    putNote: (name, body) => mustWrite((store) => store.writeThrough([putNote(name, body)])),
    clearNote: (name, body) =>
      mustWrite(({ transact }) =>
        transact(function* () {
          const sql = "UPDATE audit_note SET body = '' WHERE name = $1 AND body = $2 RETURNING name";
          return (yield { name: 'clear audit note', sql, values: [name, body] }).length > 0;
        }),
      ),
    runs: async () => {
      const sql = "SELECT name, body FROM audit_note WHERE (name = 'run' OR name LIKE 'run of %') AND body <> ''";
      const rows = await read((store) => store.read({ name: 'audit runs', sql, values: [] }));
      return new Map(rows.map(([name, body]) => [String(name), String(body)]));
    },
  };
}

/** Reads the ends from notes, since otherwise removing the latest entries would go unnoticed. */
const READ_NOTED: Read = {
  name: 'audit ends',
  sql: "SELECT name, body FROM audit_note WHERE name IN ('anchor', 'head', 'size')",
  values: [],
};

function toNoted(rows: readonly Row[]): Noted {
  const notes = new Map(rows.map(([name, body]) => [String(name), String(body)]));
  const size = notes.get('size');
  return {
    anchor: toLink(notes.get('anchor')),
    head: toLink(notes.get('head')),
    size: size === undefined ? null : Number(size),
  };
}

function toLink(text: string | undefined): Link {
  return text === undefined ? GENESIS : (JSON.parse(text) as Link);
}

function toLinkText({ number, hash }: Link): string {
  return JSON.stringify({ number, hash });
}

function putNote(name: NoteName, body: string): Step {
  return { table: auditNotes, rows: [[name, body]] };
}

/** Creates the note if there is none, since the first entries have no head to wait for. */
const LOCK_HEAD: Step = {
  name: 'lock audit head',
  sql: `INSERT INTO audit_note (name, body) VALUES ('head', $1) ON CONFLICT (name) DO UPDATE SET body = audit_note.body`,
  values: [toLinkText(GENESIS)],
};

const SUM_SIZES: Read = {
  name: 'audit size',
  sql: `SELECT COALESCE(SUM(octet_length(body) + ${String(BYTES_BESIDE)}), 0) FROM audit_entry`,
  values: [],
};

function toSize([row]: readonly Row[]): number {
  return Number(row?.[0] ?? 0);
}

function sizeOf({ body }: ChainedEntry): number {
  return Buffer.byteLength(body) + BYTES_BESIDE;
}

function sumOf(entries: readonly ChainedEntry[], measure: (entry: ChainedEntry) => number): number {
  return entries.reduce((sum, entry) => sum + measure(entry), 0);
}

function instantOf({ body }: ChainedEntry): number {
  return Date.parse((JSON.parse(body) as { readonly at: string }).at);
}

/** Returns the oldest entries that are too old, or in the way of newer ones. */
function findDropped(
  oldest: readonly Row[],
  { size, maxBytes, oldestWanted }: Readonly<Record<'size' | 'maxBytes' | 'oldestWanted', number>>,
): readonly ChainedEntry[] {
  let left = size;
  const dropped: ChainedEntry[] = [];
  for (const entry of oldest.map(toEntry)) {
    if (left <= maxBytes && instantOf(entry) >= oldestWanted) break;
    left -= sizeOf(entry);
    dropped.push(entry);
  }
  return dropped;
}

function selectAfter(number: number, limit: number): Read {
  return toSelect('audit after', `number > $1 ORDER BY number ${limitTo(2)}`, [number, limit]);
}

function toSelect(name: string, where: string, values: readonly (string | number)[]) {
  return { name, sql: `SELECT number, who, kind, body, hash FROM audit_entry WHERE ${where}`, values };
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
