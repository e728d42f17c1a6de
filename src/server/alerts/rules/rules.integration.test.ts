import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import {
  RULE_ACTIONS,
  RULE_ENDPOINTS,
  type Alert,
  type AlertEvidence,
  type DeskAlertHistory,
  type DeskAlerts,
  type RuleTrial,
} from '#contract/desk/alerts.ts';
import { createParser } from '#contract/parse/parse.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import type { DeskRuleChanges, DeskRules } from '#contract/desk/rules.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-rules-'));
let venue: StartedProcess;
let server: StartedProcess;

beforeAll(async () => {
  venue = await startVenue(['--live', 'off']);
  server = await startServer(venue.address, folder);
}, 60_000);

afterAll(async () => {
  await server.stop();
  await venue.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function read<Value>(name: keyof typeof RULE_ENDPOINTS, query = ''): Promise<Value> {
  const { path, response: schema, rows } = RULE_ENDPOINTS[name];
  const response = await fetch(`${server.address}${path.slice(1)}${query}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return createParser(schema, rows).strict(text) as Value;
}

function send(name: keyof typeof RULE_ACTIONS, body: object | null, query = ''): Promise<Response> {
  const { path, method } = RULE_ACTIONS[name];
  const type = body === null ? {} : { 'content-type': 'application/json' };
  return fetch(`${server.address}${path.slice(1)}${query}`, {
    method,
    headers: { [ACTION_HEADER]: name, ...type },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
}

async function act<Value>(name: keyof typeof RULE_ACTIONS, body: object | null, query = ''): Promise<Value> {
  const response = await send(name, body, query);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return createParser(RULE_ACTIONS[name].response).strict(text) as Value;
}

const common = { enabled: true, severity: 'warning', channels: [], for_seconds: 0 };
const orders = {
  ...common,
  about: 'orders',
  filter: {},
  each: 'account',
  comparison: 'over',
  value: 0,
  unit: 'orders',
};
const many = { ...orders, id: 'many', name: 'Many orders', measure: 'count' };

async function findAlerts(ruleId: string, isDone: (alerts: readonly Alert[]) => boolean): Promise<readonly Alert[]> {
  let found: readonly Alert[] = [];
  await expect
    .poll(
      async () =>
        isDone((found = (await read<DeskAlerts>('alerts')).alerts.filter(({ rule_id: id }) => id === ruleId))),
      { timeout: 30_000 },
    )
    .toBe(true);
  return found;
}

describe('rules over HTTP', () => {
  it('fire for each account that has working orders, with evidence as the exchange wrote it, and are remembered', async () => {
    await act('putRule', { rule: many });
    const alerts = await findAlerts('many', (found) => found.length > 0);
    const response = await fetch(`${server.address}api/desk/working`);
    const working = (await response.json()) as {
      readonly orders: readonly { readonly account_id: string; readonly id: string }[];
    };
    const counts = new Map(
      [...Map.groupBy(working.orders, (order) => order.account_id)].map(([account, own]) => [
        account,
        String(own.length),
      ]),
    );
    expect(new Map(alerts.map(({ group: subject, value }) => [subject, value]))).toEqual(counts);
    for (const { state, group: subject, value, rows } of alerts) {
      const evidence = await read<AlertEvidence>('alertEvidence', `?rule_id=many&group=${subject}`);
      expect(rows).toBe(evidence.total);
      expect([state, String(evidence.total)]).toEqual(['firing', value]);
      for (const order of evidence.orders) expect(working.orders).toContainEqual(order);
      expect(evidence.orders.every((order) => order.account_id === subject)).toBe(true);
    }
    const { changes } = await read<DeskAlertHistory>('alertHistory', '?rule_id=many&limit=1000');
    expect(changes.map(({ group: subject }) => subject).toSorted()).toEqual([...counts.keys()].toSorted());
  }, 60_000);

  it('that are changed begin anew, and every change is kept with the rule before and after', async () => {
    await act('putRule', { rule: { ...many, value: 1_000_000 } });
    await findAlerts('many', (found) => found.length === 0);
    await act('deleteRule', null, '?id=many');
    const { changes } = await read<DeskRuleChanges>('ruleChanges');
    expect(changes.map(({ by, before, after }) => [by, before === null, after === null])).toEqual([
      ['this machine', false, true],
      ['this machine', false, false],
      ['this machine', true, false],
    ]);
    expect(await read<DeskRules>('rules')).toEqual({ rules: [] });
  }, 60_000);

  it('are imported all or none, with every mistake named', async () => {
    const response = await send('importRules', {
      rules: [many, { ...many, id: 'other', unit: 'USD', expression: 'order.symbol.matches("a")' }],
    });
    const problem = createParser(ProblemDocument).strict(await response.text());
    expect([response.status, problem.errors?.map(({ path }) => path)]).toEqual([400, ['$.rules[1].unit']]);
    expect((await read<DeskRules>('rules')).rules).toEqual([]);
    const good = [many, { ...many, id: 'other', expression: 'order.side == "Bid"' }];
    expect(await act('importRules', { rules: good })).toEqual({ count: 2, ids: ['many', 'other'] });
    expect(await read<DeskRules>('rules')).toEqual({ rules: good });
  });

  it('may be acknowledged, silenced and spoken for again', async () => {
    const [first] = await findAlerts('many', (found) => found.length > 0);
    const subject = first?.group ?? '';
    await act('acknowledgeAlerts', { alerts: [{ rule_id: 'many', group: subject }], note: 'known' });
    const {
      silences: [silence],
    } = await act<{ readonly silences: readonly { readonly id: string }[] }>('silenceAlerts', {
      matches: [{ rule_id: 'many', groups: [subject] }],
      until: new Date(Date.now() + 3_600_000).toISOString(),
      note: 'maintenance',
    });
    const [alert] = (await findAlerts('many', (found) => found.length > 0)).filter((one) => one.group === subject);
    expect(alert).toMatchObject({
      acknowledged: { by: 'this machine', note: 'known' },
      silenced_until: expect.any(String) as string,
    });
    const { id = '' } = silence ?? {};
    await act('endSilence', null, `?id=${id}`);
    expect((await read<DeskAlerts>('alerts')).silences).toEqual([]);
    expect((await send('endSilence', null, `?id=${id}`)).status).toBe(400);
    expect((await send('silenceAlerts', { matches: [{}], until: '2020-01-01T00:00:00Z', note: '' })).status).toBe(400);
  }, 60_000);

  it('can be tried before they are kept', async () => {
    const trial = await act<RuleTrial>('tryRule', { rule: { ...many, id: 'tried', each: 'all' } });
    expect(trial).toMatchObject({ no_data: null, not_tried: null, now: [{ group: '', holds: true }] });
    expect(trial.sentence).toBe('When there is at least 1 working order, raise a warning.');
    const away = await act<RuleTrial>('tryRule', {
      rule: { ...common, id: 'away', name: 'Away', about: 'desk', measure: 'venue_away' },
    });
    expect(away).toMatchObject({
      not_tried: 'Only rules about orders or settled rates can be.',
      now: [{ holds: false }],
    });
  }, 60_000);

  it('that cannot be evaluated for an order say so where they are tried; without a perpetual, they are refused', async () => {
    const trial = await act<RuleTrial>('tryRule', {
      rule: { ...many, id: 'tried', expression: 'order.avg_price > 1' },
    });
    expect(trial).toMatchObject({
      now: [],
      no_data: expect.stringMatching(/^It could not be evaluated: no such overload/) as string,
      not_tried: expect.stringMatching(/^It could not be evaluated: no such overload/) as string,
    });
    const funding = { ...common, id: 'flip', name: 'Flip', about: 'funding', measure: 'flip', base_symbol: '' };
    for (const name of ['tryRule', 'putRule'] as const) {
      const response = await send(name, { rule: funding });
      const problem = createParser(ProblemDocument).strict(await response.text());
      expect([response.status, problem.errors?.map(({ path }) => path)]).toEqual([400, ['$.rule.base_symbol']]);
    }
  }, 60_000);

  it('of each order name the order, at most 200 of them, and none that is not new', async () => {
    const each = { ...many, id: 'each', name: 'Each', measure: 'quantity', unit: 'contracts', each: 'order' };
    await act('putRule', { rule: { ...each, id: 'new', name: 'New', new_only: true } });
    await act('putRule', { rule: each });
    const [whole, ...alerts] = (await findAlerts('each', (found) => found.length > 0)).toSorted((a, b) =>
      a.group < b.group ? -1 : 1,
    );
    expect([whole?.group, whole?.sentence, alerts.length]).toEqual([
      '',
      expect.stringMatching(/^Each\. [\d,]+ more orders meet the condition without an alert of their own/) as string,
      200,
    ]);
    for (const { group: subject, label = '', sentence } of alerts) {
      const { orders: found } = await read<AlertEvidence>('alertEvidence', `?rule_id=each&group=${subject}`);
      const [order] = found;
      expect([order?.id, label.split(' ').slice(0, 4)]).toEqual([
        subject,
        [order?.account_id, '·', order?.symbol, order?.side.toLowerCase()],
      ]);
      expect(sentence.startsWith(`${label}: working quantity `)).toBe(true);
    }
    const { rule_states: states } = await read<DeskAlerts>('alerts');
    expect(states.find(({ rule_id: id }) => id === 'new')).toMatchObject({ state: 'ok' });
    expect(await findAlerts('new', () => true)).toEqual([]);
    for (const id of ['each', 'new']) await act('deleteRule', null, `?id=${id}`);
  }, 60_000);

  it('that match nothing say so, and those that do how much', async () => {
    expect(
      await act<RuleTrial>('tryRule', { rule: { ...many, id: 'tried', filter: { account_id: 'NO-SUCH' } } }),
    ).toMatchObject({ watches_nothing: 'no account matches', now: [{ group: 'NO-SUCH', holds: false, value: '0' }] });
    const trial = await act<RuleTrial>('tryRule', { rule: { ...many, id: 'tried' } });
    expect(trial).toMatchObject({ watches_nothing: null, watches: `${String(trial.now.length)} accounts` });
  }, 60_000);

  it('and what they said outlive a restart', async () => {
    const before = await findAlerts('many', (found) => found.length > 0);
    await server.stop();
    server = await startServer(venue.address, folder);
    const after = await findAlerts('many', (found) => found.length > 0 && found.every(({ value }) => value !== null));
    const key = ({ group: subject, started_at: at }: Alert) => [subject, at];
    expect(after.map(key).toSorted()).toEqual(before.map(key).toSorted());
    expect(after.some(({ acknowledged }) => acknowledged?.note === 'known')).toBe(true);
  }, 60_000);
});
