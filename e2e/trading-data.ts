import type { Page } from '@playwright/test';

export interface TradingRow {
  readonly product_id: number;
  readonly last_price: number | null;
  readonly last_price_time: string | null;
  readonly settlement_time: string | null;
  readonly settlement_price: number | null;
  readonly high_price: number | null;
  readonly low_price: number | null;
  readonly price_change: number | null;
}

/** Changes the exchange's trading data of all products and of one. */
export async function changeTrading(page: Page, change: (row: TradingRow) => TradingRow): Promise<void> {
  await page.route(/\/api\/product\/data\/\d*(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) {
      await route.fulfill({ response });
      return;
    }
    const body = (await response.json()) as TradingRow | readonly TradingRow[];
    // With the exchange's own entity tag, changed rows would be taken for those that the page already has.
    const headers = { ...response.headers() };
    delete headers['etag'];
    await route.fulfill({
      response,
      headers,
      json: Array.isArray(body) ? (body as readonly TradingRow[]).map(change) : change(body as TradingRow),
    });
  });
}

/**
 * Sets a last price some ticks above the settlement, with everything that must agree with it: the range still contains
 * what was traded.
 */
export function withLast(row: TradingRow, ticks: number, at: string): TradingRow {
  const settlement = Math.round(row.settlement_price ?? 0);
  const last = settlement + ticks;
  const settled =
    row.settlement_time === null
      ? at
      : new Date(Math.min(Date.parse(row.settlement_time), Date.parse(at) - 1_000)).toISOString();
  return {
    ...row,
    settlement_time: settled,
    settlement_price: settlement,
    last_price: last,
    last_price_time: at,
    low_price: Math.min(row.low_price ?? last, settlement, last),
    high_price: Math.max(row.high_price ?? last, settlement, last),
    price_change: ticks,
  };
}
