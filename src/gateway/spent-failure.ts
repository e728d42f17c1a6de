import { VenueFailure } from './ports.ts';

/** Why a read cannot be paid for now. `said` says of the time left what may be done after it. */
export function spentFailure(waitMs: number, said: (wait: string) => string): VenueFailure {
  const seconds = Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1_000)) : 1;
  return new VenueFailure({ type: 'budget-spent', detail: said(`${String(seconds)} s`), retryAfterSeconds: seconds });
}
