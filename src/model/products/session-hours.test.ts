import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { listSessionHours } from './session-hours.ts';

const product = (opens: string | undefined, settles: string, status = 'active') =>
  ({ product_status: status, daily_open_time: opens, daily_settle_time: settles }) as unknown as DeskProduct;

it('lists the published times by the number of active products that have them', () => {
  expect(
    listSessionHours([
      product('16:00:00', '16:00:00'),
      product('19:00:00', '16:00:00'),
      product('19:00:00', '16:00:00'),
      product('09:00:00', '15:00:00', 'expired'),
      product(undefined, '16:00:00'),
      product('soon', '16:00:00'),
    ]),
  ).toEqual([
    { from: '19:00', to: '16:00', count: 2 },
    { from: '16:00', to: '16:00', count: 1 },
  ]);
});
