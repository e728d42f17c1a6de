import type { CallTest } from '#contract/desk/calls.ts';
import type { Calls } from './open-call-room.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { toAttempt } from './describe-calls.ts';
import { requireAllOrders } from './require-all-orders.ts';

/** Sends a test to a channel, and returns what came of it. */
export function createChannelTest({
  test,
}: Pick<Calls, 'test'>): (request: {
  readonly query: Readonly<Record<string, string>>;
  readonly context: { readonly viewer: Viewer };
}) => Promise<CallTest> {
  return async ({ query: { channel = '' }, context: { viewer } }) => {
    requireAllOrders(viewer);
    const result = await test(channel);
    if (result === null)
      throw new VenueFailure({
        type: 'bad-parameter',
        detail: `The settings name no channel "${channel}".`,
        parameter: 'channel',
      });
    if ('waitSeconds' in result) {
      throw new VenueFailure({
        type: 'too-soon',
        detail: `${channel} was tested a moment ago: wait ${String(result.waitSeconds)} s.`,
        retryAfterSeconds: result.waitSeconds,
      });
    }
    return toAttempt(result);
  };
}
