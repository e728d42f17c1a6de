import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import {
  RULE_ACTIONS,
  RULE_ENDPOINTS,
  type AlertEvidence,
  type DeskAlertHistory,
  type DeskAlerts,
  type RuleTrial,
} from '#contract/desk/alerts.ts';
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

async function read<Value>({ address }: StartedProcess, name: keyof typeof RULE_ENDPOINTS, query = ''): Promise<Value> {
  const { path, response: schema, rows } = RULE_ENDPOINTS[name];
  return createParser(schema, rows).strict(await (await fetch(`${address}${path.slice(1)}${query}`)).text()) as Value;
}

async function act(
  { address }: StartedProcess,
  name: keyof typeof RULE_ACTIONS,
  body: object,
): Promise<{ readonly status: number; readonly text: string; readonly detail: string }> {
  const { path, method } = RULE_ACTIONS[name];
  const response = await fetch(`${address}${path.slice(1)}`, {
    method,
    headers: { [ACTION_HEADER]: name, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const { detail = '' } = JSON.parse(text) as { readonly detail?: string };
  return { status: response.status, text, detail };
}

async function put(
  desk: StartedProcess,
  rule: object,
  before: object | null,
): Promise<readonly [status: number, detail: string]> {
  const { status, detail } = await act(desk, 'putRule', { rule, before });
  return [status, detail];
}

const many = {
  ...{ id: 'many', name: 'Many orders', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 0, unit: 'orders' },
};

function ofRule(ruleId: string) {
  return { rule_id: ruleId, group: '' };
}

async function stateAt(desk: StartedProcess) {
  const { alerts, evaluated_at: at } = await read<DeskAlerts>(desk, 'alerts');
  return [
    at !== null,
    ...alerts.map(
      ({ rule_name: name, state, acknowledged }) => `${name} ${state}${acknowledged === null ? '' : ' seen'}`,
    ),
  ];
}

it(
  'both of two desks save rules without losing a change, one evaluates them, and both show and acknowledge its alerts',
  { timeout: 240_000 },
  async () => {
    const databaseUrl = await createDatabase();
    const leader = await startDesk(databaseUrl);
    const follower = await startDesk(databaseUrl);
    const desks = [leader, follower];
    const show = async (...expected: unknown[]): Promise<void> => {
      for (const desk of desks) await expect.poll(() => stateAt(desk), { timeout: 30_000 }).toEqual(expected);
    };
    expect(await put(follower, many, null)).toEqual([200, '']);
    expect(await read<DeskRules>(leader, 'rules')).toEqual({ rules: [many] });
    await show(true, 'Many orders firing');
    expect((await read<DeskAlerts>(follower, 'alerts')).evaluates).toBe(false);

    const [ours, theirs] = [
      { ...many, name: 'Ours' },
      { ...many, name: 'Theirs', value: 1 },
    ];
    // Both desks have read the same rule.
    expect(await put(leader, theirs, many)).toEqual([200, '']);
    expect(await put(follower, ours, many)).toEqual([
      409,
      'The rule "Ours" (many) has been changed meanwhile, so nothing was saved.',
    ]);
    await show(true, 'Theirs firing');

    // Both show it with its sentence, value and orders.
    const shownAt = async (desk: StartedProcess) => {
      const [alert] = (await read<DeskAlerts>(desk, 'alerts')).alerts;
      const { orders, figures } = await read<AlertEvidence>(desk, 'alertEvidence', '?rule_id=many');
      return [alert?.sentence, alert?.value, alert?.rows, orders.length, figures?.length];
    };
    const shown = await shownAt(leader);
    expect(shown).toEqual(['400 working orders, over 1.', '400', 400, 200, 200]);
    await expect.poll(() => shownAt(follower), { timeout: 10_000 }).toEqual(shown);

    const tried = JSON.parse((await act(follower, 'tryRule', { rule: theirs })).text) as RuleTrial;
    expect(tried).toMatchObject({ no_data: null, now: [{ holds: true }] });
    const seen = await act(follower, 'acknowledgeAlerts', { alerts: [ofRule('many')], note: 'I see.' });
    expect(seen).toMatchObject({ status: 200 });
    await show(true, 'Theirs firing seen');
    const none = await act(follower, 'acknowledgeAlerts', { alerts: [ofRule('none')], note: '' });
    expect(none).toMatchObject({ status: 400, detail: 'There is no such alert: it may be over.' });

    // A desk that does not evaluate rules reads the journal for a trial itself.
    const busy = { ...many, id: 'busy', about: 'activity', measure: 'placed', filter: {}, window_seconds: 3_600 };
    const trial = JSON.parse((await act(follower, 'tryRule', { rule: busy })).text) as RuleTrial;
    expect(trial).toMatchObject({ no_data: null });

    for (const desk of desks) {
      expect(await read<DeskRules>(desk, 'rules')).toEqual({ rules: [theirs] });
      const { changes } = await read<DeskRuleChanges>(desk, 'ruleChanges');
      const history = (await read<DeskAlertHistory>(desk, 'alertHistory')).changes.toReversed();
      expect(
        history.map(({ rule_name: name, state, started_at: at }) => [name, state, at === history[0]?.started_at]),
      ).toEqual([
        ['Many orders', 'firing', true],
        ['Many orders', 'ended', true],
        ['Theirs', 'firing', false],
        ['Theirs', 'acknowledged', false],
      ]);
      expect(changes.map(({ before, after }) => [before?.name, after?.name])).toEqual([
        ['Many orders', 'Theirs'],
        [undefined, 'Many orders'],
      ]);
    }

    // The other desk goes on with the alert, which it neither forgets nor raises again.
    await leader.kill();
    const isLeading = async (): Promise<boolean> => (await read<DeskAlerts>(follower, 'alerts')).evaluates;
    await expect.poll(isLeading, { timeout: 60_000 }).toBe(true);
    await expect.poll(() => stateAt(follower), { timeout: 30_000 }).toEqual([true, 'Theirs firing seen']);
    expect((await read<DeskAlertHistory>(follower, 'alertHistory')).changes).toHaveLength(4);
  },
);
