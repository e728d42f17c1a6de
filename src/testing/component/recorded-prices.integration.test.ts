import { expect, it } from 'vitest';
import { openRecordedDesk } from './open-recorded-desk.ts';

interface Row {
  readonly date: string;
  readonly ohlc: Readonly<Record<'open' | 'high' | 'low' | 'close', string>>;
  readonly settlementPrice: string;
}

interface Directory {
  readonly products: readonly { readonly product_id: number; readonly type: string; readonly symbol: string }[];
}

it('has no price of a perpetual that would pass for a bad tick, in two years', async () => {
  const desk = await openRecordedDesk();
  const read = async <Body>(target: string): Promise<Body> =>
    (await (await fetch(new URL(target, desk.address))).json()) as Body;
  try {
    const { products } = await read<Directory>('/api/desk/products');
    const perpetuals = products.filter(({ type }) => type === 'perpetual');
    const far: string[] = [];
    let days = 0;
    for (const { product_id: id, symbol } of perpetuals) {
      const rows = await read<readonly Row[]>(`/api/web/charts/price/${String(id)}?begin_time=2001-01-01T00:00:00Z`);
      days += rows.length;
      for (const {
        date,
        ohlc: { open, high, low, close },
        settlementPrice,
      } of rows)
        if ([open, high, low, close].some((price) => Math.abs(Number(price) / Number(settlementPrice) - 1) > 0.4))
          far.push(`${symbol} ${date}`);
    }
    // One perpetual was launched only a few days earlier.
    expect(days).toBeGreaterThan(700 * (perpetuals.length - 1));
    expect(far).toEqual([]);
  } finally {
    await desk.close();
  }
});
