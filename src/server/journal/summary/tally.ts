import { itemAt, numberAt } from '../segment/content.ts';
import { createTrie } from '../segment/create-trie.ts';
import { addLife, type Lives } from './life-scale.ts';
import { AMOUNT_PLACES, LIVES_COLUMN, type SummaryColumns } from './summary-columns.ts';
import { AT, FIGURES, MINUTE_MS } from './summary.ts';
import { maySee, type Scope } from '#server/core/viewer.ts';
import { OWNER_PLACES, type TraitTest } from './traits.ts';

export interface Group {
  /** Those that it is grouped by. */
  readonly traits: readonly string[];
  readonly figures: Float64Array;
  readonly lives: Lives;
}

/** Changes of a while, by their kind. Orders that have been listed again since were not gone. */
interface Bucket {
  seen: number;
  changed: number;
  gone: number;
  ended: number;
  returned: number;
}

export interface TallyRequest {
  /** In epoch milliseconds, whole minutes; `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** Places of traits. */
  readonly by: readonly number[];
  /** All of them must be passed. */
  readonly tests: readonly TraitTest[];
  /** Orders of others are not counted. */
  readonly scope: Scope;
}

export interface Tally {
  /** Those with changes, by the instant at which they begin. */
  readonly buckets: ReadonlyMap<number, Readonly<Bucket>>;
  readonly groups: readonly Group[];
}

const KINDS = {
  seen: [AT.found, AT.placed],
  changed: [AT.changed],
  gone: [AT.gone],
  ended: [AT.ended],
  returned: [AT.returned],
} as const;

/** Adds up summaries. */
export function createTally({ from, to, bucketMs, by, tests, scope }: TallyRequest) {
  const groups: Group[] = [];
  const buckets = new Map<number, Bucket>();
  const [first, end] = [from / MINUTE_MS, to / MINUTE_MS];
  const known = createTrie<string, Group>();
  const groupOf = (traits: readonly string[]): Group =>
    known(traits, () => {
      const group = { traits, figures: new Float64Array(FIGURES.length), lives: new Map() };
      groups.push(group);
      return group;
    });
  const bucketOf = (minute: number): Bucket => {
    const start = Math.floor((minute * MINUTE_MS) / bucketMs) * bucketMs;
    const bucket = buckets.get(start) ?? { seen: 0, changed: 0, gone: 0, ended: 0, returned: 0 };
    buckets.set(start, bucket);
    return bucket;
  };
  return {
    add: (columns: SummaryColumns): void => {
      const groupsOfCombinations = toGroups(columns, { by, tests, scope, groupOf });
      const spans = toMinutes(columns).filter(({ minute }) => minute >= first && minute < end);
      const isWanted = Float64Array.from(groupsOfCombinations, (group) => Number(group !== null));
      for (const { minute, start, stop } of spans) addToBucket(bucketOf(minute), columns, isWanted, { start, stop });
      const [start, stop] = [spans[0]?.start ?? 0, spans.at(-1)?.stop ?? 0];
      addToGroups(groupsOfCombinations, columns, { start, stop });
    },
    result: (): Tally => ({
      buckets: withChanges(buckets),
      groups: groups.filter((group) => group.figures.some((value) => value > 0)),
    }),
  };
}

type Grouping = Pick<TallyRequest, 'by' | 'tests' | 'scope'> & {
  readonly groupOf: (traits: readonly string[]) => Group;
};

/** The group of each combination; null where it does not pass. A value is tested once, not with each combination that has it. */
function toGroups({ traits }: SummaryColumns, { by, tests, scope, groupOf }: Grouping): readonly (Group | null)[] {
  const isVisible = toVisibility(traits, scope);
  const passes = tests.map(({ place, matches }) => ({
    ...itemAt(traits, place),
    isPassed: itemAt(traits, place).values.map(matches),
  }));
  const own = by.map((place) => itemAt(traits, place));
  return Array.from(itemAt(traits, 0).places, (_, at) => {
    if (!passes.every(({ places, isPassed }) => isPassed[numberAt(places, at)] === true) || !isVisible(at)) return null;
    return groupOf(own.map(({ values, places }) => itemAt(values, numberAt(places, at))));
  });
}

/** Whether a combination is of orders that may be seen. */
function toVisibility(traits: SummaryColumns['traits'], scope: Scope): (at: number) => boolean {
  if (scope === 'all') return () => true;
  const textAt = (place: number) => {
    const { values, places } = itemAt(traits, place);
    return (at: number): string => itemAt(values, numberAt(places, at));
  };
  const [account, firm, connection] = [
    textAt(OWNER_PLACES.account),
    textAt(OWNER_PLACES.firm),
    textAt(OWNER_PLACES.connection),
  ];
  return (at) => maySee(scope, { account: account(at), firm: firm(at), connection: connection(at).toLowerCase() });
}

interface Span {
  readonly start: number;
  readonly stop: number;
}

function toMinutes({ minutes, cellCounts }: SummaryColumns): readonly (Span & { readonly minute: number })[] {
  let stop = 0;
  return Array.from(minutes, (minute, at) => {
    const start = stop;
    stop += numberAt(cellCounts, at);
    return { minute, start, stop };
  });
}

/** Column by column: one after another, they are read fastest. */
function addToGroups(groups: readonly (Group | null)[], columns: SummaryColumns, span: Span): void {
  for (const at of FIGURES.keys()) {
    const column = itemAt(columns.patternColumns, at);
    if (column.every((value) => value === 0)) continue;
    const amounts = columns.amounts[AMOUNT_PLACES.indexOf(at)];
    const sums =
      amounts === undefined
        ? sumCounts(columns, column, groups.length, span)
        : sumAmounts(columns, { column, amounts }, groups.length, span);
    for (const [place, group] of groups.entries())
      if (group !== null) group.figures[at] = numberAt(group.figures, at) + numberAt(sums, place);
  }
  addLives(groups, columns, span);
}

function sumCounts(
  { combinations, patterns }: SummaryColumns,
  column: Float64Array,
  length: number,
  { start, stop }: Span,
): Float64Array {
  const sums = new Float64Array(length);
  for (let cell = start; cell < stop; cell++) {
    const place = numberAt(combinations, cell);
    sums[place] = numberAt(sums, place) + numberAt(column, numberAt(patterns, cell));
  }
  return sums;
}

interface Amounts {
  /** Whether cells of each pattern have one. */
  readonly column: Float64Array;
  readonly amounts: Float64Array;
}

function sumAmounts(
  { combinations, patterns }: SummaryColumns,
  { column, amounts }: Amounts,
  length: number,
  { start, stop }: Span,
): Float64Array {
  const sums = new Float64Array(length);
  let next = 0;
  for (let cell = 0; cell < stop; cell++) {
    if (numberAt(column, numberAt(patterns, cell)) === 0) continue;
    const amount = numberAt(amounts, next++);
    if (cell < start) continue;
    const place = numberAt(combinations, cell);
    sums[place] = numberAt(sums, place) + amount;
  }
  return sums;
}

function addLives(
  groups: readonly (Group | null)[],
  { combinations, patterns, patternColumns, lives }: SummaryColumns,
  { start, stop }: Span,
): void {
  const counts = itemAt(patternColumns, LIVES_COLUMN);
  let life = 0;
  for (let cell = 0; cell < stop; cell++) {
    const end = life + numberAt(counts, numberAt(patterns, cell));
    const group = cell < start ? null : itemAt(groups, numberAt(combinations, cell));
    for (; life < end; life++) if (group !== null) addLife(group.lives, numberAt(lives, life));
  }
}

function addToBucket(
  bucket: Bucket,
  { combinations, patterns, patternColumns }: SummaryColumns,
  isWanted: Float64Array,
  { start, stop }: Span,
): void {
  const count = (at: number): number => {
    const column = itemAt(patternColumns, at);
    if (column.every((value) => value === 0)) return 0;
    let sum = 0;
    for (let cell = start; cell < stop; cell++)
      if (numberAt(isWanted, numberAt(combinations, cell)) === 1) sum += numberAt(column, numberAt(patterns, cell));
    return sum;
  };
  for (const kind of ['seen', 'changed', 'gone', 'ended', 'returned'] as const)
    for (const at of KINDS[kind]) bucket[kind] += count(at);
  bucket.gone -= count(AT.takenBack);
}

/** A cell may have outcomes only, which were recorded later. */
function withChanges(buckets: ReadonlyMap<number, Bucket>): ReadonlyMap<number, Bucket> {
  return new Map(
    [...buckets].filter(([, bucket]) => Object.values(bucket).some((count) => count !== 0)).sort(([a], [b]) => a - b),
  );
}
