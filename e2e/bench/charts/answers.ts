import { startDesk } from '../../../src/testing/start-desk.ts';
import { createFigures } from './figures.ts';

const LISTED = [
  '/api/desk/products',
  '/api/web/market/stats/trailing/all-products',
  '/api/web/charts/voi',
  '/api/funding-rates/',
  '/api/product/data/',
];

/** What the list of markets is made of, as our own exchange answers it. */
export async function readMarketAnswers(): Promise<ReadonlyMap<string, string>> {
  const desk = await startDesk();
  try {
    const answers = new Map<string, string>();
    for (const target of LISTED) {
      const response = await fetch(new URL(target, desk.gateway.address));
      if (!response.ok) throw new Error(`${target}: ${String(response.status)} ${await response.text()}`);
      answers.set(target, await response.text());
    }
    return answers;
  } finally {
    await desk.stop();
  }
}

/** Ten years of a product that trades every day. */
export function createPriceAnswers(today: number): ReadonlyMap<string, string> {
  const { prices, voi } = createFigures(today);
  const product = { product_id: 1, symbol: 'PBTCUCZ50', base_symbol: 'BTCUC', product_name: 'Perpetual', type: 'future', contract_size: 0.01, contract_size_unit: 'BTC', price_increment: 5, product_status: 'active' };
  return new Map([
    ['/api/desk/products', JSON.stringify({ source: 'product/specs', read_at: new Date(today).toISOString(), products: [product] })],
    ['/api/web/charts/price/1', JSON.stringify(prices)],
    ['/api/web/charts/voi', JSON.stringify(voi)],
    ['/api/web/market/stats/trailing/1', JSON.stringify({ productId: 1, volume: 4_000, notionalVolume: 5_000_000 })],
  ]);
}
