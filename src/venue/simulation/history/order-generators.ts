import { halfSpread } from '../products/activity.ts';
import {
  atLeastOne,
  between,
  beyond,
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

/** An order that is closed by now: taken at once, filled while it rested, cancelled or expired. */
export function makeClosed(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const share = context.random.next();
  if (share < 0.5) return makeTaking(opening, context);
  if (share < 0.75) return makeFilled(opening, context);
  return makeUnfilled(opening, context);
}

/** An order that still rests: away from all prices since it was sent, or filled in part at the furthest of them. */
export function makeResting(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const draft = draftOf(opening, context, opening.settle > opening.now && random.chance(0.6) ? 'Day' : 'GTC');
  const partly = random.chance(0.3) && draft.requested > 1;
  const price = beyond(draft, { from: opening.time, until: opening.now, touched: partly }, context);
  const until = Math.min(opening.settle, opening.now);
  return finish(draft, price, {
    status: 'Working',
    closedAt: null,
    fills: partly
      ? [{ time: between(opening.time, until, random), price, quantity: part(draft.requested, random) }]
      : [],
  });
}

/** It met what was quoted. */
function makeTaking(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.pick(['IOC', 'IOC', 'IOC', 'Day', 'GTC']));
  const { product, time, requested, timeInForce } = draft;
  const fair = prices.fair(product, time);
  const best = atLeastOne(product, Math.round(fair) + toward(draft) * halfSpread(product, fair));
  const missed = timeInForce === 'IOC' && random.chance(0.25);
  if (missed) {
    return finish(draft, atLeastOne(product, best - toward(draft) * random.between(1, 6)), closedAt(time, []));
  }
  const filled = timeInForce === 'IOC' && random.chance(0.25) ? part(requested, random) : requested;
  const first = filled > 3 && random.chance(0.5) ? part(filled, random) : filled;
  const fills = [{ time, price: best, quantity: first }];
  const worse = atLeastOne(product, best + toward(draft) * random.between(1, 3));
  if (first < filled) fills.push({ time, price: worse, quantity: filled - first });
  return finish(draft, atLeastOne(product, worse + toward(draft) * random.between(0, 4)), closedAt(time, fills));
}

/** It rested until the market came to it. */
function makeFilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.chance(0.6) ? 'Day' : 'GTC');
  const { product, time, requested } = draft;
  const until = Math.min(opening.settle, opening.now, time + Math.floor(random.wait(2 * HOUR)));
  const moments = Array.from({ length: 5 }, () => between(time, until, random)).sort((a, b) => a - b);
  const values = moments.map((moment) => atLeastOne(product, Math.round(prices.fair(product, moment))));
  const price = toward(draft) > 0 ? Math.min(...values) : Math.max(...values);
  const met = moments[values.indexOf(price)] ?? time;
  const first = random.chance(0.4) && requested > 1 ? part(requested, random) : requested;
  const fills = [{ time: met, price, quantity: first }];
  const last = between(met, until, random);
  if (first < requested) fills.push({ time: last, price, quantity: requested - first });
  return finish(draft, price, closedAt(fills.at(-1)?.time ?? met, fills));
}

/** It rested in vain, or nearly: cancelled, or ended by its session. */
function makeUnfilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const timeInForce = random.chance(0.6) ? 'Day' : 'GTC';
  const draft = draftOf(opening, context, timeInForce);
  const { time, product, settle, now, requested } = draft;
  const end = timeInForce === 'Day' ? settle : Math.min(product.expiresAt ?? Infinity, time + LONGEST_GTC);
  const expires = end <= now && random.chance(0.4);
  const closed = expires ? end : between(time, Math.min(end, now), random);
  const partly = random.chance(0.4) && requested > 1;
  const price = beyond(draft, { from: time, until: closed, touched: partly }, context);
  const met = between(time, Math.min(closed, settle), random);
  return finish(
    draft,
    price,
    closedAt(closed, partly ? [{ time: met, price, quantity: part(requested, random) }] : []),
  );
}
