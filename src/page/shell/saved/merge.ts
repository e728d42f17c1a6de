import { parseFields, toFields } from '#page/kit/stored-value.ts';

/** How two texts of which each was changed from a common one become one. */
export type Merge = (base: string, local: string, remote: string) => string;

type Entry = Readonly<Record<string, unknown>>;

interface ListForm {
  /** The field that has the entries, and the field of an entry that names it. */
  readonly field: string;
  readonly key: string;
  /** What becomes of an entry that both have changed. */
  readonly both: (local: Entry, remote: Entry, isTaken: (key: string) => boolean) => readonly Entry[];
  readonly order: (a: Entry, b: Entry) => number;
}

/** Both stay: the one of the desk under its name, the other one under another. */
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

/** One list with the products of both. */
const WATCHLISTS: ListForm = {
  field: 'lists',
  key: 'id',
  both: (local, remote) => [
    { ...remote, ...local, products: [...new Set([...toList(local['products']), ...toList(remote['products'])])] },
  ],
  order: () => 0,
};

const VERSION = 1;

export const mergeViews: Merge = createMerge(VIEWS);
export const mergeWatchlists: Merge = createMerge(WATCHLISTS);

/** An entry that only one has changed, added or deleted is as that one has it. What one has changed and the other deleted stays. */
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
