import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import {
  RULE_ACTIONS,
  RULE_ENDPOINTS,
  type DeskAlertHistory,
  type DeskAlerts,
  type PastAlert,
} from '#contract/desk/alerts.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { cutRows, fieldOf } from '#contract/parse/row-texts.ts';
import { openMailServer, type MailServer } from '../notifications/mail-server.ts';
import { openReceiver, SECRET, type Receiver } from '../notifications/receiver.ts';
import { CREDENTIAL, startVenue } from '#venue/conformance/run-conformance.ts';
import { startTamperingProxy } from '#venue/conformance/tampering.ts';
import { makeSelfSigned } from '../faults/self-signed.ts';
import { startServer } from '../start-desk.ts';
import type { StartedProcess } from '../start-process.ts';

/** A server in a separate process, with a webhook and a mail channel. */
export interface NotifyingDesk {
  readonly address: () => string;
  readonly receiver: Receiver;
  readonly mail: MailServer;
  readonly read: <Value>(
    name: keyof typeof RULE_ENDPOINTS | 'calls' | 'callDeliveries',
    query?: string,
  ) => Promise<Value>;
  readonly act: (name: keyof typeof RULE_ACTIONS, body: object) => Promise<void>;
  /** Sends SIGKILL, then starts the server again on the same store and port. */
  readonly killAndRestart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** An exchange whose working orders are chosen by the test. */
export interface NotifiedDesk extends NotifyingDesk {
  /** The accounts with working orders, those with the most first. */
  readonly accounts: readonly string[];
  /** Shows only working orders of these accounts from now on; at first there are none. */
  readonly show: (accounts: readonly string[]) => void;
}

const CHANNELS = ['desk', 'night'];

export async function startNotifyingDesk(venueUrl: string): Promise<NotifyingDesk> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-called-'));
  const [receiver, mail] = await Promise.all([
    openReceiver(),
    openMailServer({ certificate: makeSelfSigned(Date.now()), withoutStartTls: true }),
  ]);
  const environment = {
    DESK_JOURNAL_SECONDS: '5',
    DESK_WEBHOOKS: JSON.stringify({ desk: { kind: 'standard', url: receiver.url, secret: SECRET } }),
    DESK_SMTP_URL: `smtp://127.0.0.1:${String(mail.port)}`,
    DESK_MAIL_FROM: 'perpdesk@firm.example',
    DESK_MAIL_TO: 'night=duty@firm.example',
  };
  let server: StartedProcess = await startServer(venueUrl, dataDir, environment);
  return {
    address: () => server.address,
    receiver,
    mail,
    read: async (name, query = '') => {
      const endpoint = name === 'calls' || name === 'callDeliveries' ? DESK_ENDPOINTS[name] : RULE_ENDPOINTS[name];
      const response = await fetch(`${server.address}${endpoint.path.slice(1)}${query}`);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      return createParser(endpoint.response, endpoint.rows).strict(text) as never;
    },
    act: async (name, body) => {
      const { path, method } = RULE_ACTIONS[name];
      const response = await fetch(`${server.address}${path.slice(1)}`, {
        method,
        headers: { [ACTION_HEADER]: name, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.text()).toBe(200);
    },
    killAndRestart: async () => {
      const { address, kill } = server;
      await kill();
      server = await startServer(venueUrl, dataDir, { ...environment, DESK_PORT: new URL(address).port });
    },
    stop: async () => {
      await server.stop();
      await Promise.all([receiver.close(), mail.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function startNotifiedDesk(): Promise<NotifiedDesk> {
  const venue = await startVenue(['--live', 'off', '--working', '60']);
  const proxy = await startTamperingProxy(venue.address, CREDENTIAL);
  const desk = await startNotifyingDesk(proxy.address);
  const accounts = [...(await countOrders(desk)).keys()];
  const show: NotifiedDesk['show'] = (shown) => {
    proxy.tamper({
      changeResponse: (response, { name }) => {
        if (response.status !== 200) return response;
        if (name === 'ordersWorking') return { ...response, text: keepAccounts(response.text, shown) };
        return name === 'orders' ? { ...response, text: closeOthers(response.text, shown) } : response;
      },
    });
  };
  show([]);
  await untilReadAgain(desk);
  return {
    ...desk,
    accounts,
    show,
    stop: async () => {
      await desk.stop();
      await Promise.all([proxy.stop(), venue.stop()]);
    },
  };
}

/** A rule that fires for each account that has working orders, and notifies both channels. */
export const EACH_ACCOUNT = {
  ...{ id: 'many', name: 'Any orders', enabled: true, severity: 'critical', channels: CHANNELS, for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'account', comparison: 'over', value: 0, unit: 'orders' },
} as const;

/** Returns how many working orders each account has, those with the most first. */
export async function countOrders({ address }: Pick<NotifyingDesk, 'address'>): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${address()}api/desk/working`);
  const { orders } = (await response.json()) as { readonly orders: readonly { readonly account_id: string }[] };
  const counts = [...Map.groupBy(orders, ({ account_id: account }) => account)].map(
    ([account, own]) => [account, own.length] as const,
  );
  return new Map(counts.sort(([, first], [, second]) => second - first));
}

/**
 * Waits for a new read: for a while the server still has the previous response, and reads the data of rules at
 * intervals.
 */
async function untilReadAgain(desk: NotifyingDesk): Promise<void> {
  await expect.poll(async () => (await countOrders(desk)).size, { timeout: 30_000 }).toBe(0);
  const after = Date.now();
  await expect
    .poll(
      async () => {
        const response = await fetch(`${desk.address()}api/desk/journal`);
        const { read_to: to } = (await response.json()) as { readonly read_to: string };
        return Date.parse(to);
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(after);
}

/** Returns the remaining rows as the exchange wrote them. */
function keepAccounts(text: string, accounts: readonly string[]): string {
  const rows = [...cutRows(text.trim().slice(1, -1))];
  return `[${rows.filter((row) => accounts.some((account) => fieldOf(row, 'account_id') === JSON.stringify(account))).join(',')}]`;
}

/** Makes the order history agree with the list. */
function closeOthers(text: string, accounts: readonly string[]): string {
  const page = JSON.parse(text) as { readonly data: readonly { readonly account_id: string }[] };
  return JSON.stringify({
    ...page,
    data: page.data.map((order) => (accounts.includes(order.account_id) ? order : { ...order, status: 'Closed' })),
  });
}

/** Waits until the alerts of exactly these accounts fire. */
export async function untilFiring({ read }: NotifyingDesk, accounts: readonly string[]): Promise<void> {
  await expect
    .poll(
      async () =>
        (await read<DeskAlerts>('alerts')).alerts
          .flatMap(({ group: subject, state }) => (state === 'firing' ? [subject] : []))
          .toSorted(),
      { timeout: 60_000 },
    )
    .toEqual(accounts.toSorted());
}

/** Returns all changes of alerts, oldest first. */
export async function readHistory({ read }: NotifyingDesk): Promise<readonly PastAlert[]> {
  return (await read<DeskAlertHistory>('alertHistory', '?limit=1000')).changes.toReversed();
}
