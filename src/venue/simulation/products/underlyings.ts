/** An underlying, with its usual price in USD, its yearly volatility and its share of the market's moves. */
export interface Underlying {
  readonly unit: string;
  readonly usd: number;
  readonly volatility: number;
  readonly beta: number;
}

const ROWS: readonly (readonly [string, number, number, number])[] = [
  ['SHIB', 0.0000125, 0.75, 1.2],
  ['BCH', 520, 0.7, 1],
  ['XTZ', 0.8, 0.75, 1.1],
  ['DOT', 4.2, 0.75, 1.2],
  ['LTC', 96, 0.65, 1],
  ['HBAR', 0.21, 0.8, 1.2],
  ['ETH', 3350, 0.62, 1.1],
  ['SOL', 172, 0.72, 1.2],
  ['XLM', 0.32, 0.75, 1.1],
  ['ADA', 0.71, 0.75, 1.2],
  ['LINK', 17.4, 0.72, 1.2],
  ['BTC', 97_500, 0.46, 0.9],
  ['DOGE', 0.19, 0.8, 1.3],
  ['AVAX', 22.5, 0.75, 1.2],
  ['AAVE', 245, 0.78, 1.1],
  ['XRP', 2.45, 0.72, 1],
  ['TRX', 0.31, 0.5, 0.6],
];

export const UNDERLYINGS: ReadonlyMap<string, Underlying> = new Map(
  ROWS.map(([unit, usd, volatility, beta]) => [unit, { unit, usd, volatility, beta }]),
);
