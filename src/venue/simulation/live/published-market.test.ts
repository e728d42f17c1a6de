import { describe, expect, it } from 'vitest';
import type { Trade } from '../../core/model.ts';
import { createRandom } from '../../core/random.ts';
import { createTrailingWindow } from './published-market.ts';

const DAY = 86_400_000_000;
const trade = (time: number, quantity: number): Trade => ({
  productId: 1,
  time,
  price: 5,
  quantity,
  cents: quantity * 7,
});

describe('createTrailingWindow', () => {
  it('is null without trades, not zero', () => {
    const window = createTrailingWindow();
    expect(window.at(0)).toBeNull();
    window.add(trade(10, 2));
    expect(window.at(10 + DAY)).toBeNull();
  });

  it('counts a trade for 24 hours, and no longer', () => {
    const window = createTrailingWindow();
    window.add(trade(10, 2));
    expect(window.at(9 + DAY)).toEqual({ volume: 2, cents: 14 });
    expect(window.at(10 + DAY)).toBeNull();
  });

  it('equals the sum of the trades in the window, over thousands of trades', () => {
    const random = createRandom(7, 'trailing');
    const window = createTrailingWindow();
    const all: Trade[] = [];
    let now = 0;
    for (let step = 0; step < 5_000; step++) {
      now += random.between(0, DAY / 400);
      const next = trade(now, random.between(1, 9));
      all.push(next);
      window.add(next);
      const inside = all.filter(({ time }) => time > now - DAY);
      const volume = inside.reduce((sum, { quantity }) => sum + quantity, 0);
      expect(window.at(now)).toEqual({ volume, cents: volume * 7 });
    }
  });
});
