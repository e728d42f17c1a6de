import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsOf, removeAt, replaceAt } from '#testing/corrupt.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { findDeviations } from './check.ts';
import { ENDPOINTS } from '../exchange/endpoints.ts';
import { exactChecks } from './exact.generated.ts';
import { agreementsOf, toShape, type Shape } from '../exchange/schema.ts';

interface Subject {
  readonly title: string;
  readonly shape: Shape;
  readonly row: object;
}

const itemOf = (shape: Shape): Shape => shape.items ?? shape.properties?.['data']?.items ?? expect.fail('not a list');

const SUBJECTS: readonly Subject[] = [
  { shape: itemOf(toShape(ENDPOINTS.chartPrice.response)), row: sampleResponses.chartPrice[0] },
  { shape: itemOf(toShape(ENDPOINTS.chartVoi.response)), row: sampleResponses.chartVoi[0] },
  { shape: itemOf(toShape(ENDPOINTS.fundingRates.response)), row: sampleResponses.fundingRates.data[0] },
  { shape: itemOf(toShape(ENDPOINTS.orders.response)), row: sampleResponses.orders.data[0] },
  { shape: itemOf(toShape(ENDPOINTS.ordersWorking.response)), row: sampleResponses.ordersWorking[0] },
  { shape: itemOf(toShape(ENDPOINTS.trailingStatsAll.response)), row: sampleResponses.trailingStatsAll[0] },
  { shape: itemOf(toShape(ENDPOINTS.productDataAll.response)), row: sampleResponses.productDataAll[0] },
].map((subject) => ({ ...subject, title: subject.shape.title ?? '' }));

test('every row without optional fields has an exact check', () => {
  expect(Object.keys(exactChecks).sort()).toEqual(SUBJECTS.map(({ title }) => title).sort());
});

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    0,
    -1,
    1.5,
    2 ** 53,
    Infinity,
    NaN,
    '',
    'Bid',
    'GTC',
    '2024-02-29',
    '2026-02-29',
    '2026-12-31',
    '2026-02-28T23:59:59.123456789Z',
    '2026-02-29T00:00:00Z',
    '7674028327896836521',
    '1.50',
    '1e9',
    '\ud800',
    true,
    {},
    [],
  ),
  fc.jsonValue({ maxDepth: 1 }),
);

test.each(SUBJECTS)('$title: the exact check agrees with the schema', ({ title, shape, row }) => {
  const isExact = exactChecks[title] ?? expect.fail(title);
  const agree = (value: unknown): void => {
    const agrees =
      isExact(value) &&
      agreementsOf(shape).every(
        ({ findConflict }) => findConflict(value as Readonly<Record<string, unknown>>) === null,
      );
    expect(agrees).toBe(findDeviations(shape, value, '$').length === 0);
  };
  expect(isExact(row)).toBe(true);
  fc.assert(
    fc.property(fc.constantFrom(...fieldsOf(row)), anyValue, ({ keys }, value) => {
      agree(replaceAt(row, keys, value));
      if (keys.length > 0) agree(removeAt(row, keys));
      agree(replaceAt(row, [...keys.slice(0, -1), 'extra'], value));
    }),
    { numRuns: 500 },
  );
});
