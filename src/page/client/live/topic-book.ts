import { formatChecksum, toFieldText } from '#contract/parse/checksum.ts';
import { joinFields, splitFields } from '#contract/parse/json-split.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import type { LiveEventName } from '#contract/desk/live.ts';
import type { Topic } from '#contract/desk/topics.ts';
import { createRowBook } from './row-book.ts';
import { termOf } from './term-of.ts';

/** What is known of one topic, as texts of JSON, kept up to date by the events of a stream. */
export interface TopicBook {
  /** Null until the topic was read for the first time, and again once its place is lost. */
  readonly whole: () => { readonly text: string; readonly reading: TopicReading } | null;
  /** What an event completes: null for one that others must follow. */
  readonly apply: (name: Exclude<LiveEventName, 'renew'>, data: string) => TopicUpdate | null;
}

export type TopicUpdate =
  | { readonly kind: 'whole'; readonly reading: TopicReading }
  | { readonly kind: 'same'; readonly reading: TopicReading }
  /** `text` is a response with the new and changed rows only; `gone` are texts of keys. */
  | { readonly kind: 'rows'; readonly text: string; readonly gone: readonly string[]; readonly reading: TopicReading }
  | { readonly kind: 'failed'; readonly problem: unknown }
  /** What was received is not what was sent: only the whole topic helps. */
  | { readonly kind: 'lost' };

/** Where and when a topic was read, as the event says. */
export interface TopicReading {
  readonly answered_at?: string;
  readonly age_seconds?: number;
  readonly cache_status?: string;
  readonly venue_time: string | null;
  readonly every_seconds: number;
  readonly shared_by: number;
}

/** What the topic then is. Desks of earlier versions do not say it. */
interface Check {
  readonly row_count?: number;
  readonly checksum?: string;
}

export function createTopicBook(topic: Pick<Topic, 'key' | 'account'>, rowsField: string | null): TopicBook {
  const book = createRowBook(topic);
  const fields = createFieldBook();
  let reading: TopicReading | null = null;
  /** Since the last snapshot. A desk that says what the topic is says it with each reading. */
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

  const take = (name: Exclude<LiveEventName, 'renew'>, data: string): TopicUpdate | null => {
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

/** The fields beside the rows, and their checksum. */
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

/** What cannot be read was cut off on its way. */
function takeOrLose(take: () => TopicUpdate | null): TopicUpdate | null {
  try {
    return take();
  } catch {
    return LOST;
  }
}
