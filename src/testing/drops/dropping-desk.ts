import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { RULE_ACTIONS, RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { cutRows, fieldOf } from '#contract/parse/row-texts.ts';
import { openReceiver, SECRET, type Receiver } from '../notifications/receiver.ts';
import { CREDENTIAL, startVenue } from '#venue/conformance/run-conformance.ts';
import { startTamperingProxy, type TamperedResponse } from '#venue/conformance/tampering.ts';
import { startServer } from '../start-desk.ts';

/**
 * What a proxy between server and exchange changes: the rows of the working list that it leaves out, and what the order
 * history says about them.
 */
interface Drop {
  readonly isLeftOut: (row: string, place: number, count: number) => boolean;
  /** `as it is`: they are working there. `closed`: they are cancelled there. `none`: the history does not respond. */
  readonly history: 'as it is' | 'closed' | 'none';
}

/** A server whose exchange lists only some of the orders, or does not respond at all. */
export interface DroppingDesk {
  /** The address, including the slash at its end. */
  readonly address: string;
  readonly receiver: Receiver;
  /** Sets what the exchange leaves out from now on; null: it leaves out nothing. */
  readonly drop: (drop: Drop | null) => void;
  /** Makes each request fail from now on. */
  readonly fail: () => void;
  readonly read: <Value>(
    name: keyof typeof DESK_ENDPOINTS | keyof typeof RULE_ENDPOINTS,
    query?: string,
  ) => Promise<Value>;
  readonly putRules: (rules: readonly object[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const FIRST_HALF: Drop = { isLeftOut: (_, place, count) => place >= count / 2, history: 'as it is' };

/** Cancels half of the orders that are working when it is called. */
export function cancelHalf(): Drop {
  const cancelled = new Set<string>();
  let lists = 0;
  const isLeftOut: Drop['isLeftOut'] = (row, place, count) => {
    const id = fieldOf(row, 'id') ?? '';
    if (place === 0) lists += 1;
    if (lists === 1 && place >= count / 2) cancelled.add(id);
    return cancelled.has(id);
  };
  return { isLeftOut, history: 'closed' };
}

export async function startDroppingDesk(
  venueOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<DroppingDesk> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-drops-'));
  const venue = await startVenue(['--live', 'off', ...venueOptions]);
  const proxy = await startTamperingProxy(venue.address, CREDENTIAL);
  const receiver = await openReceiver();
  const server = await startServer(proxy.address, dataDir, {
    DESK_JOURNAL_SECONDS: '5',
    DESK_WEBHOOKS: JSON.stringify({ desk: { kind: 'standard', url: receiver.url, secret: SECRET } }),
    ...environment,
  });
  return {
    address: server.address,
    receiver,
    drop: (drop) => {
      const gone = new Set<string>();
      const changeResponse = (
        response: TamperedResponse,
        { name }: { readonly name: string | null },
      ): TamperedResponse => {
        if (drop === null || response.status !== 200) return response;
        if (name === 'ordersWorking') return { ...response, text: leaveOut(response.text, drop, gone) };
        if (name !== 'orders' || drop.history === 'as it is') return response;
        return drop.history === 'none'
          ? { status: 503, type: 'text/plain', text: '' }
          : { ...response, text: close(response.text, gone) };
      };
      proxy.tamper({ changeResponse });
    },
    fail: () => {
      proxy.tamper({ changeResponse: () => ({ status: 503, type: 'text/plain', text: '' }) });
    },
    read: async (name, query = '') => {
      const endpoint = { ...DESK_ENDPOINTS, ...RULE_ENDPOINTS }[name];
      const response = await fetch(`${server.address}${endpoint.path.slice(1)}${query}`);
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
      return createParser(endpoint.response, endpoint.rows).strict(text) as never;
    },
    putRules: async (rules) => {
      const { path, method } = RULE_ACTIONS.importRules;
      const response = await fetch(`${server.address}${path.slice(1)}`, {
        method,
        headers: { [ACTION_HEADER]: 'importRules', 'content-type': 'application/json' },
        body: JSON.stringify({ rules }),
      });
      if (response.status !== 200) throw new Error(await response.text());
    },
    stop: async () => {
      await server.stop();
      await Promise.all([proxy.stop(), venue.stop(), receiver.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the remaining rows as the exchange wrote them. */
function leaveOut(text: string, { isLeftOut }: Drop, gone: Set<string>): string {
  const rows = [...cutRows(text.trim().slice(1, -1))];
  const left = rows.filter((row, place) => {
    const isOut = isLeftOut(row, place, rows.length);
    if (isOut) gone.add(fieldOf(row, 'id') ?? '');
    return !isOut;
  });
  return `[${left.join(',')}]`;
}

function close(text: string, gone: ReadonlySet<string>): string {
  const page = JSON.parse(text) as { readonly data: readonly { readonly id: string }[] };
  return JSON.stringify({
    ...page,
    data: page.data.map((order) => (gone.has(JSON.stringify(order.id)) ? { ...order, status: 'Closed' } : order)),
  });
}
