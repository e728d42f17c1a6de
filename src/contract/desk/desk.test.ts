import { describe, expect, test } from 'vitest';
import { sampleResponses } from '#testing/sample-responses.ts';
import { DESK_ENDPOINTS } from './desk.ts';
import { createParser } from '../parse/parse.ts';

const [order] = sampleResponses.ordersWorking;
const [spec] = sampleResponses.productSpecs;

describe('the working set', () => {
  const { response, rows } = DESK_ENDPOINTS.working;
  const parser = createParser(response, rows);
  const set = {
    complete: true,
    unproven: [],
    parts: [{ filter: { product_type: 'Future', product_id: '5599' }, count: 1, read_at: '2026-08-17T23:45:21.496Z' }],
    round_seconds: null,
    read_from: '2026-08-17T23:45:21.496Z',
    read_to: '2026-08-17T23:45:21.496Z',
    orders: [order],
  };

  test('is read unchanged', () => {
    expect(parser.strict(JSON.stringify(set))).toEqual(set);
    expect(parser.tolerant(JSON.stringify(set))).toEqual({ value: set, setAside: [], deviations: [] });
  });

  test('keeps valid orders beside an invalid one, and the completeness check', () => {
    const { value, setAside, deviations } = parser.tolerant(
      JSON.stringify({ ...set, orders: [order, {}, { ...order, fee: 1 }] }),
    );
    expect(value).toEqual({ ...set, orders: [order, { ...order, fee: 1 }] });
    expect(setAside).toMatchObject([{ index: 1, row: {} }]);
    expect(deviations.map(({ place }) => place)).toContain('$.orders[].fee');
  });

  test.each(['complete', 'parts', 'orders', 'read_from'])(
    'is invalid without its %s, so that an unproven set is never shown as complete',
    (field) => {
      const { value } = parser.tolerant(JSON.stringify({ ...set, [field]: undefined }));
      expect(value).toBeNull();
    },
  );

  test('without any read part has no times', () => {
    const none = {
      ...set,
      complete: false,
      unproven: ['Nothing was read.'],
      parts: [],
      read_from: null,
      read_to: null,
      orders: [],
    };
    expect(parser.strict(JSON.stringify(none))).toEqual(none);
  });
});

describe('the product directory', () => {
  const { response, rows } = DESK_ENDPOINTS.products;
  const parser = createParser(response, rows);
  const directory = { source: 'product/specs', read_at: '2026-08-17T23:45:21.496Z', products: [spec] };

  test('contains specifications, or what is known of a product', () => {
    const inferred = {
      ...directory,
      source: 'learnt from other answers',
      products: [{ product_id: 5_599 }, { product_id: 5_600, type: 'perpetual' }],
    };
    expect(parser.strict(JSON.stringify(directory))).toEqual(directory);
    expect(parser.strict(JSON.stringify(inferred))).toEqual(inferred);
  });

  test('sets aside a product that has no id', () => {
    const { value, setAside } = parser.tolerant(
      JSON.stringify({ ...directory, products: [{ symbol: 'BUSH27' }, spec] }),
    );
    expect([value?.products, setAside.length]).toEqual([[spec], 1]);
  });
});
