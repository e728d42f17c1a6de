import { splitList } from '#contract/parse/json-split.ts';
import { cutRows, fieldOf, withFields } from '#contract/parse/row-texts.ts';
import type { Topic } from '#contract/desk/topics.ts';
import { termOf } from './term-of.ts';

/** The rows of one topic as texts of JSON, and which of them changed. */
export interface RowBook {
  /** Null: the topic has no rows. */
  readonly rows: () => Iterable<string> | null;
  /** In place of all rows: a list without its brackets. */
  readonly replace: (list: string | null, isKeyed: boolean) => void;
  /** False where parts of the changes are missing. */
  readonly apply: (delta: ReadonlyMap<string, string>) => boolean;
  /** How many rows there are, if the topic has any, and their checksum. */
  readonly check: () => { readonly count: number | undefined; readonly sum: number };
  /** What changed since this was last called. */
  readonly takeChanges: () => RowChanges;
}

interface RowChanges {
  readonly isWhole: boolean;
  /** New and changed rows. */
  readonly changed: readonly string[];
  /** Texts of keys. */
  readonly gone: readonly string[];
}

export function createRowBook({ key, account }: Pick<Topic, 'key' | 'account'>): RowBook {
  /** By the text of the key; by position where two rows share a key. */
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
    // The changes of another account may have brought it back.
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
        // A stream that was resumed may repeat changes of a row that has gone since.
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
