import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { RULE_ACTIONS, RULE_ENDPOINTS, type DeskAlertHistory } from '#contract/desk/alerts.ts';
import type { DeskAliases } from '#contract/desk/aliases.ts';
import type { DeskEstimates, DeskFunding } from '#contract/desk/funding.ts';
import type {
  DeskJournal,
  DeskJournalActivity,
  DeskJournalBook,
  DeskJournalChanges,
  DeskJournalOrder,
} from '#contract/desk/journal.ts';
import type { DeskRuleChanges, DeskRules } from '#contract/desk/rules.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { runProgram } from '#testing/run-program.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-backup-'));
const [dataDir, restoredDir, file] = ['data', 'restored', 'desk.zip'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
let venue: StartedProcess;
let server: StartedProcess;

beforeAll(async () => {
  venue = await startVenue(['--live', 'on', '--speed', '20']);
  server = await startServer(venue.address, dataDir, { DESK_JOURNAL_SECONDS: '5' });
}, 60_000);

afterAll(async () => {
  await server.stop();
  await venue.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function read<Value>(path: string, from = server): Promise<Value> {
  const response = await fetch(`${from.address}api/${path}`);
  expect(response.status, path).toBe(200);
  return (await response.json()) as Value;
}

async function putRule(id: string, value: number): Promise<void> {
  const { path, method } = RULE_ACTIONS.putRule;
  const rule = {
    id,
    name: id,
    enabled: true,
    severity: 'warning',
    channels: [],
    for_seconds: 0,
    about: 'orders',
    measure: 'count',
    filter: {},
    each: 'account',
    comparison: 'over',
    value,
    unit: 'orders',
  };
  const response = await fetch(server.address + path.slice(1), {
    method,
    headers: { [ACTION_HEADER]: 'putRule', 'content-type': 'application/json' },
    body: JSON.stringify({ rule }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** No account has this many orders, so the rule never fires. */
const FAR = 1_000_000;

interface Load {
  readonly rules: () => number;
  readonly events: () => number;
  readonly stop: () => Promise<void>;
}

/** Reads streams, turns pages and changes a rule over and over until stopped. */
function startLoad(): Load {
  const stopping = new AbortController();
  let [rules, events] = [0, 0];
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) await work();
  };
  const follow = async (): Promise<void> => {
    const { body } = await fetch(`${server.address}api/desk/live?topic=working-orders&topic=alerts`, {
      signal: stopping.signal,
    });
    if (body === null) expect.fail('The stream has no body.');
    for await (const piece of body) if (piece.length > 0) events += 1;
  };
  const streams = [follow(), follow()].map((stream) =>
    stream.catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    }),
  );
  const loops = [
    repeat(async () => {
      await putRule('changing', FAR + rules);
      rules += 1;
      await wait(100);
    }),
    repeat(() => read('desk/working')),
    repeat(() => read('orders?limit=50&begin_time=2000-01-01T00:00:00Z')),
    repeat(() => read('desk/journal/changes?limit=1000')),
  ];
  return {
    rules: () => rules,
    events: () => events,
    stop: async () => {
      stopping.abort();
      await Promise.all([...streams, ...loops]);
    },
  };
}

/** Activity is kept by whole minutes. */
const toMinute = (at: Instant): string => `${at.slice(0, 16)}:00Z`;

const isUntil =
  (end: Instant) =>
  (at: Instant | null): boolean =>
    at !== null && compareInstants(at, end) <= 0;

/** Returns what a server responds from its store about the time until `end`, limited to the past. */
async function readPast(from: StartedProcess, end: Instant, ids: readonly string[]) {
  const until = isUntil(end);
  const range = `end_time=${new Date(Date.parse(end) + 1).toISOString()}`;
  const { kept_from: begin } = await read<DeskJournal>('desk/journal', from);
  const activity = await read<DeskJournalActivity>(
    `desk/journal/activity?begin_time=${String(begin)}&end_time=${toMinute(end)}`,
    from,
  );
  const { perpetuals } = await read<DeskFunding>('desk/funding', from);
  return {
    changes: (await read<DeskJournalChanges>(`desk/journal/changes?order=asc&limit=10000&${range}`, from)).changes,
    book: await read<DeskJournalBook>(`desk/journal/book?at=${end}`, from),
    orders: await Promise.all(
      ids.map(async (id) =>
        (await read<DeskJournalOrder>(`desk/journal/order?order_id=${id}`, from)).changes.filter(({ read_by: at }) =>
          until(at),
        ),
      ),
    ),
    // How an order ended is looked up later and counted at the time it was gone, so the server that continued knows
    // more.
    activity: activity.groups.map(
      ({ found, placed, changed, modified, gone, quantity_placed: quantity, quantity_filled_before: before }) => ({
        found,
        placed,
        changed,
        modified,
        gone,
        quantity,
        before,
      }),
    ),
    alerts: (await read<DeskAlertHistory>('desk/alerts/history?limit=1000', from)).changes.filter(({ at }) =>
      until(at),
    ),
    rules: (await read<DeskRules>('desk/rules', from)).rules.filter(({ id }) => id === 'kept'),
    ruleChanges: (await read<DeskRuleChanges>('desk/rules/changes', from)).changes.filter(({ at }) => until(at)),
    funding: perpetuals.map(({ base_symbol: symbol, prints }) => [
      symbol,
      prints.filter(({ interval_end: at }) => until(at)),
    ]),
    estimates: await Promise.all(
      perpetuals.map(async ({ base_symbol: symbol }) =>
        (await read<DeskEstimates>(`desk/estimates?base_symbol=${symbol}`, from)).estimates.filter(({ read_at: at }) =>
          until(at),
        ),
      ),
    ),
  };
}

it('a backup under load, restored elsewhere, gives the same answers', { timeout: 240_000 }, async () => {
  await putRule('kept', 0);
  await read('desk/funding');
  const { rows: ruleRows } = RULE_ENDPOINTS.alertHistory;
  const load = startLoad();
  onTestFinished(load.stop);
  await expect
    .poll(async () => (await read<DeskJournalChanges>('desk/journal/changes?kind=gone')).changes.length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(5);
  await expect
    .poll(async () => (await read<Record<string, readonly unknown[]>>('desk/alerts/history'))[ruleRows]?.length ?? 0, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0);
  const ends: Instant[] = [];
  await expect
    .poll(
      async () => {
        const { kept_from: from, read_to: to } = await read<DeskJournal>('desk/journal');
        if (from !== null && to !== null && toMinute(to) !== toMinute(from)) ends.push(to);
        return ends.length;
      },
      { timeout: 90_000 },
    )
    .toBeGreaterThan(0);
  const end = ends[0] ?? expect.fail('Nothing was read.');
  // Only the reading after the end shows what was there at the end.
  await expect.poll(async () => (await read<DeskJournal>('desk/journal')).read_to, { timeout: 30_000 }).not.toBe(end);
  const { aliases } = await read<DeskAliases>('desk/aliases');
  const before = { rules: load.rules(), events: load.events() };
  const { code, stdout, stderr } = await runProgram('src/server/main/backup.ts', [file], { DESK_DATA_DIR: dataDir });
  const rulesAfter = load.rules();
  expect(rulesAfter).toBeGreaterThan(before.rules);
  // Topics that are read every few seconds may not fall into the time of a backup.
  await expect.poll(() => load.events(), { timeout: 30_000 }).toBeGreaterThan(before.events);
  await load.stop();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^gateway\.sqlite, link-key in .*desk\.zip, [\d,]+ bytes\.\n$/);

  const restored = await runProgram('src/server/main/restore.ts', [file], { DESK_DATA_DIR: restoredDir });
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const copy = await startServer(venue.address, restoredDir);
  try {
    const ids = (await read<DeskJournalChanges>('desk/journal/changes?order=asc&limit=20')).changes.map(
      ({ order }) => order.id,
    );
    const [expected, found] = [await readPast(server, end, ids), await readPast(copy, end, ids)];
    expect(found).toEqual(expected);
    for (const [name, part] of Object.entries(expected)) expect(JSON.stringify(part).length, name).toBeGreaterThan(20);
    expect((await read<DeskAliases>('desk/aliases', copy)).aliases).toEqual(expect.arrayContaining([...aliases]));
    // The backup contains everything stored until one moment during the copy, and nothing after it.
    const changing = (await read<DeskRules>('desk/rules', copy)).rules.find(({ id }) => id === 'changing');
    const changes = Number(changing?.value) - FAR + 1;
    expect(changes).toBeGreaterThanOrEqual(before.rules);
    expect(changes).toBeLessThanOrEqual(rulesAfter + 1);
    expect(
      (await read<DeskRuleChanges>('desk/rules/changes', copy)).changes.filter(({ rule_id: id }) => id === 'changing'),
    ).toHaveLength(changes);
  } finally {
    await copy.stop();
  }
});
