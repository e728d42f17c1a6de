// Prints, second by second, what journal, alerts and calls say while the list of working orders is cut in half, while half of it is cancelled, and while the exchange is away.
import { setTimeout as pause } from 'node:timers/promises';
import type { DeskAlerts } from '#contract/desk-alerts.ts';
import type { DeskJournalActivity } from '#contract/desk-journal-activity.ts';
import type { DeskWorking } from '#contract/desk.ts';
import { cancelHalf, FIRST_HALF, startDroppingDesk, type DroppingDesk } from './dropping-desk.ts';

const SECOND_MS = 1_000;
const base = { enabled: true, severity: 'warning', channels: ['desk'], for_seconds: 0, filter: {} } as const;
const RULES = [
  { ...base, id: 'many', name: 'Many orders', about: 'orders', measure: 'count', each: 'account', comparison: 'over', value: 25, unit: 'orders' },
  { ...base, id: 'quiet', name: 'No orders placed', about: 'activity', measure: 'placed', each: 'all', window_seconds: 60, comparison: 'under', value: 1, unit: 'orders' },
  { ...base, id: 'gone', name: 'Orders gone', about: 'activity', measure: 'gone', each: 'all', window_seconds: 60, comparison: 'over', value: 100, unit: 'orders' },
];

interface Called {
  readonly data: { readonly events: readonly { readonly sentence: string; readonly state: string }[] };
}

/** What is the same as a second before is not printed. */
function createPrinter(desk: DroppingDesk) {
  const startedAt = performance.now();
  let last = '';
  let calls = 0;
  const print = (what: string): void => {
    console.log(`${((performance.now() - startedAt) / SECOND_MS).toFixed(0).padStart(4)} s  ${what}`);
  };
  return {
    print,
    look: async (): Promise<void> => {
      const found = await describe(desk);
      if (found !== last) print(found);
      last = found;
      for (const { text } of desk.receiver.calls.slice(calls)) for (const { state, sentence } of (JSON.parse(text) as Called).data.events) print(`  CALL ${state}: ${sentence}`);
      calls = desk.receiver.calls.length;
    },
  };
}

async function describe({ read }: DroppingDesk): Promise<string> {
  const working = await read<DeskWorking>('working').then(({ orders, complete, unproven }) => `${String(orders.length)} orders, ${complete ? 'Complete' : unproven.join(' ')}`, () => 'not read');
  const { total } = await read<DeskJournalActivity>('journalActivity');
  const { alerts } = await read<DeskAlerts>('alerts');
  const states = [...Map.groupBy(alerts, ({ rule_id: rule, state }) => `${rule} ${state}`)].map(([name, { length }]) => `${name} ${String(length)}`).toSorted();
  return `${working} | journal: placed ${String(total.placed)}, gone ${String(total.gone)}, listed again ${String(total.returned)} | ${states.join(', ')}`;
}

async function watch({ look }: ReturnType<typeof createPrinter>, seconds: number): Promise<void> {
  const end = performance.now() + seconds * SECOND_MS;
  while (performance.now() < end) {
    await look();
    await pause(SECOND_MS);
  }
}

async function run(name: string, begin: (desk: DroppingDesk) => void, seconds: number): Promise<void> {
  const desk = await startDroppingDesk(['--live', 'on', '--working', '1130']);
  try {
    console.log(`\n${name}`);
    const printer = createPrinter(desk);
    await watch(printer, 70);
    await desk.putRules(RULES);
    await watch(printer, 15);
    printer.print('--- begins');
    begin(desk);
    await watch(printer, seconds);
    printer.print('--- ends');
    desk.drop(null);
    await watch(printer, 30);
  } finally {
    await desk.stop();
  }
}

const begins: Readonly<Record<string, readonly [name: string, begin: (desk: DroppingDesk) => void, seconds: number]>> = {
  half: ['Half of the list for 45 s', ({ drop }) => { drop(FIRST_HALF); }, 45],
  cancel: ['Half of all orders cancelled', ({ drop }) => { drop(cancelHalf()); }, 30],
  away: ['The exchange is away for 70 s', ({ fail }) => { fail(); }, 70],
};
const [, , ...names] = process.argv;
for (const name of names.length > 0 ? names : Object.keys(begins)) {
  const one = begins[name];
  if (one !== undefined) await run(...one);
}
