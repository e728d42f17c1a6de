import type { ChainedEntry, Link } from '#contract/desk/audit-chain.ts';
import type { AuditEnds } from '#contract/desk/access.ts';
import { limitTo, type Row, type Step } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { auditEntries, auditNotes } from '#server/store/tables.ts';
import { chain, GENESIS, type TimedEvent } from './chain.ts';

/** The oldest go beyond this: about 250 MB. */
const MOST_ENTRIES = 500_000;
/** So that not each entry drops one. */
const DROPPED_AT_ONCE = 1_000;

interface PageRequest {
  /** Of this person or token; null: of all. */
  readonly who: string | null;
  /** Null: of all kinds. */
  readonly kind: string | null;
  readonly before: number | null;
  readonly limit: number;
}

interface EntryPage {
  readonly entries: readonly ChainedEntry[];
  /** Of the last one on the page; null: there is none after it. */
  readonly next: number | null;
}

/** What is remembered of the log beside its entries, by name. */
type NoteName = 'anchor' | 'head' | 'settings' | 'run';

export interface AuditStore {
  readonly append: (events: readonly TimedEvent[]) => Promise<void>;
  /** The newest first. */
  readonly page: (request: PageRequest) => Promise<EntryPage>;
  /** The oldest first. */
  readonly after: (number: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** Before the oldest entry, and at the newest, as the last write left them. */
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
      // Only what is filtered by is compared, so that its index is used.
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

/** From the notes: entries that are missing at the end must not be taken for the end. */
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

/** The last entry that goes stays as the anchor, from which the chain can be checked. */
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
