import { MAX_ACTIVITY_BUCKETS, type ActivityCounts } from '#contract/desk/journal-activity.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import { addLife, countLives, medianLife } from '#server/journal/summary/life-scale.ts';
import { AT, FIGURES, MINUTE_MS, type Figure } from '#server/journal/summary/summary.ts';
import type { Group, Tally } from '#server/journal/summary/tally.ts';
import { TRAITS, toTraitTests, type Trait } from '#server/journal/summary/traits.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { Scope } from '#server/core/viewer.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { toMillis } from './describe-journal.ts';

type ActivityParts = Pick<JournalRoom, 'reader' | 'activity' | 'state'>;

/** What was counted, and how much of the requested time was read. */
export async function describeActivity(parts: ActivityParts, query: Pairs, scope: Scope): Promise<string> {
  const bucketMs = 1_000 * Number(new Map(query).get('bucket_seconds') ?? MINUTE_MS / 1_000);
  const by = TRAITS.filter((trait) => query.some(([name, value]) => name === 'by' && value === trait));
  const { from, lastReading } = parts.state();
  const covered = await findCovered(parts, query);
  if (covered !== null && (covered.minutes.to - covered.minutes.from) / bucketMs > MAX_ACTIVITY_BUCKETS) {
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: `These are more than ${String(MAX_ACTIVITY_BUCKETS)} buckets. Request a shorter time, or longer buckets.`,
      parameter: 'bucket_seconds',
    });
  }
  const tally =
    covered === null
      ? NOTHING
      : await parts.activity({
          ...covered.minutes,
          bucketMs,
          by: by.map((trait) => TRAITS.indexOf(trait)),
          tests: toTraitTests(query),
          scope,
        });
  return JSON.stringify({
    kept_from: toInstantOrNull(from),
    read_to: toInstantOrNull(lastReading?.to ?? null),
    ...(covered === null ? NOT_COVERED : describeCovered(covered)),
    bucket_seconds: bucketMs / 1_000,
    buckets: [...tally.buckets].map(([start, bucket]) => ({ from: toInstant(start), ...bucket })),
    total: describeCounts(sumOf(tally.groups)),
    groups: tally.groups.map((group) => ({ ...describeKeys(by, group.traits), ...describeCounts(group) })),
  });
}

interface Covered extends Awaited<ReturnType<ActivityParts['reader']['coverage']>> {
  readonly from: number;
  readonly to: number;
  /** The minutes that are counted; `to` is not included. */
  readonly minutes: { readonly from: number; readonly to: number };
}

const NOTHING: Tally = { buckets: new Map(), groups: [] };
const NOT_COVERED = { from: null, to: null, readings: 0, longest_seconds: null, unread_seconds: 0, gaps: [] };

/** The requested time, in whole minutes, as far as the journal has it; null: it has nothing of it. */
async function findCovered({ state, reader }: ActivityParts, query: Pairs): Promise<Covered | null> {
  const { from: kept, lastReading } = state();
  if (kept === null || lastReading === null) return null;
  const [begin, end] = [
    floorToMinute(toMillis(query, 'begin_time') ?? -Infinity),
    ceilToMinute(toMillis(query, 'end_time') ?? Infinity),
  ];
  if (begin > lastReading.to || end <= kept) return null;
  const isCut = begin <= kept && (await reader.coverage(kept, kept)).isCut;
  // Of the minute in which the last dropped change was recorded, some may be missing.
  const from = begin > kept ? begin : isCut ? ceilToMinute(kept) : kept;
  const to = Math.min(end, floorToMinute(lastReading.to) + MINUTE_MS);
  if (from >= to) return null;
  return {
    ...(await reader.coverage(from, to)),
    from,
    to: Math.min(end, lastReading.to),
    minutes: { from: floorToMinute(from), to },
  };
}

function floorToMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

function ceilToMinute(instant: number): number {
  return Math.ceil(instant / MINUTE_MS) * MINUTE_MS;
}

function describeCovered({ from, to, readings, longestMs, gaps }: Covered) {
  const inside = gaps.map((gap) => Math.min(gap.to, to) - Math.max(gap.from, from)).filter((length) => length > 0);
  return {
    from: toInstant(from),
    to: toInstant(to),
    readings,
    longest_seconds: longestMs === null ? null : longestMs / 1_000,
    unread_seconds: inside.reduce((sum, length) => sum + length, 0) / 1_000,
    gaps: gaps.map((gap) => ({ from: toInstant(gap.from), to: toInstant(gap.to) })),
  };
}

function sumOf(groups: readonly Group[]): Group {
  const total = { traits: [], figures: new Float64Array(FIGURES.length), lives: new Map<number, number>() };
  for (const { figures, lives } of groups) {
    for (const [at, value] of figures.entries()) total.figures[at] = (total.figures[at] ?? 0) + value;
    for (const [step, count] of lives) addLife(total.lives, step, count);
  }
  return total;
}

/** What rows of orders name otherwise than requests. */
const ROW_NAMES: Partial<Record<Trait, string>> = { clearing_member_code: 'clearing_firm_code' };

function describeKeys(
  by: readonly Trait[],
  values: readonly string[],
): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(
    TRAITS.map((trait) => {
      const value = values[by.indexOf(trait)] ?? null;
      return [ROW_NAMES[trait] ?? trait, trait === 'product_id' ? toNumber(value) : value];
    }),
  );
}

function toNumber(text: string | null): number | null {
  return text === null || text === '' ? null : Number(text);
}

function describeCounts({ figures, lives }: Group): Readonly<Record<keyof ActivityCounts, number | null>> {
  const of = (figure: Figure): number => figures[AT[figure]] ?? 0;
  const median = medianLife(lives);
  return {
    found: of('found'),
    placed: of('placed'),
    changed: of('changed'),
    modified: of('modified'),
    gone: of('gone') - of('takenBack'),
    ended_filled: of('filled'),
    ended_partly_filled: of('partly'),
    ended_unfilled: of('unfilled'),
    outcome_unknown: of('gone') - of('takenBack') - of('filled') - of('partly') - of('unfilled'),
    fills: of('fills'),
    quantity_placed: of('quantityPlaced'),
    quantity_filled: of('quantityFilled'),
    quantity_filled_before: of('quantityFilledBefore'),
    quantity_ended: of('quantityEnded'),
    quantity_ended_filled: of('quantityEndedFilled'),
    returned: of('returned'),
    unmeasured: of('unmeasured'),
    lives: countLives(lives),
    median_life_seconds: median === null ? null : median / 1_000,
  };
}
