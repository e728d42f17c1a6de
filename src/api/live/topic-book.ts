import { joinFields, splitFields } from '#contract/parsing/json-split.ts';
import { cutAtList } from '#contract/parsing/row-texts.ts';
import type { LiveEventName } from '#contract/live.ts';
import type { Topic } from '#contract/topics.ts';
import { createRowBook } from './row-book.ts';

/** What is known of one topic, as texts of JSON, kept up to date by the events of a stream. */
export interface TopicBook {
  /** Null until the topic was read for the first time. */
  readonly whole: () => { readonly text: string; readonly reading: TopicReading } | null;
  /** What an event completes: null for one that others must follow. */
  readonly apply: (name: Exclude<LiveEventName, 'renew'>, data: string) => TopicUpdate | null;
}

export type TopicUpdate =
  | { readonly kind: 'whole'; readonly reading: TopicReading }
  | { readonly kind: 'same'; readonly reading: TopicReading }
  /** `text` is a response with the new and changed rows only; `gone` are texts of keys. */
  | { readonly kind: 'rows'; readonly text: string; readonly gone: readonly string[]; readonly reading: TopicReading }
  | { readonly kind: 'failed'; readonly problem: unknown };

/** Where and when a topic was read, as the event says. */
export interface TopicReading {
  readonly answered_at?: string;
  readonly age_seconds?: number;
  readonly cache_status?: string;
  readonly venue_time: string | null;
  readonly every_seconds: number;
  readonly shared_by: number;
}

export function createTopicBook(topic: Pick<Topic, 'key' | 'account'>, rowsField: string | null): TopicBook {
  const book = createRowBook(topic);
  let fields: ReadonlyMap<string, string> = new Map();
  let reading: TopicReading | null = null;

  const toText = (rows: Iterable<string> | null): string => {
    if (rows === null) return joinFields(fields);
    const list = `[${[...rows].join(',')}]`;
    return rowsField === null ? list : joinFields([...fields, [rowsField, list]]);
  };

  const replace = (data: string): void => {
    const { fields: event, list } = cutAtList(data, 'rows');
    fields = splitFields(event.get('fields') ?? '{}');
    book.replace(list, event.get('keyed') === 'true');
  };

  const finish = (data: string): TopicUpdate => {
    const changedFields = splitFields(splitFields(data).get('fields') ?? '{}');
    fields = new Map([...fields, ...changedFields]);
    reading = JSON.parse(data) as TopicReading;
    const { isWhole, changed, gone } = book.takeChanges();
    const isSame = changed.length === 0 && gone.length === 0 && changedFields.size === 0;
    if (isWhole || (book.rows() === null && !isSame)) return { kind: 'whole', reading };
    return isSame ? { kind: 'same', reading } : { kind: 'rows', text: toText(changed), gone, reading };
  };

  return {
    whole: () => (reading === null ? null : { text: toText(book.rows()), reading }),
    apply: (name, data) => {
      if (name === 'read') return finish(data);
      if (name === 'failed') return { kind: 'failed', problem: JSON.parse(splitFields(data).get('problem') ?? 'null') as unknown };
      if (name === 'snapshot') replace(data);
      else book.apply(splitFields(data));
      return null;
    },
  };
}
