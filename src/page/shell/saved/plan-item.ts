import { parseFields, toFields } from '#page/kit/stored-value.ts';
import type { SavedAtDesk } from '#page/kit/saved-record.ts';

interface ItemTexts {
  readonly name: string;
  /** The text in this browser; empty if there is none. */
  readonly local: string;
  /** The state on which browser and server last agreed; undefined if they never did. */
  readonly base: SavedAtDesk | undefined;
  /** The state on the server; undefined if nothing was ever saved. */
  readonly remote: SavedAtDesk | undefined;
}

const NEVER: SavedAtDesk = { version: 0, text: '' };

/**
 * Returns the text that browser and server should both have, or null if a later version of Perpdesk saved the item in
 * a form this page does not know.
 */
export function planItem({ name, local, base, remote = NEVER }: ItemTexts): string | null {
  if (!isKnown(remote.text)) return null;
  if (local === remote.text) return local;
  // A server that lost its data, for example after a restore, is treated as new.
  if (base === undefined || remote.version < base.version) return meet(name, local, remote);
  if (local === base.text) return remote.text;
  if (remote.version === base.version) return local;
  return local === '' || remote.text === ''
    ? local || remote.text
    : (mergeOf(name)?.(base.text, local, remote.text) ?? local);
}

/** Merges without a common base, so nothing counts as deleted. */
function meet(name: string, local: string, remote: SavedAtDesk): string {
  if (remote.text === '') return local;
  return local === '' ? remote.text : (mergeOf(name)?.('', local, remote.text) ?? remote.text);
}

function mergeOf(name: string): Merge | undefined {
  if (name === 'watchlists') return mergeWatchlists;
  if (name.endsWith('.drawings')) return mergeDrawings;
  return name.endsWith('.views') ? mergeViews : undefined;
}

function isKnown(text: string): boolean {
  return text === '' || parseFields(text, VERSION)['version'] === VERSION;
}

/** Merges two texts that were changed independently from a common base. */
type Merge = (base: string, local: string, remote: string) => string;

type Entry = Readonly<Record<string, unknown>>;

interface ListForm {
  /** The field that holds the entries, and the field of an entry that identifies it. */
  readonly field: string;
  readonly key: string;
  /** Resolves an entry that both sides have changed. */
  readonly both: (local: Entry, remote: Entry, isTaken: (key: string) => boolean) => readonly Entry[];
  readonly order: (a: Entry, b: Entry) => number;
}

/** Keeps both views: the server's under its name, the local one under a new name. */
const VIEWS: ListForm = {
  field: 'views',
  key: 'name',
  both: (local, remote, isTaken) => {
    let number = 2;
    while (isTaken(`${nameOf(local)} (${String(number)})`)) number += 1;
    return [remote, { ...local, name: `${nameOf(local)} (${String(number)})` }];
  },
  order: (a, b) => nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }),
};

/** Keeps one list with the products of both. */
const WATCHLISTS: ListForm = {
  field: 'lists',
  key: 'id',
  both: (local, remote) => [
    { ...remote, ...local, products: [...new Set([...toList(local['products']), ...toList(remote['products'])])] },
  ],
  order: () => 0,
};

/** Keeps the drawing as it was changed here, where the person is now. */
const DRAWINGS: ListForm = { field: 'drawings', key: 'id', both: (local) => [local], order: () => 0 };

const mergeDrawings: Merge = createMerge(DRAWINGS);
const mergeViews: Merge = createMerge(VIEWS);
const mergeWatchlists: Merge = createMerge(WATCHLISTS);

/**
 * Takes each entry from the side that added, changed or deleted it. An entry changed on one side and deleted on the
 * other stays.
 */
function createMerge({ field, key, both, order }: ListForm): Merge {
  return (base, local, remote) => {
    const [before, here, there] = [base, local, remote].map((text) => toEntries(text, field, key)) as [
      Entries,
      Entries,
      Entries,
    ];
    const isTaken = (name: string): boolean => here.has(name) || there.has(name);
    const merged = [...new Set([...there.keys(), ...here.keys()])].flatMap((name): readonly Entry[] => {
      const [was, mine, theirs] = [before.get(name), here.get(name), there.get(name)];
      if (isSame(mine, theirs) || isSame(mine, was)) return listOf(theirs);
      if (isSame(theirs, was)) return listOf(mine);
      return mine === undefined || theirs === undefined ? listOf(mine ?? theirs) : both(mine, theirs, isTaken);
    });
    return JSON.stringify({ ...toFields(JSON.parse(remote)), [field]: merged.toSorted(order) });
  };
}

type Entries = ReadonlyMap<string, Entry>;

function toEntries(text: string, field: string, key: string): Entries {
  const entries = toList(parseFields(text === '' ? null : text, VERSION)[field]).map(toFields);
  return new Map(entries.map((entry) => [String(entry[key]), entry]));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listOf(entry: Entry | undefined): readonly Entry[] {
  return entry === undefined ? [] : [entry];
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function nameOf({ name }: Entry): string {
  return String(name);
}

const VERSION = 1;
