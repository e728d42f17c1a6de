import { expect, it } from 'vitest';
import { toOrderDepth } from '../../orders/order-depth.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toDepthArea, toDepthBox, toDepthPath } from './depth-path.ts';

const SIZE = { width: 220, height: 100 } as const;

function draw(...orders: readonly { readonly side: 'Bid' | 'Ask'; readonly price: number; readonly left: number }[]) {
  const depth = toOrderDepth(
    toRows(
      readOrders(
        orders.map(({ side, price, left }, index) => ({
          id: String(index + 1),
          side,
          price,
          quantity_requested: left,
          quantity_filled: 0,
        })),
      ),
    ),
  );
  const box = toDepthBox(depth, SIZE);
  return {
    bids: toDepthArea(toDepthPath(depth.bids, 'down', box), box),
    asks: toDepthPath(depth.asks, 'up', box),
    beyond: box.beyond,
  };
}

it('rises at each price by the quantity there, the deepest level included', () => {
  const { bids, asks, beyond } = draw(
    { side: 'Bid', price: 100, left: 1 },
    { side: 'Bid', price: 60, left: 3 },
    { side: 'Ask', price: 140, left: 4 },
  );
  // Prices from 56 to 144 fill 220 px; four contracts are the whole height.
  expect(bids).toBe('M110.0 100.0H110.0V75.0H10.0V0.0H0.0V100.0Z');
  expect(asks).toBe('M210.0 100.0H210.0V0.0H220.0');
  expect(beyond * SIZE.width).toBeCloseTo(10);
});

it('shows a single price of one side', () => {
  const { bids, asks } = draw({ side: 'Bid', price: 100, left: 2 });
  expect(bids).toBe('M110.0 100.0H110.0V0.0H0.0V100.0Z');
  expect(asks).toBe('');
});
