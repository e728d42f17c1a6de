import type { Page } from '@playwright/test';

/** A product as the exchange lists it, with the terms of its contract. */
export interface Product {
  readonly product_id: number;
  readonly symbol: string;
  readonly type: string;
  readonly product_status: string;
  readonly price_increment: number;
  readonly contract_size: number;
  readonly contract_size_unit: string;
  readonly final_settle_time?: string;
  readonly first_trading_day?: string;
  readonly option_type?: string;
  readonly strike_price?: number;
  readonly underlying_product?: number;
  readonly legs?: readonly { readonly product_id: number; readonly weight: number }[];
}

/** A perpetual for which the exchange publishes a wrong tick size, so that its prices in USD are withheld. */
export const MISPRICED = 'PSHBUNZ50';

/** The futures of a series that trade, the next to expire first. */
export async function readFutures(page: Page, series: string): Promise<readonly string[]> {
  const futures = (await readProducts(page)).filter(
    ({ type, product_status: status, symbol }) => type === 'future' && status === 'active' && symbol.startsWith(series),
  );
  return futures
    .toSorted((a, b) => Date.parse(a.final_settle_time ?? '') - Date.parse(b.final_settle_time ?? ''))
    .map(({ symbol }) => symbol);
}

export async function readProducts(page: Page): Promise<readonly Product[]> {
  const { products } = (await (await page.request.get('/api/desk/products')).json()) as {
    readonly products: readonly Product[];
  };
  return products;
}
