import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadableBlock } from '../segment/content.ts';
import { packSummary, unpackSummary } from './pack-summary.ts';
import { toColumns } from './summary-columns.ts';
import { AT, type Figure, FIGURES, type Summary, TRAITS } from './summary.ts';
import { createTally } from './tally.ts';

function toCell(minute: number, place: number, figures: Partial<Record<Figure, number>>, lives: number[] = []) {
  return { minute, place, figures: FIGURES.map((figure) => figures[figure] ?? 0), lives };
}

const SUMMARY: Summary = {
  traits: [
    ['BUSZ26', '5501', 'Future', 'NORD', 'NORD-101', '5f3a'],
    ['BUSH27', '5502', 'Future', 'NORD', 'NORD-102', '5f3b'],
  ],
  cells: [
    toCell(30, 0, { placed: 2, quantityPlaced: 300 }),
    toCell(30, 1, { changed: 5, fills: 1, modified: 4, quantityFilled: 7 }),
    toCell(29, 1, { gone: 1, unfilled: 1, quantityEnded: 20 }, [88]),
    toCell(
      31,
      0,
      {
        gone: 2,
        ended: 2,
        filled: 1,
        partly: 1,
        fills: 2,
        quantityFilled: 11,
        quantityEnded: 30,
        quantityEndedFilled: 21,
      },
      [90, 45],
    ),
  ],
};
/** The same summary in the first format. */
const BY_CELLS =
  'AT8BAACHxdjiKLUv/WA/AMUEAFKGFh1Qb9IB4yqWuYvpkw7NsWiFJRnKyggAISTaE7tlCpMj6c8YRnxBEDgxtnf8LsB47+09LMpD5eShnmvOITDGiEAeFUt1qRqvZbqWydZaPEckQYo3RRI0aNP0xx4oEAM57hAoq6i09CsBGItLNMfMARIdKq9hZRRHfhkmBwA64ZEWPglbOcsZusiutEAcyjSeBsyO0jtG';

const BEFORE_RETURNED =
  'ArMBAAD//8r4KLUv/WCzAKUFAMIGFhdQWQfLjgsoxNfu7Hk+4TguMm/2kHunFJyy3fY0jhRC4Cf3/3sBS0/57+d/zN0vHMWRovRe54DMwigTdlnEa33DLM9Tvytt+1DDRU2VadJwSuWUwN63TQMuqJDUTUGSxoBI6s4xMIpZkraQA0TBCpc01jxr61MDqliD6h+u8qXR+ISHwgfVRyrxT+UNvOHvTcYPEjUgiEbRI9lAROZcGIrfCMYIU7ZYH4KG2tnRXF1WCg==';

const BEFORE_PASSED =
  'A70BAABrpRnWKLUv/WC9AK0FANIGFhdQWQfLjgsoxNfu7Hk+4TguMm/2kHunFJyy3fY0jhRC4Ce+/98LWHrKfz//Y+5+4SiOFKX3OgdkFkaZsMsiXusbZnme+l1p24caLmqqTJOGUyqnBPa+bRovqJDUTUGSxpBIzMwxMIpZ0qaQAwRA1Utqy7heSFblYRRRPSUWb/7QZn+6Yy2Ca5MVuE5Ubczk203FD3A1cDDH1CO5QLTMubBV3x6kkaHsMH8G7bWDo7m6iBQ=';

test('a summary of the formats before is read', () => {
  expect(unpackSummary(Buffer.from(BEFORE_RETURNED, 'base64'))).toEqual(toColumns(SUMMARY));
  expect(unpackSummary(Buffer.from(BEFORE_PASSED, 'base64'))).toEqual(toColumns(SUMMARY));
  expect(unpackSummary(Buffer.from(BY_CELLS, 'base64'))).toEqual(toColumns(SUMMARY));
});

const small = fc.nat(3);
const text = fc.constantFrom('', 'a', 'b', 'ü', 'ab');
const anySummary = fc
  .uniqueArray(fc.tuple(...TRAITS.map(() => text)), { maxLength: 8, selector: (traits) => traits.join('\n') })
  .chain((traits) => {
    const figures = fc.tuple(
      ...FIGURES.map(() => fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, small, fc.nat(1_000_000))),
    );
    const cell = fc.record({
      minute: fc.nat(5),
      place: fc.nat(Math.max(0, traits.length - 1)),
      figures,
      lives: fc.array(fc.nat(200), { maxLength: 3 }),
    });
    const cells = fc.uniqueArray(cell, {
      maxLength: traits.length === 0 ? 0 : 20,
      selector: ({ minute, place }) => `${minute} ${place}`,
    });
    return fc.record({ traits: fc.constant(traits), cells });
  });

test('what is unpacked is what was packed', () => {
  fc.assert(
    fc.property(anySummary, (summary) => {
      const columns = toColumns(summary);
      expect(unpackSummary(packSummary(columns))).toEqual(columns);
    }),
  );
});

test('a tally of a summary is what its cells add up to, whatever the window, the filter and the groups', () => {
  const request = fc.record({
    first: fc.nat(6),
    length: fc.nat(6),
    by: fc.subarray([...TRAITS.keys()]),
    wanted: fc.option(fc.record({ place: fc.nat(TRAITS.length - 1), value: text })),
  });
  fc.assert(
    fc.property(anySummary, request, (summary, { first, length, by, wanted }) => {
      const tests =
        wanted === null ? [] : [{ place: wanted.place, matches: (value: string): boolean => value === wanted.value }];
      const tally = createTally({
        from: first * 60_000,
        to: (first + length) * 60_000,
        bucketMs: 60_000,
        by,
        tests,
        scope: 'all',
      });
      tally.add(toColumns(summary));
      const { groups, buckets } = tally.result();
      const inside = summary.cells.filter(
        ({ minute, place }) =>
          minute >= first &&
          minute < first + length &&
          (wanted === null || summary.traits[place]?.[wanted.place] === wanted.value),
      );
      const expected = Map.groupBy(inside, ({ place }) => JSON.stringify(by.map((at) => summary.traits[place]?.[at])));
      const sums = [...expected].map(
        ([key, cells]) =>
          [key, FIGURES.map((_, at) => cells.reduce((sum, { figures }) => sum + (figures[at] ?? 0), 0))] as const,
      );
      expect(new Map(groups.map(({ traits, figures }) => [JSON.stringify(traits), [...figures]]))).toEqual(
        new Map(sums.filter(([, figures]) => figures.some((value) => value > 0))),
      );
      expect([...buckets.values()].reduce((sum, { gone }) => sum + gone, 0)).toBe(
        inside.reduce((sum, { figures }) => sum + (figures[AT.gone] ?? 0) - (figures[AT.takenBack] ?? 0), 0),
      );
    }),
  );
});

test('a later format says so, and damage is noticed', () => {
  const bytes = packSummary(toColumns(SUMMARY));
  expect(() => unpackSummary(Uint8Array.from(bytes).fill(5, 0, 1))).toThrow('reads formats up to 4');
  for (let at = 0; at < bytes.length; at++)
    expect(() => unpackSummary(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)))).toThrow(UnreadableBlock);
});
