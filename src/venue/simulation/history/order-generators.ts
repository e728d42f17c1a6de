import { halfSpread } from '../products/activity.ts';
import {
  atLeastOne,
  between,
  unreachedPrice,
  closedAt,
  draftOf,
  finish,
  part,
  toward,
  type Opening,
  type GeneratorContext,
  type GeneratedOrder,
} from './generated-order.ts';

const HOUR = 3_600_000_000;
const LONGEST_GTC = 240 * HOUR;

/** A closed order: executed at once, filled while it rested, cancelled or expired. */
export function makeClosed(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const share = context.random.next();
  if (share < 0.5) return makeAggressive(opening, context);
  if (share < 0.75) return makeFilled(opening, context);
  return makeUnfilled(opening, context);
}

/** A working order: away from all prices since it was sent, or partially filled at the furthest of them. */
export function makeResting(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const draft = draftOf(opening, context, opening.settle > opening.now && random.chance(0.6) ? 'Day' : 'GTC');
  const partly = random.chance(0.3) && draft.requested > 1;
  const price = unreachedPrice(draft, { from: opening.time, until: opening.now, touched: partly }, context);
  const until = Math.min(opening.settle, opening.now);
  return finish(draft, price, {
    status: 'Working',
    closedAt: null,
    fills: partly
      ? [{ time: between(opening.time, until, random), price, quantity: part(draft.requested, random) }]
      : [],
  });
}

/** Executes against the quotes at once. */
function makeAggressive(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.pick(['IOC', 'IOC', 'IOC', 'Day', 'GTC']));
  const { product, time, requested, timeInForce } = draft;
  const fair = prices.fair(product, time);
  const best = atLeastOne(product, Math.round(fair) + toward(draft) * halfSpread(product, fair));
  const unfilled = timeInForce === 'IOC' && random.chance(0.25);
  if (unfilled) {
    return finish(draft, atLeastOne(product, best - toward(draft) * random.between(1, 6)), closedAt(time, []));
  }
  const filled = timeInForce === 'IOC' && random.chance(0.25) ? part(requested, random) : requested;
  const first = filled > 3 && random.chance(0.5) ? part(filled, random) : filled;
  const fills = [{ time, price: best, quantity: first }];
  const worse = atLeastOne(product, best + toward(draft) * random.between(1, 3));
  if (first < filled) fills.push({ time, price: worse, quantity: filled - first });
  return finish(draft, atLeastOne(product, worse + toward(draft) * random.between(0, 4)), closedAt(time, fills));
}

/** Rests until the market reaches it. */
function makeFilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.chance(0.6) ? 'Day' : 'GTC');
  const { product, time, requested } = draft;
  const until = Math.min(opening.settle, opening.now, time + Math.floor(random.wait(2 * HOUR)));
  const times = Array.from({ length: 5 }, () => between(time, until, random)).sort((a, b) => a - b);
  const values = times.map((at) => atLeastOne(product, Math.round(prices.fair(product, at))));
  const price = toward(draft) > 0 ? Math.min(...values) : Math.max(...values);
  const filledAt = times[values.indexOf(price)] ?? time;
  const first = random.chance(0.4) && requested > 1 ? part(requested, random) : requested;
  const fills = [{ time: filledAt, price, quantity: first }];
  const last = between(filledAt, until, random);
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
  const price = unreachedPrice(draft, { from: time, until: closed, touched: partly }, context);
  const filledAt = between(time, Math.min(closed, settle), random);
  return finish(
    draft,
    price,
    closedAt(closed, partly ? [{ time: filledAt, price, quantity: part(requested, random) }] : []),
  );
}
