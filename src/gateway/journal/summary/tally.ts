import { itemAt, numberAt } from '../segment/content.ts';
import { addLife, type Lives } from './life-scale.ts';
import type { SummaryColumns } from './pack-summary.ts';
import { AT, FIGURES, MINUTE_MS } from './summary.ts';

export interface Group {
  /** Those that it is grouped by. */
  readonly traits: readonly string[];
  readonly figures: Float64Array;
  readonly lives: Lives;
}

/** Changes of a while, by their kind. */
interface Bucket {
  seen: number;
  changed: number;
  gone: number;
  ended: number;
}

export interface TallyRequest {
  /** In epoch milliseconds, whole minutes; `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** Places of traits. */
  readonly by: readonly number[];
  readonly matches: (traits: readonly string[]) => boolean;
}

export interface Tally {
  /** Those with changes, by the instant at which they begin. */
  readonly buckets: ReadonlyMap<number, Readonly<Bucket>>;
  readonly groups: readonly Group[];
}

const KINDS = { seen: [AT.found, AT.placed], changed: [AT.changed], gone: [AT.gone], ended: [AT.ended] } as const;

/** Adds up summaries. */
export function createTally({ from, to, bucketMs, by, matches }: TallyRequest) {
  const groups = new Map<string, Group>();
  const buckets = new Map<number, Bucket>();
  const [first, end] = [from / MINUTE_MS, to / MINUTE_MS];
  const groupOf = (traits: readonly string[]): Group | null => {
    if (!matches(traits)) return null;
    const own = by.map((place) => traits[place] ?? '');
    return getOrMake(groups, JSON.stringify(own), () => ({ traits: own, figures: new Float64Array(FIGURES.length), lives: new Map() }));
  };
  const bucketOf = (minute: number): Bucket =>
    getOrMake(buckets, Math.floor((minute * MINUTE_MS) / bucketMs) * bucketMs, () => ({ seen: 0, changed: 0, gone: 0, ended: 0 }));
  return {
    add: (columns: SummaryColumns): void => {
      const groupsOfPlaces = columns.traits.map(groupOf);
      const spans = toMinutes(columns.minutes).filter(({ minute }) => minute >= first && minute < end);
      const isWanted = Float64Array.from(groupsOfPlaces, (group) => Number(group !== null));
      for (const { minute, start, stop } of spans) addToBucket(bucketOf(minute), columns, isWanted, { start, stop });
      const [start, stop] = [spans[0]?.start ?? 0, spans.at(-1)?.stop ?? 0];
      addToGroups(groupsOfPlaces, columns, { start, stop });
    },
    result: (): Tally => ({ buckets: withChanges(buckets), groups: [...groups.values()].filter((group) => group.figures.some((value) => value > 0)) }),
  };
}

interface Span {
  readonly start: number;
  readonly stop: number;
}

/** Cells are in the order of their minutes. */
function toMinutes(minutes: SummaryColumns['minutes']): readonly (Span & { readonly minute: number })[] {
  const spans: (Span & { readonly minute: number })[] = [];
  for (let start = 0, at = 1; at <= minutes.length; at++) {
    if (minutes[at] === minutes[start]) continue;
    spans.push({ minute: minutes[start] ?? 0, start, stop: at });
    start = at;
  }
  return spans;
}

/** Column by column: one after another, they are read fastest. */
function addToGroups(groups: readonly (Group | null)[], columns: SummaryColumns, span: Span): void {
  for (const [at, column] of columns.figures.entries()) {
    const sums = sumByPlace(column, columns.places, groups.length, span);
    for (const [place, group] of groups.entries()) if (group !== null) group.figures[at] = numberAt(group.figures, at) + numberAt(sums, place);
  }
  addLives(groups, columns, span);
}

function sumByPlace(column: Float64Array, places: Float64Array, length: number, { start, stop }: Span): Float64Array {
  const sums = new Float64Array(length);
  for (let cell = start; cell < stop; cell++) {
    const place = numberAt(places, cell);
    sums[place] = numberAt(sums, place) + numberAt(column, cell);
  }
  return sums;
}

function addLives(groups: readonly (Group | null)[], { places, lifeCounts, lives }: SummaryColumns, { start, stop }: Span): void {
  let life = 0;
  for (let cell = 0; cell < stop; cell++) {
    const end = life + numberAt(lifeCounts, cell);
    const group = cell < start ? null : itemAt(groups, numberAt(places, cell));
    for (; life < end; life++) if (group !== null) addLife(group.lives, numberAt(lives, life));
  }
}

function addToBucket(bucket: Bucket, { places, figures }: SummaryColumns, isWanted: Float64Array, { start, stop }: Span): void {
  for (const kind of ['seen', 'changed', 'gone', 'ended'] as const) {
    for (const at of KINDS[kind]) {
      const column = itemAt(figures, at);
      let sum = 0;
      for (let cell = start; cell < stop; cell++) if (numberAt(isWanted, numberAt(places, cell)) === 1) sum += numberAt(column, cell);
      bucket[kind] += sum;
    }
  }
}

/** A cell may have outcomes only, which were recorded later. */
function withChanges(buckets: ReadonlyMap<number, Bucket>): ReadonlyMap<number, Bucket> {
  return new Map([...buckets].filter(([, { seen, changed, gone, ended }]) => seen + changed + gone + ended > 0).sort(([a], [b]) => a - b));
}

function getOrMake<Key, Value>(entries: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const made = make();
  entries.set(key, made);
  return made;
}
