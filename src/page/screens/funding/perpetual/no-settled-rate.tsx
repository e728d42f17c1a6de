import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';

/** Why there is no chart: nothing settled in the range, nothing could be read, or nothing has settled yet. */
export function NoSettledRate({ data: { series, perpetual } }: { readonly data: PerpetualData }) {
  const name = perpetual.base_symbol;
  if (series.settledTo !== null) {
    return (
      <EmptyState title="No valid settled rate in this range">
        <p>
          The latest settled rate of {name} is from <Timestamp at={new Date(series.settledTo).toISOString()} />. Choose
          a longer range to see earlier rates.
        </p>
      </EmptyState>
    );
  }
  if (series.isBehind) {
    return (
      <EmptyState title={`Settled rates of ${name} could not be read`}>
        <p>{perpetual.stale_because} Perpdesk retries automatically.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`${name} has no settled rate yet`}>
      <p>
        The first rate of a new perpetual settles at the end of the first full interval after its listing. Nothing is
        missing until then.
      </p>
    </EmptyState>
  );
}
