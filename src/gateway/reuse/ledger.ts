import { VenueFailure, type Ledger, type Permit, type Purpose } from '../ports.ts';
import { spentFailure } from '../spent-failure.ts';
import type { Tally } from './tally.ts';
import { createWaitingLine, type Schedule } from './waiting-line.ts';

/** How long a read of each kind may wait for its turn. What nobody asked for does not wait. */
const PATIENCE_MS: Readonly<Record<Purpose, number>> = {
  click: 15_000,
  working: 10_000,
  trailing: 5_000,
  estimates: 5_000,
  history: 5_000,
  prefetch: 0,
};

/** Spends the venue's budget: never more than it, the most urgent first. `elapsed` goes on evenly, however the clock is set. */
export function createLedger(tally: Tally, schedule: Schedule, elapsed: () => number): Ledger {
  let heldUntil = -Infinity;
  let isClosed = false;
  const waitFor = (purpose: Purpose): number => Math.max(tally.waitFor(purpose, 1), heldUntil - elapsed());
  const line = createWaitingLine({ waitFor, schedule });

  const refusal = (purpose: Purpose, wait: number): VenueFailure => {
    const { limit, used } = tally.state();
    const isReserveLeft = limit !== null && used < limit.requests && purpose !== 'click' && elapsed() >= heldUntil;
    return spentFailure(wait, isReserveLeft ? toReserveDetail : toDetail);
  };

  const spend = (purpose: Purpose): Permit => {
    const entry = tally.add(purpose);
    return {
      settle: () => {
        tally.settle(entry);
        line.serve();
      },
    };
  };

  const take: Ledger['take'] = async (purpose, signal) => {
    signal.throwIfAborted();
    if (isClosed) throw closingFailure();
    if (elapsed() < heldUntil) throw refusal(purpose, heldUntil - elapsed());
    const wait = tally.waitFor(purpose, 1 + line.ahead(purpose));
    const patienceMs = PATIENCE_MS[purpose];
    if (Number.isFinite(wait) && wait > patienceMs) throw refusal(purpose, wait);
    if (wait <= 0) return spend(purpose);
    const tooLate = () => refusal(purpose, waitFor(purpose));
    return line.wait(purpose, { onTurn: () => spend(purpose), signal, patienceMs, tooLate });
  };

  const hold = (seconds: number): void => {
    // Who was refused sooner may hear of it later, and of a shorter time.
    heldUntil = Math.max(heldUntil, elapsed() + seconds * 1_000);
    line.serve();
  };

  const close = (): void => {
    isClosed = true;
    line.close(closingFailure());
  };

  return { take, hold, state: () => ({ ...tally.state(), waiting: line.length() }), close };
}

function closingFailure(): VenueFailure {
  return new VenueFailure({ type: 'budget-spent', detail: 'The desk is closing: nothing more is sent to the venue.' });
}

function toDetail(wait: string): string {
  return `The venue’s request budget is spent; the next request may go out in ${wait}.`;
}

/** The page counts what is left beside it: that is not spent, and not for everybody. */
function toReserveDetail(wait: string): string {
  return `What is left of the venue’s request budget is kept for clicks; the next request of this kind may go out in ${wait}.`;
}
