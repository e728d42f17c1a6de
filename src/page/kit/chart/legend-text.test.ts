import { expect, it } from 'vitest';
import { NO_VALUE } from '#model/format/number.ts';
import { findLegendBars } from './legend-text.ts';

function barsOf(figures: Readonly<Record<string, string>>) {
  const readouts = Object.entries(figures).map(([name, values]) => ({
    name,
    unit: '',
    text: (index: number) => values[index]?.replace('-', NO_VALUE) ?? NO_VALUE,
  }));
  const times = Array.from(Object.values(figures)[0] ?? '', (_, index) => index);
  const { bar, barOf } = findLegendBars({ times, readouts });
  return { bar, ...Object.fromEntries(readouts.map((readout) => [readout.name, barOf(readout)])) };
}

it('shows the newest settled interval, and the estimate of the one in progress', () => {
  expect(barsOf({ settled: '123-', premium: '123-', mark: '123-', estimate: '---4' })).toEqual({
    bar: 2,
    settled: 2,
    premium: 2,
    mark: 2,
    estimate: 3,
  });
});

it('shows the newest session, with the latest open interest', () => {
  expect(barsOf({ open: '1234', close: '1234', interest: '123-' })).toEqual({ bar: 3, open: 3, close: 3, interest: 2 });
});

it('shows the newest bar where figures have no values', () => {
  expect(barsOf({ young: '----', old: '1234' })).toEqual({ bar: 3, young: 3, old: 3 });
  expect(barsOf({ none: '----' })).toEqual({ bar: 3, none: 3 });
});

it('ignores a product that expired long before the newest bar', () => {
  expect(barsOf({ total: '123456789a', expired: '12--------', live: '123456789a' })).toEqual({
    bar: 9,
    total: 9,
    expired: 9,
    live: 9,
  });
});
