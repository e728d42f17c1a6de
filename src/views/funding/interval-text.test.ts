import { expect, it } from 'vitest';
import { toNextInterval } from '#domain/funding-rate.ts';
import { toWirePrints, boundaryAt, printAt } from '#testing/funding-prints.ts';
import type { CompareRow } from './compare-row.ts';
import { formatShare, toBoundaryText, toElapsedText } from './interval-text.ts';

const [last] = toWirePrints([printAt(0, '0.0001')]);
const next = last === undefined ? null : toNextInterval(last);
const halfway = (Date.parse(boundaryAt(1)) + Date.parse(boundaryAt(2))) / 2;
const MINUTE = 60_000;

function told(row: Pick<CompareRow, 'interval' | 'estimate'>, at: number): readonly string[] {
  return [toElapsedText(row, at), toBoundaryText(row, at)];
}

it('the interval in progress is told before its estimate has come', () => {
  expect(told({ interval: next, estimate: null }, halfway)).toEqual(['50.0 % · 25.0 %', '4:00:00']);
});

it('an interval that has just ended is being settled; what ended long ago tells nothing of the one in progress', () => {
  const end = Date.parse(boundaryAt(2));
  expect(told({ interval: next, estimate: null }, end)).toEqual(['100.0 % · 100.0 %', 'settling']);
  expect(told({ interval: next, estimate: null }, end + MINUTE)).toEqual(['…', '…']);
  expect(told({ interval: next, estimate: {} as CompareRow['estimate'] }, end + MINUTE)).toEqual(['–', '–']);
});

it('a share has one digit after the point, and is whole only when it is', () => {
  expect([0.188_9, 0.999_9, 0].map(formatShare)).toEqual(['18.8 %', '99.9 %', '0.0 %']);
});

it('of one without a print and without an estimate nothing is told yet', () => {
  expect(told({ interval: null, estimate: null }, halfway)).toEqual(['…', '…']);
});
