import type { Micros, Product } from '../../model.ts';
import type { Changes } from '../../ports.ts';
import { createEventQueue, EVENT_RANKS } from './event-queue.ts';
import { isListed, type MarketSetup } from '../market-setup.ts';
import type { ResumeState } from '../resume-state.ts';
import { createCachedCalendar } from './cached-calendar.ts';
import { createChangeBuffer } from './change-buffer.ts';
import { createMarketMakers } from './market-makers.ts';
import { startAccountTrading } from './account-trading.ts';
import { startFundingSampler } from './funding-sampler.ts';
import { createRandom } from '../random.ts';
import { startPublication, startSettlement } from './settlement.ts';
import { startTakers } from './takers.ts';

/** How often makers look at a product; perpetuals are looked at when they are sampled. */
const QUOTE_PERIODS = { perpetual: Infinity, future: 30_000_000, spread: 120_000_000, option: 120_000_000 } as const;
/** Changes that are written at a time, about. */
const STEP_SIZE = 2_000;

/** The live market. What it does follows from where it starts, however its time is sliced. */
export interface Simulator {
  /** Goes on until then, or until there is enough to write. */
  readonly step: (until: Micros) => { readonly changes: Changes; readonly reached: Micros };
}

export function createSimulator(setup: MarketSetup, resumeState: ResumeState): Simulator {
  const start = resumeState.reached;
  const events = createEventQueue();
  const calendar = createCachedCalendar();
  const buffer = createChangeBuffer(resumeState.trades);
  const makers = createMarketMakers({ setup, buffer, calendar, start });
  const traders = { setup, events, buffer, calendar, start };

  const open = (product: Product, now: Micros): void => {
    makers.refresh(product, now);
    startTakers(product, now, traders);
    const period = QUOTE_PERIODS[product.kind];
    if (period === Infinity) return;
    // Each at its own second of the minute, so that there is always little to do at once.
    const phase = Math.floor(createRandom(setup.settings.seed, `look/${product.id}`).next() * period);
    const look = (time: Micros): void => {
      if (!isListed(product, time)) return;
      makers.refresh(product, time);
      const { open: opens } = calendar.sessionOf(product, time);
      events.add(opens > time ? opens + phase : time + period, EVENT_RANKS.quote, look);
    };
    events.add(now + phase, EVENT_RANKS.quote, look);
  };
  const onListed = (products: readonly Product[], now: Micros): void => {
    for (const product of products) {
      if (isListed(product, now)) open(product, now);
      else if (product.listedAt > now)
        events.add(product.listedAt, EVENT_RANKS.listing, (time) => {
          open(product, time);
        });
    }
  };
  const settlement = { setup, events, buffer, interest: resumeState.interest, onListed };

  startSettlement('daily', start, settlement);
  startSettlement('weekdays', start, settlement);
  startPublication(resumeState.unpublished, settlement);
  onListed([...setup.products.values()], start);
  startFundingSampler(start, resumeState.samples, { setup, events, buffer, makers });
  startAccountTrading(start, traders);

  let reached = start;
  return {
    step: (until) => {
      while (events.next() <= until && (buffer.size() < STEP_SIZE || events.next() === reached)) {
        reached = events.next();
        events.runNext();
      }
      // What is due at one instant is never torn apart: it would be lost if the rest were not reached.
      if (events.next() > until) reached = Math.max(reached, until);
      return { changes: buffer.take(), reached };
    },
  };
}
