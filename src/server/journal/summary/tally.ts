import { createTrie } from '#server/core/maps.ts';
import { maySee, type Scope } from '#server/core/viewer.ts';
import { itemAt, numberAt } from '../segment/content.ts';
import { addLife, AT, FIGURES, type Lives, MINUTE_MS, OWNER_PLACES, type TraitTest } from './summary.ts';
import { AMOUNT_PLACES, LIVES_COLUMN, type SummaryColumns } from './summary-columns.ts';

export interface TallyGroup {
  /** The values that it is grouped by. */
  readonly traits: readonly string[];
  readonly figures: Float64Array;
  readonly lives: Lives;
}

/** The number of changes in a time span, by kind. Orders that have been listed again since do not count as gone. */
interface Bucket {
  /** Without those that the journal found at its first reading. */
  seen: number;
  changed: number;
  gone: number;
  ended: number;
  returned: number;
  passed: number;
  found: number;
}

export interface TallyRequest {
  /** In epoch milliseconds, whole minutes; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** Indexes of traits. */
  readonly by: readonly number[];
  /** A change must pass all of them. */
  readonly tests: readonly TraitTest[];
  /** Orders outside the scope are not counted. */
  readonly scope: Scope;
}

export interface Tally {
  /** Only buckets with changes, by their start. */
  readonly buckets: ReadonlyMap<number, Readonly<Bucket>>;
  readonly groups: readonly TallyGroup[];
}

const KINDS = {
  seen: [AT.placed],
  changed: [AT.changed],
  gone: [AT.gone],
  ended: [AT.ended],
  returned: [AT.returned],
  passed: [AT.passed],
  found: [AT.found],
} as const;

/** Adds up summaries. */
export function createTally({ from, to, bucketMs, by, tests, scope }: TallyRequest) {
  const groups: TallyGroup[] = [];
  const buckets = new Map<number, Bucket>();
  const [first, end] = [from / MINUTE_MS, to / MINUTE_MS];
  const known = createTrie<string, TallyGroup>();
  const groupOf = (traits: readonly string[]): TallyGroup =>
    known(traits, () => {
      const group = { traits, figures: new Float64Array(FIGURES.length), lives: new Map() };
      groups.push(group);
      return group;
    });
  const bucketOf = (minute: number): Bucket => {
    const start = Math.floor((minute * MINUTE_MS) / bucketMs) * bucketMs;
    const bucket = buckets.get(start) ?? { seen: 0, changed: 0, gone: 0, ended: 0, returned: 0, passed: 0, found: 0 };
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
  readonly groupOf: (traits: readonly string[]) => TallyGroup;
};

/** Returns each combination’s group; null if it does not pass. Each value is tested once, not once per combination. */
function toGroups({ traits }: SummaryColumns, { by, tests, scope, groupOf }: Grouping): readonly (TallyGroup | null)[] {
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

/** Returns whether a combination’s orders are in the scope. */
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

/** Goes through the columns one after another, which is the fastest way to read them. */
function addToGroups(groups: readonly (TallyGroup | null)[], columns: SummaryColumns, span: Span): void {
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
  /** For each pattern, whether its cells have this amount. */
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
  groups: readonly (TallyGroup | null)[],
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
  for (const kind of ['seen', 'changed', 'gone', 'ended', 'returned', 'passed', 'found'] as const)
    for (const at of KINDS[kind]) bucket[kind] += count(at);
  bucket.gone -= count(AT.takenBack);
}

/** Drops buckets without changes: a cell may have only outcomes, which were recorded later. */
function withChanges(buckets: ReadonlyMap<number, Bucket>): ReadonlyMap<number, Bucket> {
  return new Map(
    [...buckets].filter(([, bucket]) => Object.values(bucket).some((count) => count !== 0)).sort(([a], [b]) => a - b),
  );
}
