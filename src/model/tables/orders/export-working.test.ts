import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { toNotional, toPrice } from '../../orders/order-figures.ts';
import { orderFields, readOrders, toRows } from '#testing/order-rows.ts';
import { parseInstant } from '#contract/exchange/instant.ts';
import { readCsv } from '#testing/read-csv.ts';
import { type ExportInputs, exportWorking, toWorkingStatement } from './export-working.ts';

/** Each field of an order with its column. */
const WIRE = [
  ['id', 'order_id'],
  ['side', 'side'],
  ['symbol', 'symbol'],
  ['product_id', 'product_id'],
  ['product_type', 'product_type'],
  ['price', 'price_ticks'],
  ['avg_price', 'avg_price_ticks'],
  ['quantity_requested', 'order_quantity_contracts'],
  ['quantity_filled', 'filled_quantity_contracts'],
  ['status', 'status'],
  ['time_in_force', 'time_in_force'],
  ['account_id', 'account_id'],
  ['clearing_firm_code', 'clearing_firm_code'],
  ['connection_id', 'connection_id'],
  ['open_ack_id', 'open_ack_id'],
  ['time', 'accepted_at'],
  ['last_modified', 'last_modified_at'],
] as const;

/** A time has more digits in a file than as received, and a missing value is an empty cell. */
function toComparable(text: string | null | undefined): unknown {
  return parseInstant(text ?? '') ?? text ?? '';
}

const never = new AbortController().signal;
const base: Omit<ExportInputs, 'rows'> = {
  set: 'complete',
  form: 'full',
  signal: never,
  report: () => undefined,
  pause: () => Promise.resolve(),
};

/** Reads rows as records by heading. */
function toRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [heading = [], ...rows] = readCsv(text);
  return rows.map((row) => Object.fromEntries(row.map((field, index) => [heading[index] ?? '', field])));
}

/** Removes the apostrophe, as the completeness report describes. */
function bare(field: string | undefined): string | undefined {
  return field?.replace(/^'/, '');
}

const oddText = fc.oneof(
  fc.constantFrom('=1+1', '-5', '+x', '@sum(A1)', '"', 'a,b', 'two\r\nlines', '3e5', '007', '\tx'),
  fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith("'")),
);

describe('an export', () => {
  it('reads back as the same orders, with any texts', async () => {
    const odd = fc.record({ account_id: oddText, clearing_firm_code: oddText, connection_id: oddText });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(orderFields, odd), { maxLength: 12 }), async (fields) => {
        const rows = toRows(readOrders(fields.map(([some, more]) => ({ ...some, ...more }))));
        const records = toRecords((await exportWorking({ ...base, rows })) ?? '');
        expect(records).toHaveLength(rows.length);
        for (const [index, row] of rows.entries()) {
          const record = records[index] ?? {};
          for (const [field, column] of WIRE)
            expect(toComparable(bare(record[column]))).toBe(toComparable(wireText(row.order, field)));
          const price = toPrice(row);
          expect(record['price_usd']).toBe(price.unit === 'USD' ? (price.value?.toFixed() ?? '') : '');
          expect(record['notional_usd']).toBe(toNotional(row).value?.toFixed() ?? '');
          expect(record['set']).toBe('complete');
        }
      }),
    );
  });

  it('has no cell that a spreadsheet reads as a formula, and no id that it reads as a number', async () => {
    const rows = toRows(
      readOrders([{ account_id: '=cmd()', connection_id: '3e5', clearing_firm_code: '007', price: -5 }]),
    );
    const [record] = toRecords((await exportWorking({ ...base, rows })) ?? '');
    expect(record).toMatchObject({
      account_id: "'=cmd()",
      connection_id: "'3e5",
      clearing_firm_code: "'007",
      order_id: "'7674028327896836522",
      price_ticks: '-5',
    });
  });

  it.each(['full', 'figures'] as const)(
    'tells perpetuals from futures, which the exchange calls alike (%s)',
    async (form) => {
      const records = toRecords(
        (await exportWorking({ ...base, form, rows: toRows(readOrders([{ product_id: 5 }, { product_id: 1 }])) })) ??
          '',
      );
      expect(records.map((record) => [record['product_type'], record['product_kind']])).toEqual([
        ['Future', 'Perpetual'],
        ['Future', 'Future'],
      ]);
    },
  );

  it.each(['full', 'figures'] as const)(
    'marks every id alike, so that its column joins with other data (%s)',
    async (form) => {
      const rows = toRows(
        readOrders([
          { id: '1', account_id: 'HALC-1', clearing_firm_code: 'NORD', connection_id: '35' },
          { id: '2', account_id: '007', clearing_firm_code: '=1', connection_id: '3f' },
        ]),
      );
      const records = toRecords((await exportWorking({ ...base, form, rows })) ?? '');
      expect(records).toMatchObject([
        { order_id: "'1", account_id: "'HALC-1", clearing_firm_code: "'NORD", connection_id: "'35" },
        { order_id: "'2", account_id: "'007", clearing_firm_code: "'=1", connection_id: "'3f" },
      ]);
    },
  );

  it('of figures only has the same figures, the time of its data and no factors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(orderFields, { minLength: 1, maxLength: 5 }), async (fields) => {
        const rows = toRows(readOrders(fields));
        const [full, figures] = await Promise.all(
          (['full', 'figures'] as const).map(async (form) =>
            toRecords((await exportWorking({ ...base, form, rows })) ?? ''),
          ),
        );
        const names = Object.keys(figures?.[0] ?? {});
        expect(names).toEqual(expect.arrayContaining(['price_usd', 'withheld_because', 'responded_at', 'set']));
        expect(names).not.toEqual(expect.arrayContaining(['tick_size_usd']));
        expect(figures).toEqual(full?.map((record) => Object.fromEntries(names.map((name) => [name, record[name]]))));
      }),
    );
  });

  it('reports its progress, and stops on abort', async () => {
    const rows = toRows(readOrders(Array.from({ length: 1_200 }, (_, n) => ({ id: String(n + 1) }))));
    const reported: number[] = [];
    const stop = new AbortController();
    expect(await exportWorking({ ...base, rows, report: (done) => reported.push(done) })).not.toBeNull();
    expect(reported).toEqual([500, 1_000, 1_200]);
    expect(
      await exportWorking({
        ...base,
        rows,
        signal: stop.signal,
        report: () => {
          stop.abort();
        },
      }),
    ).toBeNull();
  });
});

describe('the completeness report', () => {
  const completeness = {
    complete: false,
    reasons: ['A part is missing.'],
    drop: null,
    parts: [],
    orders: 12,
    repeated: 0,
    readFrom: null,
    readTo: null,
  };

  it('starts with INCOMPLETE if the set is not complete', () => {
    const text = toWorkingStatement({
      completeness,
      isStale: false,
      exported: 7,
      file: 'x.csv',
      filters: ['Side is Bid'],
      exportedAt: '2026-08-18T00:00:00Z',
      request: '/api/desk/working',
    });
    expect(JSON.parse(text)).toMatchObject({
      set: 'INCOMPLETE',
      unproven: ['A part is missing.'],
      exported_orders: 7,
      working_orders: 12,
      filters: ['Side is Bid'],
    });
    expect(text).toMatch(/"statement": "INCOMPLETE:/);
  });

  it('says that a list is stale, with its age', () => {
    const stale = {
      completeness: { ...completeness, complete: true, reasons: [], readTo: '2026-08-18T00:00:00Z' as Instant },
      isStale: true,
      exported: 7,
      file: 'x.csv',
      filters: [],
      exportedAt: '2026-08-18T00:01:55Z',
      request: '/api/desk/working',
    };
    expect(JSON.parse(toWorkingStatement(stale))).toMatchObject({
      set: 'STALE',
      stale: true,
      age_seconds: 115,
      statement: expect.stringMatching(
        /^STALE: the exchange could not be read again since 2026-08-18T00:00:00Z/,
      ) as string,
    });
  });
});
