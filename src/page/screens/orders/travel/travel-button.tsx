import { useApi } from '#page/client/react/use-api.tsx';
import type { Instant } from '#contract/exchange/instant.ts';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { atParam, toAtText } from './travel-params.ts';

const NAME = 'Time travel';
const REMARK = 'Working orders as they were at an earlier time';

/** Goes back in time, beginning with the reading on screen. */
export function TravelButton({ readTo }: { readonly readTo: Instant | null }) {
  const { now } = useApi();
  const [, setAt] = useUrlState(atParam, 'push');
  const travel = (): void => {
    setAt(readTo ?? toAtText(now()));
  };
  useProvideCommands(() => [{ group: 'Orders', label: NAME, remark: REMARK, run: travel }]);
  return (
    <button type="button" title={REMARK} onClick={travel}>
      {NAME}
    </button>
  );
}
