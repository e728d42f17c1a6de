import { afterEach, expect, test } from 'vitest';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { DeskJournalActivity, DeskJournalBook, DeskJournalChanges } from '#contract/desk/journal.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { FIRST_HALF, cancelHalf, startDroppingDesk, type DroppingDesk } from './dropping-desk.ts';

const WAIT = { timeout: 60_000 };
const ANY_ORDERS = {
  ...{ id: 'many', name: 'Many orders', enabled: true, severity: 'warning', channels: ['desk'], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'account', comparison: 'over', value: 0, unit: 'orders' },
} as const;
const ORDERS_GONE = {
  ...{ id: 'gone', name: 'Orders gone', enabled: true, severity: 'warning', channels: ['desk'], for_seconds: 0 },
  ...{
    about: 'activity',
    measure: 'gone',
    filter: {},
    each: 'all',
    window_seconds: 600,
    comparison: 'over',
    value: 0,
    unit: 'orders',
  },
} as const;

let desk: DroppingDesk;

afterEach(() => desk.stop());

async function readTotal(): Promise<DeskJournalActivity['total']> {
  return (await desk.read<DeskJournalActivity>('journalActivity')).total;
}

async function readStates(id: string): Promise<readonly string[]> {
  const { alerts } = await desk.read<DeskAlerts>('alerts');
  return [...new Set(alerts.filter(({ rule_id: rule }) => rule === id).map(({ state }) => state))].toSorted();
}

/** Counts the subjects of the rule that fires for each account. */
async function countFiring(): Promise<number> {
  const { alerts } = await desk.read<DeskAlerts>('alerts');
  return alerts.filter(({ rule_id: rule, state }) => rule === 'many' && state === 'firing').length;
}

interface Called {
  readonly data: {
    readonly events: readonly {
      readonly rule_id: string;
      readonly group: string;
      readonly state: string;
      readonly sentence: string;
    }[];
  };
}

/** Lists the notifications in order of delivery. */
function listNotified(): readonly (readonly [rule: string, group: string, state: string, sentence: string])[] {
  return desk.receiver.notifications.flatMap(({ text }) =>
    (JSON.parse(text) as Called).data.events.map(
      ({ rule_id: rule, group: subject, state, sentence }) => [rule, subject, state, sentence] as const,
    ),
  );
}

/** Reads as a screen does, until there are a number of new readings of the exchange. */
async function readTimes(count: number): Promise<readonly DeskWorking[]> {
  const readings: DeskWorking[] = [];
  await expect
    .poll(
      async () => {
        const reading = await desk.read<DeskWorking>('working');
        if (reading.read_to !== readings.at(-1)?.read_to) readings.push(reading);
        return readings.length;
      },
      { ...WAIT, interval: 250 },
    )
    .toBeGreaterThanOrEqual(count);
  return readings;
}

test(
  'half of the working list for a while: nothing is gone, placed or resolved, and the time is incomplete',
  { timeout: 180_000 },
  async () => {
    desk = await startDroppingDesk();
    await desk.putRules([ANY_ORDERS, ORDERS_GONE]);
    await expect.poll(() => readStates('many'), WAIT).toEqual(['firing']);
    const whole = await desk.read<DeskWorking>('working');
    const firing = await countFiring();

    desk.drop(FIRST_HALF);
    const [first, ...others] = (await readTimes(4)).filter(({ orders }) => orders.length < whole.orders.length);
    const missing = whole.orders.length - (first?.orders.length ?? 0);
    expect(first).toMatchObject({
      complete: false,
      unproven: [
        `${String(missing)} orders are no longer listed. The order history is being read to see what became of them.`,
      ],
    });
    expect(others.at(-1)).toMatchObject({
      complete: false,
      unproven: [expect.stringMatching(/^The order history has \d+ working orders that are not listed\. /)],
    });
    await expect.poll(() => readStates('many'), WAIT).toEqual(['no data']);
    await expect.poll(() => readStates('gone'), WAIT).toEqual(['no data']);
    const during = new Date().toISOString();

    desk.drop(null);
    await expect.poll(async () => (await desk.read<DeskWorking>('working')).complete, WAIT).toBe(true);
    await expect.poll(() => readStates('many'), WAIT).toEqual(['data again', 'firing']);
    expect(await countFiring()).toBe(firing);
    expect(
      listNotified()
        .filter(([rule, subject]) => rule === 'many' && subject !== '')
        .map(([, , state]) => state),
    ).not.toContain('resolved');
    expect(await readTotal()).toMatchObject({ placed: 0, gone: 0, changed: 0 });
    expect((await desk.read<DeskJournalChanges>('journalChanges', '?kind=gone')).changes).toEqual([]);
    const past = await desk.read<DeskJournalBook>('journalBook', `?at=${during}`);
    expect(past).toMatchObject({ complete: false, orders: { length: whole.orders.length } });
  },
);

test(
  'a true mass cancel is in doubt until the order history has it, and then gone with the reading that showed it',
  { timeout: 120_000 },
  async () => {
    desk = await startDroppingDesk();
    const [whole] = await readTimes(1);
    desk.drop(cancelHalf());
    await expect
      .poll(async () => (await desk.read<DeskWorking>('working')).orders.length, WAIT)
      .toBeLessThan(whole?.orders.length ?? 0);
    const shown = await desk.read<DeskWorking>('working');
    await expect.poll(async () => (await desk.read<DeskWorking>('working')).complete, WAIT).toBe(true);
    const missing = (whole?.orders.length ?? 0) - shown.orders.length;
    await expect.poll(async () => (await readTotal()).gone, WAIT).toBe(missing);
    const { changes } = await desk.read<DeskJournalChanges>('journalChanges', '?kind=gone&limit=1000');
    expect(new Set(changes.map(({ read_by: at }) => at))).toEqual(new Set([shown.read_to]));
  },
);

test(
  'an account that is missing, too small for doubt, had not gone when it is listed again, and notifications are corrected',
  { timeout: 180_000 },
  async () => {
    desk = await startDroppingDesk();
    const [whole] = await readTimes(1);
    const accounts = Map.groupBy(whole?.orders ?? [], ({ account_id: account }) => account);
    const [account = '', orders = []] =
      [...accounts]
        .toSorted(([, one], [, other]) => other.length - one.length)
        .find(([, { length }]) => length <= 20) ?? [];
    await desk.putRules([ANY_ORDERS]);
    await expect.poll(countFiring, WAIT).toBe(accounts.size);
    desk.drop({ isLeftOut: (row) => row.includes(`"${account}"`), history: 'as it is' });
    await expect.poll(async () => (await readTotal()).gone, WAIT).toBe(orders.length);
    await expect.poll(listNotified, WAIT).toContainEqual(['many', account, 'resolved', expect.any(String)]);
    const during = (await desk.read<DeskWorking>('working')).read_to ?? '';

    desk.drop(null);
    await expect
      .poll(async () => (await desk.read<DeskJournalChanges>('journalChanges', '?kind=returned')).changes.length, WAIT)
      .toBe(orders.length);
    expect(await readTotal()).toMatchObject({ placed: 0, gone: 0, outcome_unknown: 0, returned: orders.length });
    expect(await desk.read<DeskJournalBook>('journalBook', `?at=${during}`)).toMatchObject({
      complete: false,
      orders: { length: whole?.orders.length ?? 0 },
    });
    const sentence =
      orders.length === 1
        ? `${account}: 1 working order, over 0. 1 order missing from an incomplete list is listed again.`
        : `${account}: ${String(orders.length)} working orders, over 0. ` +
          `${String(orders.length)} orders missing from an incomplete list are listed again.`;
    await expect.poll(listNotified, WAIT).toContainEqual(['many', account, 'corrected', sentence]);
    await expect
      .poll(
        () =>
          listNotified()
            .filter(([, subject]) => subject === account)
            .map(([, , state]) => state)
            .toSorted(),
        WAIT,
      )
      .toEqual(['corrected', 'firing', 'firing', 'resolved']);
  },
);

test(
  'where the order history does not answer, the third reading is believed, and says that it is not verified',
  { timeout: 120_000 },
  async () => {
    desk = await startDroppingDesk();
    const [whole] = await readTimes(1);
    desk.drop({ ...FIRST_HALF, history: 'none' });
    await expect.poll(async () => (await desk.read<DeskWorking>('working')).drop?.state, WAIT).toBe('in doubt');
    await expect.poll(async () => (await desk.read<DeskWorking>('working')).drop?.state, WAIT).toBe('unverified');
    const { orders, complete } = await desk.read<DeskWorking>('working');
    expect(complete).toBe(true);
    await expect.poll(async () => (await readTotal()).gone, WAIT).toBe((whole?.orders.length ?? 0) - orders.length);
  },
);
