import { useApi } from '#api/react/use-api.tsx';
import type { Instant } from '#contract/instant.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { atParam, toAtText } from './travel-params.ts';

/** Goes back in time, beginning with the reading on screen. */
export function TravelButton({ readTo }: { readonly readTo: Instant | null }) {
  const { now } = useApi();
  const [, setAt] = useUrlState(atParam, 'push');
  return (
    <button
      type="button"
      title="Working orders as they were at an earlier time, by the journal"
      onClick={() => {
        setAt(readTo ?? toAtText(now()));
      }}
    >
      Time travel
    </button>
  );
}
