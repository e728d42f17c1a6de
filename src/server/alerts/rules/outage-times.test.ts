import { expect, it } from 'vitest';
import type { DeskRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import { isExchangeAway } from '#model/exchange-outage.ts';
import type { RuleData } from '#model/rules/readings.ts';
import type { RateLimiterState, VenueState } from '#server/core/ports.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { GROUP_WAIT_MS } from '../notifications/outbox.ts';
import { createCrossings } from '#model/rules/crossings.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { createAlertBoard } from './alert-board.ts';
import { toDeskReading } from './rule-data.ts';
import { createRuleEngine } from './rule-engine.ts';

const COMMON: Pick<Rule, 'enabled' | 'severity' | 'channels'> = {
  enabled: true,
  severity: 'critical',
  channels: ['ops'],
};
const MANY: OrdersRule = {
  ...{ ...COMMON, id: 'many', name: 'Many orders', for_seconds: 0, about: 'orders', measure: 'count', filter: {} },
  ...{ each: 'account', comparison: 'over', value: 1, unit: 'orders' },
};
/** As suggested: an outage of ten seconds. */
const AWAY: DeskRule = {
  ...{ ...COMMON, id: 'away', name: 'Exchange away', for_seconds: 10, about: 'desk', measure: 'venue_away' },
};
const ROUND_SECONDS = 5;
const LONGEST_AFTER_FINDING_MS = 15_000;

/** When reads begin to fail, when the circuit opens, and when the exchange responds again, in seconds. */
interface Outage {
  readonly failure: 'venue-unreachable' | 'venue-timeout';
  readonly failsFrom: number;
  readonly opensAt: number;
  readonly endsAt: number;
}

const BEGUN_AT = 1_000_000_000;

/** Returns what the reads of the exchange have come to at a second. */
function toVenue({ failure, failsFrom, opensAt, endsAt }: Outage, second: number, now: number) {
  const isGood = second < failsFrom || second >= endsAt;
  const venue = {
    circuit: second >= opensAt && second < endsAt ? 'open' : 'closed',
    lastResponseAt: isGood ? now : BEGUN_AT,
    lastFailure: isGood ? null : { at: now, problem: { type: failure, detail: 'It did not respond.' } },
  };
  return { venue: venue as unknown as VenueState, isGood };
}

it.each<readonly [string, Outage]>([
  ['is killed', { failure: 'venue-unreachable', failsFrom: 5, opensAt: 35, endsAt: 90 }],
  ['hangs', { failure: 'venue-timeout', failsFrom: 15, opensAt: 45, endsAt: 90 }],
])('where the exchange %s, the outage alone is notified, soon after the screens show it', async (_, outage) => {
  const sent: { readonly at: number; readonly what: string }[] = [];
  let [now, found] = [0, null as number | null];
  const engine = createRuleEngine({
    board: createAlertBoard(),
    known: { of: () => [], note: () => undefined, hasMatched: () => true },
    baselines: { of: () => new Set(), update: () => Promise.resolve() },
    holidays: () => null,
    crossingsOf: ({ value }) => createCrossings(toDecimal(String(value))),
    yield: () => Promise.resolve(),
    write: (_states, _changes, events) =>
      Promise.resolve(
        void sent.push(...events.map(({ event }) => ({ at: now, what: `${event.ruleId} ${event.state}` }))),
      ),
    returned: () => [],
    channelsOf: ({ channels }) => channels,
    linksOf: () => ({ path: '/rules', ordersPath: null }),
    testOf: () => () => true,
    textOf: JSON.stringify,
    log: () => undefined,
  });
  for (let second = 0; second <= outage.endsAt + 120; second += ROUND_SECONDS) {
    now = BEGUN_AT + second * 1_000;
    const { venue, isGood } = toVenue(outage, second, now);
    const { circuit, lastResponseAt } = venue;
    const lastFailure = isGood ? null : { at: now, type: outage.failure };
    if (found === null && isExchangeAway({ circuit, lastResponseAt, lastFailure, startedAt: BEGUN_AT }, now))
      found = now;
    const desk = toDeskReading(
      {
        venue: { state: () => venue },
        rateLimiter: { state: () => ({ limit: null, used: 0 }) as RateLimiterState },
        lastSelfTest: () => null,
      },
      BEGUN_AT,
      now,
    );
    const none = { missing: 'none' };
    const rows = toRows(readOrders(['1', '2'].map((id) => ({ id, account_id: 'A' }))));
    const data: RuleData = {
      ...{ now, venueNow: now, activity: none, market: none },
      working: isGood ? { rows, complete: true, unreadable: 0, pricesMissing: null } : { missing: 'It is too old.' },
      perpetuals: none,
      fundingOf: () => ({ settled: none, predicted: none }),
      desk: { ...desk, ageOf: () => none, unproven: none, gaps: none },
    };
    await engine.run({ enabled: [MANY, AWAY], ready: [MANY, AWAY], data, silences: [] });
  }
  expect(sent.map(({ what }) => what)).toEqual(['many firing', 'away firing', 'away resolved']);
  const notifiedAt = (sent[1]?.at ?? Infinity) + GROUP_WAIT_MS;
  expect(notifiedAt - (found ?? -Infinity)).toBeLessThanOrEqual(LONGEST_AFTER_FINDING_MS);
});
