import type { Day } from '#contract/exchange/instant.ts';
import { formatDay } from '../../format/format-time.ts';
import { countTickDigits, formatNumber } from '../../format/number.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';

/** What a person draws on the prices of a product. */
export const DRAWING_KINDS = ['level', 'trend', 'note', 'measure'] as const;
export type DrawingKind = (typeof DRAWING_KINDS)[number];

/** A place in the chart that no view of it moves: a session, and a price in whole ticks of the product. */
export interface Anchor {
  readonly date: Day;
  readonly ticks: number;
}

export interface Drawing {
  /** Names it among the drawings of its product. */
  readonly id: string;
  readonly kind: DrawingKind;
  /** In order of time. A horizontal line keeps the session at which it was placed. */
  readonly points: readonly Anchor[];
  /** The words of a note; empty for other kinds. */
  readonly text: string;
}

export const KIND_NAMES: Readonly<Record<DrawingKind, string>> = {
  level: 'Horizontal line',
  trend: 'Trend line',
  note: 'Note',
  measure: 'Measure',
};

/** How many points each kind has. */
export const POINTS_OF: Readonly<Record<DrawingKind, 1 | 2>> = { level: 1, trend: 2, note: 1, measure: 2 };

export const MOST_DRAWINGS = 200;
export const MOST_NOTE = 200;

/** Puts points in order of time. */
export function inOrder(points: readonly Anchor[]): readonly Anchor[] {
  return points.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** Returns what is wrong with the points or the words of a drawing, in a sentence; null if nothing is. */
export function findDrawingMistake({ kind, points, text }: Omit<Drawing, 'id'>): string | null {
  const [first, second] = points;
  const count = POINTS_OF[kind];
  if (first === undefined || points.length !== count)
    return `A ${KIND_NAMES[kind].toLowerCase()} has ${count === 1 ? 'one point' : 'two points'}.`;
  if (second !== undefined && first.date === second.date) {
    if (kind === 'trend') return 'Its two points must be of different sessions.';
    if (first.ticks === second.ticks) return 'Its two points must not be the same.';
  }
  return kind === 'note' && !isNote(text) ? `A note has 1 to ${String(MOST_NOTE)} characters.` : null;
}

function isNote(text: string): boolean {
  return text.trim() !== '' && text.length <= MOST_NOTE;
}

/** Returns the exact price of a number of ticks, in USD. */
export function toUsd(ticks: number, tickSize: number): Decimal {
  return toDecimal(String(tickSize)).times(ticks);
}

export function formatTicks(ticks: number, tickSize: number): string {
  return formatNumber(toUsd(ticks, tickSize), { digits: countTickDigits(String(tickSize)) });
}

const PRICE = /^[-−]?\d+(?:\.\d+)?$/;

/** Reads a price as a person writes it; null if it is no price, or no whole number of ticks. */
export function readTicks(text: string, tickSize: number): number | null {
  const digits = text.replaceAll(/[\s,]/g, '').replace('−', '-');
  if (!PRICE.test(digits)) return null;
  const size = toDecimal(String(tickSize));
  const ticks = toDecimal(digits).div(size).toDecimalPlaces(0);
  return ticks.times(size).eq(digits) && Number.isSafeInteger(ticks.toNumber()) ? ticks.toNumber() : null;
}

/** `3 Aug 2026 at 117,000.00 USD`. */
export function describeAnchor({ date, ticks }: Anchor, tickSize: number): string {
  return `${formatDay(date)} at ${formatTicks(ticks, tickSize)} USD`;
}

/** Describes a drawing in words, without the figures of a measure. */
export function describeDrawing({ kind, points, text }: Drawing, tickSize: number): string {
  const [first, second] = points.map((point) => describeAnchor(point, tickSize));
  if (kind === 'level') return `Horizontal line at ${formatTicks(points[0]?.ticks ?? 0, tickSize)} USD`;
  if (kind === 'note') return `Note on ${first ?? ''}: ${text}`;
  return `${KIND_NAMES[kind]} from ${first ?? ''} to ${second ?? ''}`;
}
