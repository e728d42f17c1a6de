import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { DeskDeliveries } from '#contract/desk/notifications.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { DeskRuleChanges } from '#contract/desk/rules.ts';
import {
  EACH_ACCOUNT,
  readHistory,
  startNotifiedDesk,
  untilFiring,
  type NotifiedDesk,
} from '#testing/rules/notified-desk.ts';

const LOG = join(import.meta.dirname, '..', '..', '..', '..', 'e2e', 'artifacts', 'alert-log.md');
let desk: NotifiedDesk;

async function deliveries(): Promise<DeskDeliveries['deliveries']> {
  return (await desk.read<DeskDeliveries>('callDeliveries')).deliveries.toReversed();
}

async function untilNotified(count: number): Promise<void> {
  await expect
    .poll(async () => (await deliveries()).map(({ channel, outcome }) => `${channel} ${outcome}`).toSorted(), {
      timeout: 60_000,
    })
    .toEqual(['desk', 'night'].flatMap((channel) => Array.from({ length: count }, () => `${channel} delivered`)));
}

interface Line {
  readonly at: string;
  readonly what: string;
  readonly detail: string;
}

async function readLog(): Promise<readonly Line[]> {
  const { changes } = await desk.read<DeskRuleChanges>('ruleChanges');
  const rules = changes.map(({ at, rule_id: id, by }): Line => ({
    at,
    what: `rule ${id} created`,
    detail: `by ${by}`,
  }));
  const history = await readHistory(desk);
  const alerts = history.map(({ at, state, severity, sentence, by, note, evidence: { total } }): Line => ({
    at,
    what: `${severity} alert ${state}`,
    detail: `${sentence} ${by === undefined ? `Evidence: ${String(total)} orders.` : `By ${by}: “${note ?? ''}”`}`,
  }));
  const notifications = (await deliveries()).map(
    ({ at, channel, outcome, status, call_id: id, attempt, took_ms: took, summary, answer }): Line => ({
      at,
      what: `call by ${channel}: ${outcome}`,
      detail: `${summary} Attempt ${String(attempt)} of ${id}, status ${String(status)} after ${String(took)} ms${answer === '' ? '' : `: ${answer}`}`,
    }),
  );
  return [...rules, ...alerts, ...notifications].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function toTable(lines: readonly Line[]): string {
  const rows = lines.map(({ at, what, detail }) => `| ${at} | ${what} | ${detail.replaceAll('|', '\\|')} |`);
  return ['| Time (UTC) | What | Detail |', '|---|---|---|', ...rows, ''].join('\n');
}

it(
  'a rule fires, is called by webhook and mail, is acknowledged and resolved, and the log says all of it',
  { timeout: 180_000 },
  async () => {
    desk = await startNotifiedDesk();
    onTestFinished(desk.stop);
    const [account = ''] = desk.accounts;
    await desk.act('putRule', { rule: EACH_ACCOUNT, before: null });
    desk.show([account]);
    await untilFiring(desk, [account]);
    await untilNotified(1);
    // What the second channel was sent would be another link.
    const [first] = desk.receiver.notifications;
    const link = /acknowledge=([\w-]+)/.exec(first?.text ?? '')?.[1];
    await desk.act('acknowledgeAlerts', {
      link,
      alerts: [{ rule_id: EACH_ACCOUNT.id, group: account }],
      note: 'Known: the desk of this account is testing',
    });
    desk.show([]);
    await untilFiring(desk, []);
    await untilNotified(2);

    const history = await readHistory(desk);
    expect(
      history.map(({ group: subject, state, channel, acknowledged = null }) => [
        ...[subject, state, channel, acknowledged?.note],
      ]),
    ).toEqual([
      [account, 'firing', undefined, undefined],
      [account, 'acknowledged', 'desk', undefined],
      [account, 'resolved', undefined, 'Known: the desk of this account is testing'],
    ]);
    expect((await desk.read<DeskAlerts>('alerts')).last_fired).toEqual([
      { rule_id: EACH_ACCOUNT.id, at: history[0]?.at },
    ]);
    const { notifications } = desk.receiver;
    expect(notifications.map(({ isSigned, text }) => [isSigned, /"state":"([^"]*)"/.exec(text)?.[1]])).toEqual([
      [true, 'firing'],
      [true, 'resolved'],
    ]);
    expect(desk.mail.mails.map(({ from, to, source }) => [from, to, source.includes(account)])).toEqual([
      ['perpdesk@firm.example', ['duty@firm.example'], true],
      ['perpdesk@firm.example', ['duty@firm.example'], true],
    ]);

    const lines = await readLog();
    expect(lines.map(({ what }) => what.replace(/ by (desk|night)/, ''))).toEqual([
      'rule many created',
      'critical alert firing',
      'call: delivered',
      'call: delivered',
      'critical alert acknowledged',
      'critical alert resolved',
      'call: delivered',
      'call: delivered',
    ]);
    mkdirSync(join(LOG, '..'), { recursive: true });
    writeFileSync(LOG, toTable(lines));
  },
);
