import type { Micros, PremiumSample, Product, Session, Trade } from '../model.ts';
import type { Changes } from '../ports.ts';
import { createAgenda, RANKS } from './agenda.ts';
import { isListed, type Floor } from './floor.ts';
import { createHours } from './hours.ts';
import { createLedger } from './ledger.ts';
import { createMakers } from './makers.ts';
import { startMembers } from './members.ts';
import { startPulse } from './pulse.ts';
import { createRandom } from './random.ts';
import { startPublication, startSettlement } from './settlement.ts';
import { startTakers } from './takers.ts';

/** How often makers look at a product; perpetuals are looked at when they are sampled. */
const LOOK_EVERY = { perpetual: Infinity, future: 30_000_000, spread: 120_000_000, option: 120_000_000 } as const;
/** Changes that are written at a time, about. */
const STEP_SIZE = 2_000;

/** Where the market stood when it was last seen. */
export interface Standing {
  readonly reached: Micros;
  /** What traded in the sessions in progress, oldest first. */
  readonly trades: readonly Trade[];
  readonly samples: readonly PremiumSample[];
  /** Settled sessions whose open interest is still to be published. */
  readonly unpublished: readonly Session[];
  readonly interest: Map<number, number>;
}

/** The live market. What it does follows from where it starts, however its time is sliced. */
export interface Simulation {
  /** Goes on until then, or until there is enough to write. */
  readonly step: (until: Micros) => { readonly changes: Changes; readonly reached: Micros };
}

export function createSimulation(floor: Floor, standing: Standing): Simulation {
  const start = standing.reached;
  const agenda = createAgenda();
  const hours = createHours();
  const ledger = createLedger(standing.trades);
  const makers = createMakers({ floor, ledger, hours, start });
  const traders = { floor, agenda, ledger, hours, start };

  const open = (product: Product, now: Micros): void => {
    makers.refresh(product, now);
    startTakers(product, now, traders);
    const period = LOOK_EVERY[product.kind];
    if (period === Infinity) return;
    // Each at its own second of the minute, so that there is always little to do at once.
    const phase = Math.floor(createRandom(floor.story.seed, `look/${product.id}`).next() * period);
    const look = (time: Micros): void => {
      if (!isListed(product, time)) return;
      makers.refresh(product, time);
      const { open: opens } = hours.sessionOf(product, time);
      agenda.add(opens > time ? opens + phase : time + period, RANKS.quote, look);
    };
    agenda.add(now + phase, RANKS.quote, look);
  };
  const onListed = (products: readonly Product[], now: Micros): void => {
    for (const product of products) {
      if (isListed(product, now)) open(product, now);
      else if (product.listedAt > now)
        agenda.add(product.listedAt, RANKS.listing, (time) => {
          open(product, time);
        });
    }
  };
  const settlement = { floor, agenda, ledger, interest: standing.interest, onListed };

  startSettlement('daily', start, settlement);
  startSettlement('weekdays', start, settlement);
  startPublication(standing.unpublished, settlement);
  onListed([...floor.products.values()], start);
  startPulse(start, standing.samples, { floor, agenda, ledger, makers });
  startMembers(start, traders);

  let reached = start;
  return {
    step: (until) => {
      while (agenda.next() <= until && (ledger.size() < STEP_SIZE || agenda.next() === reached)) {
        reached = agenda.next();
        agenda.runNext();
      }
      // What is due at one instant is never torn apart: it would be lost if the rest were not reached.
      if (agenda.next() > until) reached = Math.max(reached, until);
      return { changes: ledger.take(), reached };
    },
  };
}
