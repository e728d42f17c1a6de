import { formatChecksum, joinFields, splitFields, splitList, toFieldText, toTerm } from '#contract/parse/json-split.ts';
import { cutAtList, cutRows, fieldOf, withFields } from '#contract/parse/row-texts.ts';
import type { TopicEventName } from '#contract/desk/live.ts';
import type { Topic } from '#contract/desk/topics.ts';

/** A copy of one topic as JSON text, kept up to date by the events of a stream. */
export interface TopicCopy {
  /** Null until the topic's first reading, and again after changes went missing. */
  readonly whole: () => { readonly text: string; readonly reading: TopicReading } | null;
  /** Applies an event. Returns the update that it completes, or null if more events must follow. */
  readonly apply: (name: TopicEventName, data: string) => TopicUpdate | null;
}

export type TopicUpdate =
  | { readonly kind: 'whole'; readonly reading: TopicReading }
  | { readonly kind: 'same'; readonly reading: TopicReading }
  /** `text` is a response with only the new and changed rows; `gone` lists keys as JSON text. */
  | { readonly kind: 'rows'; readonly text: string; readonly gone: readonly string[]; readonly reading: TopicReading }
  | { readonly kind: 'failed'; readonly problem: unknown }
  /** The data received differ from what was sent, so the whole topic is needed. */
  | { readonly kind: 'lost' };

/** When and where a topic was read, as stated by the event. */
export interface TopicReading {
  readonly answered_at?: string;
  readonly age_seconds?: number;
  readonly cache_status?: string;
  readonly venue_time: string | null;
  readonly every_seconds: number;
  readonly shared_by: number;
}

/** The size and checksum of the resulting topic. Older servers do not send them. */
interface Check {
  readonly row_count?: number;
  readonly checksum?: string;
}

export function createTopicCopy(topic: Pick<Topic, 'key' | 'account'>, rowsField: string | null): TopicCopy {
  const book = createRowCopy(topic);
  const fields = createFieldBook();
  let reading: TopicReading | null = null;
  /** Since the last snapshot. A server that sends checksums sends one with each reading. */
  let isChecked = false;

  const toText = (rows: Iterable<string> | null): string => {
    if (rows === null) return joinFields(fields.all());
    const list = `[${[...rows].join(',')}]`;
    return rowsField === null ? list : joinFields([...fields.all(), [rowsField, list]]);
  };

  const replace = (data: string): void => {
    const { fields: event, list } = cutAtList(data, 'rows');
    fields.clear();
    fields.put(splitFields(event.get('fields') ?? '{}'));
    book.replace(list, event.get('keyed') === 'true');
    isChecked = false;
  };

  const isAll = ({ row_count: count, checksum }: Check): boolean => {
    if (checksum === undefined) return !isChecked;
    isChecked = true;
    const rows = book.check();
    return count === rows.count && checksum === formatChecksum(rows.sum + fields.sum());
  };

  const finish = (data: string): TopicUpdate => {
    const changedFields = splitFields(splitFields(data).get('fields') ?? '{}');
    fields.put(changedFields);
    const read = JSON.parse(data) as TopicReading & Check;
    if (!isAll(read)) return LOST;
    reading = read;
    const { isWhole, changed, gone } = book.takeChanges();
    const isSame = changed.length === 0 && gone.length === 0 && changedFields.size === 0;
    if (isWhole || (book.rows() === null && !isSame)) return { kind: 'whole', reading };
    return isSame ? { kind: 'same', reading } : { kind: 'rows', text: toText(changed), gone, reading };
  };

  const take = (name: TopicEventName, data: string): TopicUpdate | null => {
    if (name === 'read') return finish(data);
    if (name === 'failed')
      return { kind: 'failed', problem: (JSON.parse(data) as { readonly problem?: unknown }).problem ?? null };
    if (name === 'delta') return book.apply(splitFields(data)) ? null : LOST;
    replace(data);
    return null;
  };

  return {
    whole: () => (reading === null ? null : { text: toText(book.rows()), reading }),
    apply: (name, data) => {
      const update = takeOrLose(() => take(name, data));
      if (update?.kind === 'lost') reading = null;
      return update;
    },
  };
}

/** Keeps the fields beside the rows, and their checksum. */
function createFieldBook() {
  const fields = new Map<string, string>();
  let sum = 0;
  return {
    all: (): Iterable<readonly [string, string]> => fields,
    sum: () => sum,
    clear: (): void => {
      fields.clear();
      sum = 0;
    },
    put: (changed: ReadonlyMap<string, string>): void => {
      for (const [name, text] of changed) {
        const old = fields.get(name);
        sum = (sum + termOf(toFieldText(name, text)) - (old === undefined ? 0 : termOf(toFieldText(name, old)))) | 0;
        fields.set(name, text);
      }
    },
  };
}

const LOST = { kind: 'lost' } as const;

/** Text that cannot be parsed was truncated in transit. */
function takeOrLose(take: () => TopicUpdate | null): TopicUpdate | null {
  try {
    return take();
  } catch {
    return LOST;
  }
}

/** The rows of one topic as JSON text, and which of them changed. */
interface RowCopy {
  /** Null if the topic has no rows. */
  readonly rows: () => Iterable<string> | null;
  /** Replaces all rows with those of a list without its brackets. */
  readonly replace: (list: string | null, isKeyed: boolean) => void;
  /** Returns false if parts of the changes are missing. */
  readonly apply: (delta: ReadonlyMap<string, string>) => boolean;
  /** Returns the number of rows, if the topic has any, and their checksum. */
  readonly check: () => { readonly count: number | undefined; readonly sum: number };
  /** Returns what changed since the last call. */
  readonly takeChanges: () => RowChanges;
}

interface RowChanges {
  readonly isWhole: boolean;
  /** New and changed rows. */
  readonly changed: readonly string[];
  /** Keys, as JSON text. */
  readonly gone: readonly string[];
}

function createRowCopy({ key, account }: Pick<Topic, 'key' | 'account'>): RowCopy {
  /** Rows by the text of their key; by position if two rows share a key. */
  let rows: Map<string, string> | null = null;
  let sum = 0;
  let isWhole = false;
  let changed = new Map<string, string>();
  let gone = new Set<string>();

  const put = (id: string, row: string): void => {
    const old = rows?.get(id);
    sum = (sum + termOf(row) - (old === undefined ? 0 : termOf(old))) | 0;
    rows?.set(id, row);
    changed.set(id, row);
    gone.delete(id);
  };

  const remove = (id: string, owner: string | undefined): void => {
    const row = rows?.get(id);
    // The changes of another account may have added it again.
    if (row === undefined || (account !== null && fieldOf(row, account) !== owner)) return;
    sum = (sum - termOf(row)) | 0;
    rows?.delete(id);
    changed.delete(id);
    gone.add(id);
  };

  return {
    rows: () => rows?.values() ?? null,
    replace: (list, isKeyed) => {
      rows = list === null ? null : toRows(list, isKeyed ? key : null);
      sum = 0;
      for (const row of rows?.values() ?? []) sum = (sum + termOf(row)) | 0;
      isWhole = true;
    },
    apply: (delta) => {
      for (const id of itemsOf(delta, 'gone')) remove(id, delta.get('account'));
      for (const row of itemsOf(delta, 'added')) put(fieldOf(row, key ?? '') ?? '', row);
      for (const pair of itemsOf(delta, 'set')) {
        const [id = '', fields = '{}'] = splitList(pair, 1);
        const old = rows?.get(id);
        // A resumed stream may repeat changes of a row that has been removed since.
        if (old !== undefined) put(id, withFields(old, fields));
      }
      return PARTS.every((part) => delta.get(part)?.endsWith(']'));
    },
    check: () => ({ count: rows?.size, sum }),
    takeChanges: () => {
      const changes = { isWhole, changed: [...changed.values()], gone: [...gone] };
      isWhole = false;
      changed = new Map();
      gone = new Set();
      return changes;
    },
  };
}

function toRows(list: string, key: string | null): Map<string, string> {
  const rows = new Map<string, string>();
  for (const row of list === '' ? [] : cutRows(list))
    rows.set((key === null ? undefined : fieldOf(row, key)) ?? String(rows.size), row);
  return rows;
}

const PARTS = ['set', 'added', 'gone'] as const;

function itemsOf(delta: ReadonlyMap<string, string>, field: string): readonly string[] {
  return splitList(delta.get(field) ?? '[]', 1);
}

const POLYNOMIAL = 0xedb8_8320;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * POLYNOMIAL);
  return crc;
});
const encoder = new TextEncoder();
/** Most texts fit into this buffer, so nothing is allocated for them. */
const shared = new Uint8Array(4_096);
const MOST_BYTES_OF_A_UNIT = 3;

/**
 * Returns what a row or a field contributes to its topic's checksum. Browsers offer no CRC-32.
 *
 * @internal Exported for its test.
 */
export function termOf(text: string): number {
  const bytes = text.length * MOST_BYTES_OF_A_UNIT > shared.length ? encoder.encode(text) : shared;
  const length = bytes === shared ? encoder.encodeInto(text, shared).written : bytes.length;
  let crc = -1;
  for (let index = 0; index < length; index++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0);
  return toTerm(~crc >>> 0);
}
