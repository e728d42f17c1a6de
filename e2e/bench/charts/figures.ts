import { createRandom } from '../lib/random.ts';

const DAY_MS = 86_400_000;
const YEARS = 10;

const TICK = 5;

function toTick(price: number): number {
  return Math.round(price / TICK) * TICK;
}

/**
 * Ten years of daily figures of one perpetual in the exchange's format, up to yesterday. They agree with each other, since
 * the screen withholds prices that contradict the value of open interest.
 */
export function createFigures(today: number) {
  const random = createRandom(20_261_121);
  const count = Math.round(YEARS * 365.25);
  let level = 40_000;
  const days = Array.from({ length: count }, (_, index) => {
    const date = new Date(today - (count - index) * DAY_MS).toISOString().slice(0, 10);
    const open = level;
    const close = toTick(Math.max(1_000, open * (1 + (random() - 0.5) * 0.06)));
    level = close;
    return {
      date,
      open,
      close,
      high: toTick(Math.max(open, close) * (1 + random() * 0.02)),
      low: toTick(Math.min(open, close) * (1 - random() * 0.02)),
      volume: Math.floor(random() * 5_000),
    };
  });
  const text = (price: number): string => `${price.toFixed(4)}000000`;
  return {
    prices: days.map(({ date, open, high, low, close, volume }) => ({
      date,
      time: `${date}T22:00:00Z`,
      ohlc: { open: text(open), high: text(high), low: text(low), close: text(close), volume },
      settlementPrice: text(close),
    })),
    voi: days.map(({ date, close, volume }) => {
      const openInterest = 2_000 + Math.floor(random() * 6_000);
      return {
        date,
        productId: 1,
        baseSymbol: 'BTCUC',
        volume,
        notionalVolume: Math.round(volume * close),
        openInterest,
        notionalOpenInterest: Math.round(openInterest * close),
      };
    }),
  };
}
