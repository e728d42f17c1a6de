import { page, type Locator } from 'vitest/browser';
import { expect } from 'vitest';
import type { AlertEvidence, DeskAlerts } from '#contract/desk/alerts.ts';
import type { RecordedAnswer } from './answers.ts';
import { type Change, open, recordedAnswer } from './mount.tsx';
import { ago, RULES } from '../alerts.ts';
import { toProblem } from './change-answers.ts';

interface AlertsDesk {
  alerts: DeskAlerts;
  /** The bodies of actions, by name. */
  readonly acts: (readonly [name: string, body: unknown])[];
  /** What an action changes, and returns. */
  act: (name: string, body: unknown) => object;
}

/** Opens the alerts, or another page, of a desk with these alerts, and returns the desk. */
export async function openAlerts(
  alerts: DeskAlerts,
  {
    at = '/rules',
    size = [1_440, 900],
    seesCalls = true,
    ...options
  }: {
    readonly at?: string;
    readonly size?: readonly [number, number];
    readonly seesCalls?: boolean;
    readonly change?: Change;
  } = {},
): Promise<AlertsDesk> {
  const desk: AlertsDesk = { alerts, acts: [], act: () => ({ count: 1 }) };
  const toAnswer = (target: string, value: object): RecordedAnswer => ({
    ...{ target, status: 200, text: JSON.stringify(value) },
    headers: { 'content-type': 'application/json' },
  });
  const evidence = await toEvidence();
  await open(at, {
    size,
    ...options,
    answer: (target, { method, headers, body }) => {
      if (method !== undefined && method !== 'GET') {
        const name = new Headers(headers).get('desk-action') ?? '';
        const given: unknown = typeof body === 'string' ? JSON.parse(body) : null;
        desk.acts.push([name, given]);
        return toAnswer(target, desk.act(name, given));
      }
      const { pathname } = new URL(target, 'http://desk');
      if (pathname === '/api/desk/alerts') return toAnswer(target, desk.alerts);
      if (pathname === '/api/desk/rules') return toAnswer(target, { rules: RULES });
      if (pathname === '/api/desk/alerts/evidence') return toAnswer(target, evidence);
      if (pathname === '/api/desk/journal') return toAnswer(target, JOURNAL);
      if (pathname === '/api/desk/calls/deliveries')
        return seesCalls
          ? toAnswer(target, DELIVERIES)
          : toProblem('not-allowed', 'Only people whose scope is all orders can see them.')(toAnswer(target, {}));
      return null;
    },
  });
  return desk;
}

const JOURNAL = {
  ...{ kept_from: ago(90_000), read_to: ago(2), history_to: ago(2), changes: 0, bytes: 0, max_bytes: 1 },
  gaps: [{ from: ago(7_200), to: ago(7_080), cause: null }],
};
const DELIVERIES = {
  deliveries: [
    {
      ...{ number: 1, channel: 'ops', call_id: 'c', attempt: 1, events: 1, summary: '1 alert', at: ago(3_600) },
      ...{ took_ms: 9, outcome: 'failed', status: 500, reason: 'It answered 500.', answer: '' },
    },
  ],
  pagination: {},
};

/** Returns the recorded working orders as the evidence of an alert. */
async function toEvidence(): Promise<AlertEvidence> {
  const recorded = await recordedAnswer('/api/desk/working');
  const { orders } = JSON.parse(recorded?.text ?? '{}') as Pick<AlertEvidence, 'orders'>;
  const shown = orders.slice(0, 30);
  return {
    ...{ at: ago(300), total: 49, orders: shown, products: [] },
    figures: shown.map((_, index) => ({
      ...{ price_usd: '0.1131', market_usd: '0.45', notional_usd: '13941.5' },
      distance_percent: index === 29 ? null : String(74.899999 - index),
    })),
  };
}

export const grid = (): Locator => page.getByRole('treegrid', { name: 'Alerts' });
export const drawer = (): Locator => page.getByRole('complementary', { name: 'Alert' });
export const rowOf = (text: string): Locator => grid().getByRole('row').filter({ hasText: text }).first();

export async function focusGrid(): Promise<void> {
  await expect.element(grid()).toBeVisible();
  (grid().element() as HTMLElement).focus();
  await expect.element(grid()).toHaveFocus();
}
