import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireText } from '#contract/json-text.ts';
import { toNotional, toPrice } from '#domain/orders/order-figures.ts';
import { orderFields, readOrders, toRows } from '#testing/order-rows.ts';
import { readCsv } from '#testing/read-csv.ts';
import { toStatement } from './completeness-statement.ts';
import { exportOrders, type ExportParts } from './export-orders.ts';

const WIRE = ['id', 'side', 'symbol', 'product_id', 'product_type', 'status', 'time_in_force', 'account_id', 'clearing_firm_code', 'connection_id', 'time', 'last_modified', 'open_ack_id'] as const;

const never = new AbortController().signal;
const base: Omit<ExportParts, 'rows'> = { set: 'complete', signal: never, report: () => undefined, pause: () => Promise.resolve() };

/** Rows by the names of the heading. */
function toRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [heading = [], ...rows] = readCsv(text);
  return rows.map((row) => Object.fromEntries(row.map((field, index) => [heading[index] ?? '', field])));
}

/** As the completeness statement tells readers to. */
function bare(field: string | undefined): string | undefined {
  return field?.replace(/^'/, '');
}

const oddText = fc.oneof(fc.constantFrom('=1+1', '-5', '+x', '@sum(A1)', '"', 'a,b', 'two\r\nlines', '3e5', '007', '\tx'), fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith("'")));

describe('an export', () => {
  it('reads back as the orders that went in, whatever their texts are', async () => {
    const odd = fc.record({ account_id: oddText, clearing_firm_code: oddText, connection_id: oddText });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(orderFields, odd), { maxLength: 12 }), async (fields) => {
        const rows = toRows(readOrders(fields.map(([some, more]) => ({ ...some, ...more }))));
        const records = toRecords((await exportOrders({ ...base, rows })) ?? '');
        expect(records).toHaveLength(rows.length);
        for (const [index, row] of rows.entries()) {
          const record = records[index] ?? {};
          for (const field of WIRE) expect(bare(record[field])).toBe(wireText(row.order, field));
          expect(record['price_ticks']).toBe(wireText(row.order, 'price'));
          expect(record['avg_price_ticks']).toBe(wireText(row.order, 'avg_price') ?? '');
          const price = toPrice(row);
          expect(record['price_usd']).toBe(price.unit === 'USD' ? (price.value?.toFixed() ?? '') : '');
          expect(record['notional_usd']).toBe(toNotional(row).value?.toFixed() ?? '');
          expect(record['set']).toBe('complete');
        }
      }),
    );
  });

  it('has no cell that a spreadsheet takes for a formula, and no id that it takes for a number', async () => {
    const rows = toRows(readOrders([{ account_id: '=cmd()', connection_id: '3e5', clearing_firm_code: '007', price: -5 }]));
    const [record] = toRecords((await exportOrders({ ...base, rows })) ?? '');
    expect(record).toMatchObject({ account_id: "'=cmd()", connection_id: "'3e5", clearing_firm_code: "'007", id: "'7674028327896836522", price_ticks: '-5' });
  });

  it('tells how far it is, and stops where somebody says so', async () => {
    const rows = toRows(readOrders(Array.from({ length: 1_200 }, (_, n) => ({ id: String(n + 1) }))));
    const told: number[] = [];
    const stop = new AbortController();
    expect(await exportOrders({ ...base, rows, report: (done) => told.push(done) })).not.toBeNull();
    expect(told).toEqual([500, 1_000, 1_200]);
    expect(await exportOrders({ ...base, rows, signal: stop.signal, report: () => { stop.abort(); } })).toBeNull();
  });
});

describe('the statement beside it', () => {
  const proof = { complete: false, unproven: ['A part is missing.'], parts: [], orders: 12, repeated: 0, readFrom: null, readTo: null };

  it('says INCOMPLETE first where the set is not proven', () => {
    const text = toStatement({ proof, exported: 7, file: 'x.csv', filters: ['Side is Bid'], exportedAt: '2026-08-18T00:00:00Z', request: '/api/desk/working' });
    expect(JSON.parse(text)).toMatchObject({ set: 'INCOMPLETE', unproven: ['A part is missing.'], exported_orders: 7, working_orders: 12, filters: ['Side is Bid'] });
    expect(text).toMatch(/"statement": "INCOMPLETE:/);
  });
});
