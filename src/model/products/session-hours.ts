import type { DeskProduct } from '#contract/desk/desk.ts';
import { isActive } from './is-active.ts';

/** The daily times of sessions in Chicago, such as `16:00`, and how many active products have them. */
export interface SessionHours {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d/;

/** Lists the daily times that the exchange publishes, those of the most products first. */
export function listSessionHours(products: readonly DeskProduct[]): readonly SessionHours[] {
  const times = products.filter(isActive).flatMap(({ daily_open_time: from = '', daily_settle_time: to = '' }) => {
    const [opens, settles] = [CLOCK.exec(from)?.[0], CLOCK.exec(to)?.[0]];
    return opens === undefined || settles === undefined ? [] : [{ from: opens, to: settles }];
  });
  return [...Map.groupBy(times, ({ from, to }) => `${from} ${to}`).values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], count: same.length }]))
    .toSorted((a, b) => b.count - a.count);
}
