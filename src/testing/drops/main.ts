// Prints, second by second, what journal, alerts and notifications say while the list of working orders is cut in half,
// while half of the orders are cancelled, and while the exchange is away.
import { setTimeout as pause } from 'node:timers/promises';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { cancelHalf, FIRST_HALF, startDroppingDesk, type DroppingDesk } from './dropping-desk.ts';

const SECOND_MS = 1_000;
const base = { enabled: true, severity: 'warning', channels: ['desk'], for_seconds: 0, filter: {} } as const;
/** `most`: a number of orders that at most three accounts exceed. */
const rulesOf = (most: number) => [
  {
    ...base,
    id: 'many',
    name: 'Many orders',
    about: 'orders',
    measure: 'count',
    each: 'account',
    comparison: 'over',
    value: most,
    unit: 'orders',
  },
  {
    ...base,
    id: 'quiet',
    name: 'No orders placed',
    about: 'activity',
    measure: 'placed',
    each: 'all',
    window_seconds: 60,
    comparison: 'under',
    value: 1,
    unit: 'orders',
  },
  {
    ...base,
    id: 'gone',
    name: 'Orders gone',
    about: 'activity',
    measure: 'gone',
    each: 'all',
    window_seconds: 60,
    comparison: 'over',
    value: 100,
    unit: 'orders',
  },
];

interface Called {
  readonly data: { readonly events: readonly { readonly sentence: string; readonly state: string }[] };
}

/** Creates a printer, which leaves out lines that are the same as a second earlier. */
function createPrinter(desk: DroppingDesk) {
  const startedAt = performance.now();
  let last = '';
  let notifications = 0;
  const print = (what: string): void => {
    console.log(`${((performance.now() - startedAt) / SECOND_MS).toFixed(0).padStart(4)} s  ${what}`);
  };
  return {
    print,
    look: async (): Promise<void> => {
      const found = await describe(desk);
      if (found !== last) print(found);
      last = found;
      for (const { text } of desk.receiver.notifications.slice(notifications))
        for (const { state, sentence } of (JSON.parse(text) as Called).data.events)
          print(`  CALL ${state}: ${sentence}`);
      notifications = desk.receiver.notifications.length;
    },
  };
}

async function describe({ read }: DroppingDesk): Promise<string> {
  const working = await read<DeskWorking>('working').then(
    ({ orders, complete, unproven }) =>
      `${String(orders.length)} orders, ${complete ? 'Complete' : unproven.join(' ')}`,
    () => 'not read',
  );
  const { total } = await read<DeskJournalActivity>('journalActivity');
  const { alerts } = await read<DeskAlerts>('alerts');
  const states = [...Map.groupBy(alerts, ({ rule_id: rule, state }) => `${rule} ${state}`)]
    .map(([name, { length }]) => `${name} ${String(length)}`)
    .toSorted();
  return (
    `${working} | journal: placed ${String(total.placed)}, gone ${String(total.gone)}, listed again ` +
    `${String(total.returned)} | ${states.join(', ')}`
  );
}

async function readFourthMost({ read }: DroppingDesk): Promise<number> {
  const { orders } = await read<DeskWorking>('working');
  const counts = [...Map.groupBy(orders, ({ account_id: account }) => account).values()].map(({ length }) => length);
  return counts.toSorted((a, b) => b - a)[3] ?? 0;
}

async function watch({ look }: ReturnType<typeof createPrinter>, seconds: number): Promise<void> {
  const end = performance.now() + seconds * SECOND_MS;
  while (performance.now() < end) {
    await look();
    await pause(SECOND_MS);
  }
}

interface Scenario {
  readonly name: string;
  readonly begin: (desk: DroppingDesk) => void;
  readonly seconds: number;
  /** Restores the exchange afterwards. */
  readonly ends: boolean;
}

async function run({ name, begin, seconds, ends }: Scenario): Promise<void> {
  const desk = await startDroppingDesk(['--live', 'on', '--working', '1130']);
  try {
    console.log(`\n${name}`);
    const printer = createPrinter(desk);
    await watch(printer, 70);
    await desk.putRules(rulesOf(await readFourthMost(desk)));
    await watch(printer, 15);
    printer.print('--- begins');
    begin(desk);
    await watch(printer, seconds);
    if (!ends) return;
    printer.print('--- ends');
    desk.drop(null);
    await watch(printer, 30);
  } finally {
    await desk.stop();
  }
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  half: {
    name: 'Half of the list for 45 s',
    begin: ({ drop }) => {
      drop(FIRST_HALF);
    },
    seconds: 45,
    ends: true,
  },
  cancel: {
    name: 'Half of all orders cancelled',
    begin: ({ drop }) => {
      drop(cancelHalf());
    },
    seconds: 45,
    ends: false,
  },
  away: {
    name: 'The exchange is away for 70 s',
    begin: ({ fail }) => {
      fail();
    },
    seconds: 70,
    ends: true,
  },
};
const [, , ...names] = process.argv;
for (const name of names.length > 0 ? names : Object.keys(SCENARIOS)) {
  const scenario = SCENARIOS[name];
  if (scenario !== undefined) await run(scenario);
}
