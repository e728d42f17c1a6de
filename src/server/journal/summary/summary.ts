import { orderFilters, type Parameter } from '#contract/exchange/parameters.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import type { RowText } from '../segment/change.ts';

/** Lives are counted in steps of ten percent, so a median is within five percent of the true one. */
const STEP = Math.log(1.1);

/** Returns the step of a life in milliseconds. */
export function toLifeStep(millis: number): number {
  return Math.floor(Math.log(Math.max(millis, 1)) / STEP);
}

/** Returns the middle of a step, in milliseconds. */
function toMillis(step: number): number {
  return Math.exp((step + 0.5) * STEP);
}

/** The number of lives in each step. */
export type Lives = Map<number, number>;

export function addLife(lives: Lives, step: number, count = 1): void {
  lives.set(step, (lives.get(step) ?? 0) + count);
}

export function countLives(lives: Lives): number {
  return [...lives.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the median in milliseconds, the lower of two middle ones; null without lives. */
export function medianLife(lives: Lives): number | null {
  let left = Math.ceil(countLives(lives) / 2);
  for (const [step, count] of [...lives].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return toMillis(step);
  }
  return null;
}

/** The properties by which changes are counted separately: all that orders can be filtered by. */
export const TRAITS = Object.keys(orderFilters) as readonly Trait[];
export type Trait = keyof typeof orderFilters;

/** The indexes of the traits that identify an owner. */
export const OWNER_PLACES = {
  account: TRAITS.indexOf('account_id'),
  firm: TRAITS.indexOf('clearing_member_code'),
  connection: TRAITS.indexOf('connection_id'),
} as const;

const FIELDS = TRAITS.map((trait) => fieldsOf(trait));

/** Returns each trait’s value in the order; undefined if the order lacks it. */
export function writtenTraitsOf(row: RowText): readonly (string | undefined)[] {
  return FIELDS.map((fields) => firstOf(row, fields));
}

function firstOf(row: RowText, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = fieldOf(row, field);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether a trait has a wanted value. */
export interface TraitTest {
  /** The index of the trait. */
  readonly place: number;
  readonly matches: (value: string) => boolean;
}

/** Returns the filters among the parameters of an order request. */
export function toTraitTests(query: readonly (readonly [name: string, value: string])[]): readonly TraitTest[] {
  return query.flatMap(([name, value]) => {
    const place = TRAITS.findIndex((trait) => trait === name);
    return place === -1 ? [] : [{ place, matches: toMatcher(TRAITS[place], value) }];
  });
}

function toMatcher(trait: Trait | undefined, value: string): (text: string) => boolean {
  const rule = trait === undefined ? undefined : ruleOf(trait);
  if (rule?.ignoresCase !== true) return (text) => text === value;
  return (text) => text.toLowerCase() === value.toLowerCase();
}

function fieldsOf(trait: Trait): readonly string[] {
  return ruleOf(trait).fields;
}

function ruleOf(trait: Trait) {
  const { rule }: Parameter = orderFilters[trait];
  if (rule?.kind !== 'equal') throw new Error(`${trait} has no field that proves it`);
  return rule;
}

/** The counts kept for the orders with the same traits in one minute. */
export const FIGURES = [
  /** Orders in the first reading of the journal, for which it is unknown when they were placed. */
  'found',
  /** Orders that a later reading showed for the first time. */
  'placed',
  'changed',
  /** Changes of a field that fills do not change. */
  'modified',
  'gone',
  'ended',
  /** Changes with a larger filled quantity. */
  'fills',
  /** Outcomes of the orders that were gone in this minute, as far as the order history has shown them since. */
  'filled',
  'partly',
  'unfilled',
  'quantityPlaced',
  /** For placed orders, the quantity filled before a reading showed them. */
  'quantityFilledBefore',
  'quantityFilled',
  'quantityEnded',
  'quantityEndedFilled',
  /** Changes whose quantities the exchange did not publish as numbers. */
  'unmeasured',
  /** Orders that were listed again, so they had not been gone. */
  'returned',
  /** Orders that were gone in this minute and have been listed again since. */
  'takenBack',
  /** Orders that no reading listed, as the order history shows them. They count neither as placed nor as gone here. */
  'passed',
] as const;
export type Figure = (typeof FIGURES)[number];

/** The index of each figure. */
export const AT = Object.fromEntries(FIGURES.map((figure, place) => [figure, place])) as Readonly<
  Record<Figure, number>
>;

export const MINUTE_MS = 60_000;

export function toMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS);
}

export interface Cell {
  /** Minutes since 1970. */
  readonly minute: number;
  /** The index of the combination of traits. */
  readonly place: number;
  readonly figures: number[];
  /** The lives of orders that ended, as steps of the scale. */
  readonly lives: number[];
}

/**
 * The counted changes of a stretch. An `ended` or `returned` order counts in the minute in which it was gone, which may
 * be before the stretch.
 */
export interface Summary {
  readonly traits: readonly (readonly string[])[];
  readonly cells: readonly Cell[];
}
