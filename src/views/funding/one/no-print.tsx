import { Nothing } from '#ui/panel/panel-body.tsx';
import { Moment } from '#ui/time/moment.tsx';
import type { OneData } from './one-data.ts';

/** Why there is nothing to draw: it is not read, not settled yet, or lies outside the range. */
export function NoPrint({ data: { series, perpetual } }: { readonly data: OneData }) {
  const name = perpetual.base_symbol;
  if (series.settledTo !== null) {
    return (
      <Nothing title="No settled print counts in this range">
        <p>
          The newest known of {name} ended <Moment at={new Date(series.settledTo).toISOString()} />. A longer range shows more of its past.
        </p>
      </Nothing>
    );
  }
  if (series.isBehind) {
    return (
      <Nothing title={`Settled funding of ${name} could not be read`}>
        <p>{perpetual.stale_because} The page asks again by itself.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title={`${name} has no settled funding yet`}>
      <p>A new perpetual’s first rate is that of the first interval that begins after its launch: until then it is not listed, and nothing is missing.</p>
    </Nothing>
  );
}
