import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { RULE_ACTIONS, RULE_ENDPOINTS, type DeskAlertHistory, type DeskAlerts } from '#contract/desk/alerts.ts';
import type { DeskRuleChanges, DeskRules } from '#contract/desk/rules.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

let venue: StartedProcess;

beforeAll(async () => {
  venue = await startVenue(['--live', 'off']);
});

afterAll(() => venue.stop());

async function startDesk(databaseUrl: string): Promise<StartedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-two-'));
  const desk = await startServer(venue.address, folder, { DESK_DATABASE_URL: databaseUrl });
  onTestFinished(async () => {
    await desk.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return desk;
}

async function read<Value>({ address }: StartedProcess, name: keyof typeof RULE_ENDPOINTS): Promise<Value> {
  const { path, response: schema, rows } = RULE_ENDPOINTS[name];
  return createParser(schema, rows).strict(await (await fetch(`${address}${path.slice(1)}`)).text()) as Value;
}

async function put(
  { address }: StartedProcess,
  rule: object,
  before: object | null,
): Promise<readonly [status: number, detail: string]> {
  const { path, method } = RULE_ACTIONS.putRule;
  const response = await fetch(`${address}${path.slice(1)}`, {
    method,
    headers: { [ACTION_HEADER]: 'putRule', 'content-type': 'application/json' },
    body: JSON.stringify({ rule, before }),
  });
  const { detail = '' } = (await response.json()) as { readonly detail?: string };
  return [response.status, detail];
}

const many = {
  ...{ id: 'many', name: 'Many orders', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 0, unit: 'orders' },
};

it(
  'two desks on one store lose no change of a rule: the later one writes and evaluates, and the earlier one says so and shows what is stored',
  { timeout: 240_000 },
  async () => {
    const databaseUrl = await createDatabase();
    const one = await startDesk(databaseUrl);
    expect(await put(one, many, null)).toEqual([200, '']);
    const stateAt = async (desk: StartedProcess) => {
      const { evaluates, alerts } = await read<DeskAlerts>(desk, 'alerts');
      return [evaluates, ...alerts.map(({ rule_name: name, state }) => `${name} ${state}`)];
    };
    await expect.poll(() => stateAt(one), { timeout: 60_000 }).toEqual([true, 'Many orders firing']);

    const two = await startDesk(databaseUrl);
    const [ours, theirs] = [
      { ...many, name: 'Ours' },
      { ...many, name: 'Theirs', value: 1 },
    ];
    // Both servers have read the same rule.
    expect(await put(two, theirs, many)).toEqual([200, '']);
    expect(await put(one, ours, many)).toEqual([503, expect.stringContaining('Another process has opened this store')]);
    expect(await put(two, ours, many)).toEqual([
      409,
      'The rule "Ours" (many) has been changed meanwhile, so nothing was saved.',
    ]);

    // Once the earlier server's lease expires, the later one evaluates the newest rule and ends the alerts of the
    // earlier rule.
    await expect.poll(() => stateAt(two), { timeout: 90_000 }).toEqual([true, 'Theirs firing']);
    // What the other server shows is in the store.
    await expect.poll(() => stateAt(one), { timeout: 60_000 }).toEqual([false, 'Theirs firing']);
    for (const desk of [one, two]) {
      expect(await read<DeskRules>(desk, 'rules')).toEqual({ rules: [theirs] });
      const { changes } = await read<DeskRuleChanges>(desk, 'ruleChanges');
      const history = (await read<DeskAlertHistory>(desk, 'alertHistory')).changes.toReversed();
      expect(
        history.map(({ rule_name: name, state, started_at: at }) => [name, state, at === history[0]?.started_at]),
      ).toEqual([
        ['Many orders', 'firing', true],
        ['Many orders', 'ended', true],
        ['Theirs', 'firing', false],
      ]);
      expect(changes.map(({ before, after }) => [before?.name, after?.name])).toEqual([
        ['Many orders', 'Theirs'],
        [undefined, 'Many orders'],
      ]);
    }
  },
);
