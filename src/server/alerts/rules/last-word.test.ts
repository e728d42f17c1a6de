import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeskRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { RuleData } from '#model/rules/readings.ts';
import { createCrossings } from '#model/rules/crossings.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { type AddressedEvent, type AlertEvent, isOpen, toIncident } from '../notifications/notification.ts';
import { createAlertLinks } from './alert-links.ts';
import { MANY_ORDERS } from '#testing/rules/many-orders.ts';
import { createAlertBoard, restoreAlerts } from './alert-board.ts';
import { createRuleEngine } from './rule-engine.ts';
import type { StoredState } from './rule-store.ts';

/**
 * Whatever happens, the last notification of each alert agrees at each channel with what is so once it is quiet. The
 * rules and their database are those of Perpdesk; the channels, and what is true, are those of the test.
 */

const AWAY: DeskRule = {
  id: 'away',
  name: 'Away',
  enabled: true,
  severity: 'critical',
  channels: ['ops', 'night'],
  for_seconds: 0,
  about: 'desk',
  measure: 'venue_away',
};
const ACCOUNTS = ['A', 'B'] as const;
const CHANNELS = ['ops', 'night', 'lead'] as const;

type Contact = 'good' | 'in doubt' | 'away';

/** What the rules see. */
interface Situation {
  /** Orders of each account; null if they cannot be read. */
  readonly orders: readonly number[] | null;
  readonly isComplete: boolean;
  readonly contact: Contact;
}

type Step =
  | { readonly do: 'see'; readonly situation: Situation; readonly seconds: number }
  | { readonly do: 'save'; readonly change: Partial<OrdersRule> }
  | { readonly do: 'watch outages'; readonly isOn: boolean }
  | { readonly do: 'delete' }
  | { readonly do: 'silence'; readonly isSilent: boolean }
  | { readonly do: 'acknowledge'; readonly account: string }
  /** The next write fails; `isWritten`: although it was written. */
  | { readonly do: 'fail'; readonly isWritten: boolean }
  /** A restart, or another desk takes over. */
  | { readonly do: 'restart' };

const situation: fc.Arbitrary<Situation> = fc.record({
  orders: fc.option(fc.tuple(fc.nat(3), fc.nat(3)), { freq: 4 }),
  isComplete: fc.boolean(),
  contact: fc.constantFrom<Contact>('good', 'good', 'in doubt', 'away'),
});
/** At the end, orders are complete if they can be read. */
const last = situation.map((one): Situation => ({ ...one, isComplete: true }));
const channels = fc.subarray<string>([...CHANNELS]);
const change: fc.Arbitrary<Partial<OrdersRule>> = fc.record(
  {
    enabled: fc.boolean(),
    name: fc.constantFrom('Many orders', 'Renamed'),
    channels,
    for_seconds: fc.constantFrom(0, 90),
    each: fc.constantFrom('account', 'all'),
    value: fc.constantFrom(1, 2),
    escalate: fc.constantFrom([], [{ after_seconds: 120, channels: ['lead'] }]),
    repeat_seconds: fc.constantFrom(60, 600),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('see' as const),
      situation,
      seconds: fc.constantFrom(5, 60, 400),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('save' as const), change }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch outages' as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'delete' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('silence' as const), isSilent: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('acknowledge' as const), account: fc.constantFrom('', ...ACCOUNTS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), isWritten: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'restart' }) },
);

/** A desk whose database can fail, and which restarts as another one does that takes over. */
function openDesk() {
  const stored = new Map<string, StoredState>();
  const sent: AddressedEvent[] = [];
  /** What was so at each moment. */
  const seen = new Map<number, { readonly situation: Situation; readonly rules: readonly Rule[] }>();
  /** By channel, as the outbox knows them. */
  const keys = new Set<string>();
  let [now, rules] = [1_000_000_000, [MANY_ORDERS, AWAY] as readonly Rule[]];
  let [board, isSilent, lastResponseAt] = [createAlertBoard(), false, 0];
  let fails: { readonly isWritten: boolean } | null = null;

  const write = (states: readonly StoredState[], events: readonly AddressedEvent[]): Promise<void> => {
    const failure = fails;
    fails = null;
    if (failure?.isWritten !== false) {
      for (const state of states)
        stored.set(`${state.rule.id} ${state.group}`, JSON.parse(JSON.stringify(state)) as StoredState);
      for (const { event, channels: to } of events) {
        const fresh = to.filter((channel) => !keys.has(`${channel} ${event.key}`));
        for (const channel of fresh) keys.add(`${channel} ${event.key}`);
        if (fresh.length > 0) sent.push({ event, channels: fresh });
      }
    }
    return failure === null ? Promise.resolve() : Promise.reject(new Error('The connection was lost.'));
  };
  const start = () =>
    createRuleEngine({
      board,
      known: { of: () => ACCOUNTS, note: () => undefined, hasMatched: () => true },
      baselines: { of: () => new Set(), update: () => Promise.resolve() },
      holidays: () => null,
      crossingsOf: ({ value }) => createCrossings(toDecimal(String(value))),
      yield: () => Promise.resolve(),
      write: (states, _, events) => write(states, events),
      returned: () => [],
      channelsOf: (rule) => rule.channels,
      linksOf: createAlertLinks((kind) => kind),
      testOf: () => () => true,
      textOf: JSON.stringify,
      log: () => undefined,
    });
  let engine = start();

  const see = async (next: Situation, seconds: number): Promise<void> => {
    now += seconds * 1_000;
    seen.set(now, { situation: next, rules });
    if (next.contact === 'good') lastResponseAt = now;
    const data = toData(next, now, lastResponseAt);
    const enabled = rules.filter((rule) => rule.enabled);
    const silences = isSilent ? [{ id: 's', match: {}, until: Infinity, by: 'ann', at: 0, note: '' }] : [];
    await engine.run({ enabled, ready: enabled, data, silences }).catch(() => undefined);
  };
  const take = async (given: Step): Promise<void> => {
    switch (given.do) {
      case 'see':
        return see(given.situation, given.seconds);
      case 'save':
        rules = [
          ...rules.filter(({ id }) => id !== 'many'),
          { ...MANY_ORDERS, ...rules.find(({ id }) => id === 'many'), ...given.change } as OrdersRule,
        ];
        return;
      case 'watch outages':
        rules = [...rules.filter(({ id }) => id !== 'away'), ...(given.isOn ? [AWAY] : [])];
        return;
      case 'delete':
        rules = rules.filter(({ id }) => id !== 'many');
        return;
      case 'silence':
        ({ isSilent } = given);
        return;
      case 'acknowledge': {
        const alert = board.find('many', given.account);
        if (alert !== undefined) board.set(alert, { ...alert.state, acknowledged: { by: 'ann', at: now, note: '' } });
        return;
      }
      case 'fail':
        fails = given;
        return;
      case 'restart': {
        board = createAlertBoard();
        const states = [...stored.values()].flatMap(({ rule, group: subject, state }) =>
          state === null ? [] : [{ ruleId: rule.id, rule, group: subject, state }],
        );
        const store = { states: () => Promise.resolve(states), lastFired: () => Promise.resolve(new Map()) };
        await restoreAlerts(
          store,
          rules.filter(({ enabled }) => enabled),
          board,
        );
        engine = start();
      }
    }
  };
  /** Until flapping is over and what is held back has been sent. */
  const settle = async (final: Situation): Promise<void> => {
    [isSilent, fails] = [false, null];
    for (let minute = 0; minute < 80; minute++) await see(final, 60);
  };
  return { take, settle, sent, seen, rules: () => rules.filter(({ enabled }) => enabled) };
}

function toData({ orders, isComplete, contact }: Situation, now: number, lastResponseAt: number): RuleData {
  const none = { missing: 'none' };
  const accounts = (orders ?? []).flatMap((count, index) =>
    Array.from({ length: count }, () => ({ account_id: ACCOUNTS[index] ?? '' })),
  );
  const rows = toRows(readOrders(accounts.map((order, index) => ({ ...order, id: String(index + 1) }))));
  return {
    now,
    venueNow: now,
    working:
      orders === null || contact === 'away'
        ? { missing: 'It timed out.' }
        : { rows, complete: isComplete, unreadable: 0, pricesMissing: null },
    activity: none,
    market: none,
    perpetuals: none,
    fundingOf: () => ({ settled: none, predicted: none }),
    desk: {
      ageOf: () => none,
      unproven: none,
      drift: none,
      budget: null,
      away: contact === 'away' ? 'It timed out.' : null,
      contact: { isInDoubt: contact === 'in doubt', lastResponseAt },
      gaps: none,
    },
  };
}

/** Returns what is so: `unknown` where the orders cannot be read. */
function truthOf(rule: Rule, subject: string, { orders, contact }: Situation): 'firing' | 'over' | 'unknown' {
  if (rule.about === 'desk') return contact === 'away' && subject === '' ? 'firing' : 'over';
  if (rule.about !== 'orders' || (rule.each === 'all' && subject !== '')) return 'over';
  if (orders === null || contact === 'away') return 'unknown';
  const sum = orders.reduce((total, count) => total + count, 0);
  const count = rule.each === 'all' ? sum : orders[ACCOUNTS.findIndex((account) => account === subject)];
  return count !== undefined && count > rule.value ? 'firing' : 'over';
}

/** The last word of an alert at a channel; null if there was none, or it is closed. */
function lastWordOf(events: readonly AlertEvent[], ruleId: string, subject: string): string | null {
  const word = events.findLast((event) => event.ruleId === ruleId && event.group === subject);
  return word !== undefined && isOpen(word) ? word.state : null;
}

/**
 * Returns what the last word of an alert at a channel must be; undefined if that depends on what was before. `rules`:
 * those that are on.
 */
function findDueWord(rules: readonly Rule[], channel: string, id: string, subject: string, final: Situation) {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined || rule.channels.length === 0) return null;
  const isFirst = rule.channels.includes(channel);
  const isLater = rule.escalate?.some(({ channels: added }) => added.includes(channel)) === true;
  const truth = isFirst || isLater ? truthOf(rule, subject, final) : 'over';
  if (truth === 'over') return null;
  // Whether a later channel is notified depends on acknowledgements.
  if (!isFirst) return undefined;
  if (truth === 'firing') return 'firing';
  // What fired before fires on. What an outage explains, or may explain, is held back.
  const isHeld = final.contact !== 'good' && rules.some((one) => one.id === 'away');
  return subject === '' && !isHeld ? 'no data' : undefined;
}

/** Each incident that is open at a channel is that of an alert whose last word is open. */
function checkIncidents(events: readonly AlertEvent[], channel: string) {
  const open = new Map<string, AlertEvent>();
  const fired = new Set<string>();
  for (const event of events) {
    const incident = toIncident(event);
    if (isOpen(event)) {
      open.set(incident, event);
      if (event.state === 'firing') fired.add(incident);
    } else {
      expect(open.has(incident), `${channel}: ${event.state} ${event.key} closes nothing`).toBe(true);
      if (event.state === 'resolved') expect(fired.has(incident), `${channel}: ${event.key} never fired`).toBe(true);
      open.delete(incident);
      fired.delete(incident);
    }
  }
  for (const event of open.values())
    expect(
      events.findLast((one) => one.ruleId === event.ruleId && one.group === event.group)?.startedAt,
      `${channel}: ${event.key} stays open`,
    ).toBe(event.startedAt);
}

it('the last word about each alert is true, whatever happens', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), last, async (steps, final) => {
      const desk = openDesk();
      for (const one of steps) await desk.take(one);
      await desk.settle(final);
      const events = desk.sent.map(({ event }) => event);
      for (const [key, same] of Map.groupBy(events, (event) => event.key))
        expect(new Set(same.map((event) => event.sentence)).size, key).toBe(1);
      for (const channel of CHANNELS) {
        const received = desk.sent.filter((one) => one.channels.includes(channel)).map(({ event }) => event);
        checkIncidents(received, channel);
        for (const id of ['many', 'away'])
          for (const subject of ['', ...ACCOUNTS]) {
            const word = findDueWord(desk.rules(), channel, id, subject, final);
            if (word !== undefined)
              expect(lastWordOf(received, id, subject), `${channel} of ${id} ${subject}`).toBe(word);
          }
      }
      for (const event of events.filter(({ state }) => state === 'resolved')) {
        const then = desk.seen.get(event.at);
        const rule = then?.rules.find(({ id }) => id === event.ruleId);
        expect(then && rule && truthOf(rule, event.group, then.situation), event.key).toBe('over');
      }
    }),
    { numRuns: Number(process.env['LAST_WORD_RUNS'] ?? 400) },
  );
});
