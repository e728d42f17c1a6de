import type { Micros, Product } from '../../core/model.ts';
import type { Changes } from '../../core/ports.ts';
import { createEventQueue, EVENT_RANKS } from './event-queue.ts';
import { isListed, type MarketSetup } from '../market-setup.ts';
import type { ResumeState } from '../resume-state.ts';
import { createCachedCalendar } from '../../market/calendar.ts';
import { createChangeBuffer } from './change-buffer.ts';
import { createMarketMakers } from './market-makers.ts';
import { startAccountTrading, startTakers } from './traders.ts';
import { startFundingSampler } from './funding-sampler.ts';
import { createRandom } from '../../core/random.ts';
import { startPublication, startSettlement } from './settlement.ts';

/** How often makers check their quotes. Perpetuals are quoted when they are sampled. */
const QUOTE_PERIODS = { perpetual: Infinity, future: 30_000_000, spread: 120_000_000, option: 120_000_000 } as const;
/** The approximate number of changes per step. */
const STEP_SIZE = 2_000;

/** Simulates the live market. The result depends only on the start, not on the size of the steps. */
export interface Simulator {
  /** Advances to an instant, or until there are enough changes to write. */
  readonly step: (until: Micros) => { readonly changes: Changes; readonly reached: Micros };
}

/** `activity` multiplies the number of orders that the accounts send. */
export function createSimulator(setup: MarketSetup, resumeState: ResumeState, activity = 1): Simulator {
  const start = resumeState.reached;
  const events = createEventQueue();
  const calendar = createCachedCalendar();
  const buffer = createChangeBuffer(resumeState.trades);
  const makers = createMarketMakers({ setup, buffer, calendar, start });
  const traders = { setup, events, buffer, calendar, start };

  const startTrading = (product: Product, now: Micros): void => {
    makers.refresh(product, now);
    startTakers(product, now, traders);
    const period = QUOTE_PERIODS[product.kind];
    if (period === Infinity) return;
    // Each product has its own phase, so that the work is spread evenly.
    const phase = Math.floor(createRandom(setup.settings.seed, `look/${product.id}`).next() * period);
    const refresh = (time: Micros): void => {
      if (!isListed(product, time)) return;
      makers.refresh(product, time);
      schedule(time);
    };
    const schedule = (time: Micros): void => {
      const { open } = calendar.sessionOf(product, time);
      // At the opening all products are quoted at once: until then the book contains only orders at yesterday's prices.
      events.add(open > time ? open : time + period - ((time - phase) % period), EVENT_RANKS.quote, refresh);
    };
    schedule(now);
  };
  const onListed = (products: readonly Product[], now: Micros): void => {
    for (const product of products) {
      if (isListed(product, now)) startTrading(product, now);
      else if (product.listedAt > now)
        events.add(product.listedAt, EVENT_RANKS.listing, (time) => {
          startTrading(product, time);
        });
    }
  };
  const settlement = { setup, events, buffer, makers, interest: resumeState.interest, onListed };

  startSettlement('daily', start, settlement);
  startSettlement('weekdays', start, settlement);
  startPublication(resumeState.unpublished, settlement);
  onListed([...setup.products.values()], start);
  startFundingSampler(start, resumeState.samples, { setup, events, buffer, makers });
  startAccountTrading(start, activity, traders);

  let reached = start;
  return {
    step: (until) => {
      while (events.next() <= until && (buffer.size() < STEP_SIZE || events.next() === reached)) {
        reached = events.next();
        events.runNext();
      }
      // All events of an instant belong to one step: a restart between them would lose the later ones.
      if (events.next() > until) reached = Math.max(reached, until);
      return { changes: buffer.take(), reached };
    },
  };
}
