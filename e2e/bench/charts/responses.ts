import { startDesk } from '../../../src/testing/start-desk.ts';
import { createFigures } from './figures.ts';

const MARKET_TARGETS = [
  '/api/desk/products',
  '/api/web/market/stats/trailing/all-products',
  '/api/web/charts/voi',
  '/api/funding-rates/',
  '/api/product/data/',
];

/** The responses that Markets is built from, as the embedded exchange sends them. */
export async function readMarketResponses(): Promise<ReadonlyMap<string, string>> {
  const desk = await startDesk();
  try {
    const responses = new Map<string, string>();
    for (const target of MARKET_TARGETS) {
      const response = await fetch(new URL(target, desk.server.address));
      if (!response.ok) throw new Error(`${target}: ${String(response.status)} ${await response.text()}`);
      responses.set(target, await response.text());
    }
    return responses;
  } finally {
    await desk.stop();
  }
}

/** Ten years of a product that trades every day. */
export function createPriceResponses(today: number): ReadonlyMap<string, string> {
  const { prices, voi } = createFigures(today);
  const product = {
    product_id: 1,
    symbol: 'PBTCUCZ50',
    base_symbol: 'BTCUC',
    product_name: 'Perpetual',
    type: 'future',
    contract_size: 0.01,
    contract_size_unit: 'BTC',
    price_increment: 5,
    product_status: 'active',
  };
  return new Map([
    [
      '/api/desk/products',
      JSON.stringify({ source: 'product/specs', read_at: new Date(today).toISOString(), products: [product] }),
    ],
    ['/api/web/charts/price/1', JSON.stringify(prices)],
    ['/api/web/charts/voi', JSON.stringify(voi)],
    ['/api/web/market/stats/trailing/1', JSON.stringify({ productId: 1, volume: 4_000, notionalVolume: 5_000_000 })],
  ]);
}
