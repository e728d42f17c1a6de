import { isOpen, scheduleOf } from '../../market/calendar.ts';
import { atLeastOneTick, halfSpread, quoteStep } from '../products/activity.ts';
import { quoteFor } from './background-trades.ts';
import {
  between,
  unreachedPrice,
  findTurn,
  closedAt,
  draftOf,
  finish,
  part,
  toward,
  type Opening,
  type GeneratorContext,
  type GeneratedOrder,
} from './generated-order.ts';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const LONGEST_GTC = 240 * HOUR;

/** A closed order: executed at once, filled while it rested, cancelled or expired. */
export function makeClosed(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const share = context.random.next();
  if (share < 0.5) return makeAggressive(opening, context);
  if (share < 0.75) return makeFilled(opening, context);
  return makeUnfilled(opening, context);
}

/** A working order: away from all prices since it was sent, or, if it is not old, partially filled where they turned. */
export function makeResting(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const draft = draftOf(opening, context, opening.settle > opening.now && random.chance(0.6) ? 'Day' : 'GTC');
  const period = { from: opening.time, until: opening.now };
  const partly = random.chance(0.4) && draft.requested > 1 && period.until - period.from < LONGEST_GTC;
  // Prices move on while the market is closed, and would pass an order that was close.
  if (!partly || !isOpen(scheduleOf(opening.product.kind), opening.now)) {
    return finish(draft, unreachedPrice(draft, period, context), { status: 'Working', closedAt: null, fills: [] });
  }
  const turn = findTurn(draft, period, context);
  const fills = [{ ...turn, quantity: part(draft.requested, random) }];
  return finish(draft, turn.price, { status: 'Working', closedAt: null, fills });
}

/** Executes against the quotes at once. */
function makeAggressive(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.pick(['IOC', 'IOC', 'IOC', 'Day', 'GTC']));
  const { product, time, requested, timeInForce } = draft;
  const fair = prices.fair(product, time);
  const best = quoteFor(draft.side, product, fair);
  const unfilled = timeInForce === 'IOC' && random.chance(0.25);
  if (unfilled) {
    return finish(draft, atLeastOneTick(product, best - toward(draft) * random.between(1, 6)), closedAt(time, []));
  }
  const filled = timeInForce === 'IOC' && random.chance(0.25) ? part(requested, random) : requested;
  const first = filled > 3 && random.chance(0.5) ? part(filled, random) : filled;
  const fills = [{ time, price: best, quantity: first }];
  const worse = atLeastOneTick(product, best + toward(draft) * quoteStep(halfSpread(product, fair)));
  if (first < filled) fills.push({ time, price: worse, quantity: filled - first });
  return finish(draft, atLeastOneTick(product, worse + toward(draft) * random.between(0, 4)), closedAt(time, fills));
}

/** Rests until the market reaches it. */
function makeFilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.chance(0.6) ? 'Day' : 'GTC');
  const { product, time, requested } = draft;
  const until = Math.min(opening.settle, opening.now, time + Math.floor(random.wait(2 * HOUR)));
  const times = Array.from({ length: 5 }, () => between(time, until, random)).sort((a, b) => a - b);
  const values = times.map((at) => atLeastOneTick(product, Math.round(prices.fair(product, at))));
  const price = toward(draft) > 0 ? Math.min(...values) : Math.max(...values);
  const filledAt = times[values.indexOf(price)] ?? time;
  const first = random.chance(0.4) && requested > 1 ? part(requested, random) : requested;
  const fills = [{ time: filledAt, price, quantity: first }];
  const last = between(filledAt, Math.min(until, filledAt + MINUTE), random);
  if (first < requested) fills.push({ time: last, price, quantity: requested - first });
  return finish(draft, price, closedAt(fills.at(-1)?.time ?? filledAt, fills));
}

/** Rests mostly unfilled until it is cancelled or expires. */
function makeUnfilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const timeInForce = random.chance(0.6) ? 'Day' : 'GTC';
  const draft = draftOf(opening, context, timeInForce);
  const { time, product, settle, now, requested } = draft;
  const end = timeInForce === 'Day' ? settle : Math.min(product.expiresAt ?? Infinity, time + LONGEST_GTC);
  const expires = end <= now && random.chance(0.4);
  const closed = expires ? end : between(time, Math.min(end, now), random);
  const partly = random.chance(0.4) && requested > 1;
  const period = { from: time, until: closed };
  if (!partly) return finish(draft, unreachedPrice(draft, period, context), closedAt(closed, []));
  const turn = findTurn(draft, period, context);
  return finish(draft, turn.price, closedAt(closed, [{ ...turn, quantity: part(requested, random) }]));
}
