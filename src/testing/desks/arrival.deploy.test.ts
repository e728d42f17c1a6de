import { expect, onTestFinished, test } from 'vitest';
import type { FromReader } from '#page/client/live/live.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import { toRows } from './counting-exchange.ts';
import { startSetOfDesks } from './set-of-desks.ts';
import { openWanderingClient } from './wandering-client.ts';

const CHANGES = 100;
/** A desk that does not lead looks this often for readings of the leader. */
const LOOK_MS = 300;

/** When a stream received the change of an order, by its ID and the time of the change. */
type Arrivals = Map<string, number>;

function noteArrivals(arrivals: Arrivals) {
  return (message: FromReader): void => {
    if (message.kind !== 'rows') return;
    for (const [id, row] of toRows(`[${cutAtList(message.text, 'orders').list ?? ''}]`)) {
      const { last_modified: at } = JSON.parse(row) as { readonly last_modified: string };
      arrivals.set(`${at} ${id}`, message.receivedAt);
    }
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

test(
  'a change reaches the streams of another desk than the leader about as soon as those of the leader',
  { timeout: 900_000 },
  async () => {
    const set = await startSetOfDesks({
      names: ['one', 'two'],
      environment: { DESK_ACCESS: 'local', DESK_BUDGET: '600/30', DESK_JOURNAL_SECONDS: '5' },
      isBehindOthers: false,
      activity: 20,
    });
    // Two streams at each desk, the leader first, in one process and thus by one clock.
    const streams = set.desks.flatMap(({ address }) =>
      [1, 2].map(() => {
        const arrivals: Arrivals = new Map();
        const client = openWanderingClient({
          chooseDesk: () => address,
          headers: {},
          random: () => 1,
          mostMs: 1e9,
          onMessage: noteArrivals(arrivals),
        });
        return { arrivals, client };
      }),
    );
    onTestFinished(async () => {
      for (const { client } of streams) client.close();
      await set.stop();
    });
    const [ofLeader, besideIt, ofOther, besideOther] = streams.map(({ arrivals }) => arrivals) as [
      ...[Arrivals, Arrivals, Arrivals, Arrivals],
    ];
    const common = () =>
      [...ofLeader].filter(([change]) => [besideIt, ofOther, besideOther].every((each) => each.has(change)));
    await expect.poll(() => common().length, { timeout: 600_000, interval: 1_000 }).toBeGreaterThanOrEqual(CHANGES);
    const changes = common().map(([change]) => change);
    const delayOf = (arrivals: Arrivals): number =>
      medianOf(changes.map((change) => (arrivals.get(change) ?? NaN) - Date.parse(change.split(' ')[0] ?? '')));
    const between = (one: Arrivals, other: Arrivals): number =>
      medianOf(changes.map((change) => (other.get(change) ?? NaN) - (one.get(change) ?? NaN)));
    const [leader, other] = [delayOf(ofLeader), delayOf(ofOther)];
    console.log(
      `${String(changes.length)} changes; from the change to its arrival, median: ${String(leader)} and ` +
        `${String(delayOf(besideIt))} ms at two streams of the leader, ${String(other)} and ` +
        `${String(delayOf(besideOther))} ms at two streams of another desk: ${(other / leader).toFixed(2)} times. ` +
        `Later than at the leader: ${String(between(ofLeader, besideIt))} ms at its other stream, ` +
        `${String(between(ofLeader, ofOther))} ms at the other desk.`,
    );
    expect(between(ofLeader, ofOther)).toBeLessThanOrEqual(LOOK_MS);
    expect(other / leader).toBeLessThanOrEqual(1.5);
  },
);
