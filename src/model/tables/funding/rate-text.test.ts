import { expect, it } from 'vitest';
import { toNextInterval } from '../../funding/funding-rate.ts';
import { toWirePrints, fundingTimeAt, printAt } from '#testing/settled-rates.ts';
import type { CompareRow } from './compare-row.ts';
import { formatShare, toCountdownText, toElapsedText } from './rate-text.ts';

const [last] = toWirePrints([printAt(0, '0.0001')]);
const next = last === undefined ? null : toNextInterval(last);
const halfway = (Date.parse(fundingTimeAt(1)) + Date.parse(fundingTimeAt(2))) / 2;
const MINUTE = 60_000;

function texts(row: Pick<CompareRow, 'interval' | 'estimate'>, at: number): readonly string[] {
  return [toElapsedText(row, at), toCountdownText(row, at)];
}

it('shows the current interval before its predicted rate has arrived', () => {
  expect(texts({ interval: next, estimate: null }, halfway)).toEqual(['50.0 % · 25.0 %', '4:00:00']);
});

it('shows an interval that has just ended as settling, and none that ended longer ago', () => {
  const end = Date.parse(fundingTimeAt(2));
  expect(texts({ interval: next, estimate: null }, end)).toEqual(['100.0 % · 100.0 %', 'settling']);
  expect(texts({ interval: next, estimate: null }, end + MINUTE)).toEqual(['…', '…']);
  expect(texts({ interval: next, estimate: {} as CompareRow['estimate'] }, end + MINUTE)).toEqual(['–', '–']);
});

it('truncates a share to one digit, so that 100 % appears only at the end', () => {
  expect([0.188_9, 0.999_9, 0].map(formatShare)).toEqual(['18.8 %', '99.9 %', '0.0 %']);
});

it('shows a placeholder before there is a settled or predicted rate', () => {
  expect(texts({ interval: null, estimate: null }, halfway)).toEqual(['…', '…']);
});
