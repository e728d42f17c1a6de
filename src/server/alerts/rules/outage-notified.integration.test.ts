import { expect, it, onTestFinished } from 'vitest';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { DeskNotifications } from '#contract/desk/notifications.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import {
  countOrders,
  EACH_ACCOUNT,
  readHistory,
  startNotifyingDesk,
  untilFiring,
  type NotifyingDesk,
} from '#testing/rules/notified-desk.ts';
import { openLine, type Line } from '#testing/rules/open-line.ts';
import type { StartedProcess } from '#testing/start-process.ts';

let venue: StartedProcess;
let line: Line;
let desk: NotifyingDesk;
/** The three accounts with the most orders, which exceed the limit. */
let over: readonly string[];

const TOGETHER = { ...EACH_ACCOUNT, id: 'together', name: 'Orders in all', each: 'all', value: 1_000_000 } as const;
const AWAY = {
  id: 'away',
  name: 'Exchange away',
  enabled: true,
  severity: 'critical',
  channels: EACH_ACCOUNT.channels,
  for_seconds: 5,
  about: 'desk',
  measure: 'venue_away',
} as const;
/** Notifications are delivered in order, so all earlier ones have arrived once this one has. */
const LAST = { ...EACH_ACCOUNT, id: 'last', name: 'Last', each: 'all' } as const;

const HOW = {
  'is out of reach': { away: () => line.cut(), back: () => line.mend() },
  'hangs': {
    away: () => Promise.resolve(void process.kill(venue.pid, 'SIGSTOP')),
    back: () => Promise.resolve(void process.kill(venue.pid, 'SIGCONT')),
  },
} as const;

async function start(): Promise<void> {
  venue = await startVenue(['--live', 'off', '--working', '60']);
  line = await openLine(venue.address);
  desk = await startNotifyingDesk(line.address);
  onTestFinished(async () => {
    await desk.stop();
    await line.cut();
    await venue.stop();
  });
  const counts = [...(await countOrders(desk))];
  // At least one account exceeds the limit, however the market has moved.
  const limit = Math.max(...counts.map(([, count]) => count)) - 1;
  over = counts
    .filter(([, count]) => count > limit)
    .map(([account]) => account)
    .toSorted();
  await desk.act('importRules', { rules: [{ ...EACH_ACCOUNT, name: 'Many orders', value: limit }, TOGETHER] });
  await untilFiring(desk, over);
}

/** Returns the state of a whole rule. */
async function stateOf(ruleId: string): Promise<string | undefined> {
  return (await desk.read<DeskAlerts>('alerts')).alerts.find(
    ({ rule_id: id, group: subject }) => id === ruleId && subject === '',
  )?.state;
}

async function untilState(ruleId: string, state: string): Promise<void> {
  await expect.poll(() => stateOf(ruleId), { timeout: 120_000 }).toBe(state);
}

/** `state` is the last one sent by webhook and mail. */
async function untilDelivered(state: string): Promise<void> {
  await expect
    .poll(() => desk.receiver.notifications.some(({ text }) => text.includes(`"state":"${state}"`)), {
      timeout: 60_000,
    })
    .toBe(true);
  await untilNothingWaits();
  await desk.act('putRule', { rule: LAST, before: null });
  await untilState('last', 'firing');
  await expect
    .poll(() => desk.receiver.notifications.some(({ text }) => text.includes('"rule_id":"last"')), { timeout: 60_000 })
    .toBe(true);
  await untilNothingWaits();
}

async function untilNothingWaits(): Promise<void> {
  await expect
    .poll(async () => (await desk.read<DeskNotifications>('calls')).channels.map(({ waiting }) => waiting), {
      timeout: 60_000,
    })
    .toEqual([0, 0]);
}

interface DeliveredEvent {
  readonly rule_id: string;
  readonly group: string;
  readonly state: string;
  readonly sentence: string;
}

function events(): readonly DeliveredEvent[] {
  return desk.receiver.notifications.flatMap(
    ({ text }) => (JSON.parse(text) as { readonly data: { readonly events: readonly DeliveredEvent[] } }).data.events,
  );
}

const toPlain = ({ rule_id: rule, group: subject, state }: DeliveredEvent): string => `${rule} ${subject} ${state}`;

/** Headers may be folded. */
function subjects(): string {
  return desk.mail.mails.map(({ source }) => source.replaceAll(/\r\n[ \t]/g, ' ')).join('\n');
}

it.each(['is out of reach', 'hangs'] as const)(
  'where the exchange %s and a rule says so, only that is called, and that it is over',
  { timeout: 300_000 },
  async (how) => {
    await start();
    await desk.act('putRule', { rule: AWAY, before: null });
    await HOW[how].away();
    for (const rule of ['many', 'together']) await untilState(rule, 'no data');
    await untilState('away', 'firing');
    await HOW[how].back();
    for (const rule of ['many', 'together']) await untilState(rule, 'data again');
    await untilState('away', 'resolved');
    await untilDelivered('resolved');
    const called = events().map(toPlain);
    expect(called.slice(0, over.length).toSorted()).toEqual(over.map((account) => `many ${account} firing`));
    expect(called.slice(over.length)).toEqual(['away  firing', 'away  resolved', 'last  firing']);
    expect(subjects()).not.toMatch(/no data|data again/i);
    await untilFiring(desk, [...over, '']);
    const history = (await readHistory(desk))
      .filter(({ rule_id: id }) => id === 'many')
      .map(({ group: subject, state }) => `${subject} ${state}`);
    expect(history.toSorted()).toEqual(
      [...over.map((account) => `${account} firing`), ' no data', ' data again'].toSorted(),
    );
  },
);

it(
  'where no rule is about an outage, the end of no data names what fires, and nothing is called resolved',
  { timeout: 300_000 },
  async () => {
    await start();
    await HOW['is out of reach'].away();
    for (const rule of ['many', 'together']) await untilState(rule, 'no data');
    await HOW['is out of reach'].back();
    for (const rule of ['many', 'together']) await untilState(rule, 'data again');
    await untilDelivered('data again');
    const [fired, rest] = [events().slice(0, over.length), events().slice(over.length)];
    expect(fired.map(toPlain).toSorted()).toEqual(over.map((account) => `many ${account} firing`));
    const sentences = new Map(rest.map((event) => [toPlain(event), event.sentence]));
    expect([...sentences.keys()].slice(0, -1).toSorted()).toEqual([
      'many  data again',
      'many  no data',
      'together  data again',
      'together  no data',
    ]);
    expect([...sentences.keys()].at(-1)).toBe('last  firing');
    const again = `Many orders can be evaluated; ${String(over.length)} account${over.length === 1 ? ' is' : 's are'} firing: ${over.join(', ')}.`;
    expect(sentences.get('many  data again')).toBe(again);
    expect(sentences.get('together  data again')).toMatch(
      /^Orders in all can be evaluated; nothing is firing\. \d+ working orders, not over 1,000,000\.$/,
    );
    expect(desk.receiver.notifications.map(({ text }) => text).join()).not.toContain('resolved');
    const mails = desk.mail.mails.map(({ source }) => source.replaceAll(/=\r\n/g, ''));
    expect(mails.join()).toContain(`Data again: ${again}`);
    expect(mails.join()).not.toMatch(/resolved/i);
    expect(subjects()).toMatch(/^Subject: \[data again\] Many orders; \[data again\] Orders in all$/im);
  },
);
