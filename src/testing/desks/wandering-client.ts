import { createStreamReader } from '#page/client/live/stream-reader.ts';
import type { FollowedTopic, FromReader } from '#page/client/live/live.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import { toRows } from './counting-exchange.ts';

const WORKING: FollowedTopic = { address: 'working-orders', key: 'id', account: 'account_id', rowsField: 'orders' };

interface WanderingDeps {
  /** Returns the address of one of the desks, each time another. */
  readonly chooseDesk: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: () => number;
  /** Its streams are cut after this time at most. */
  readonly mostMs: number;
  /** Called with all that it receives. */
  readonly onMessage?: (message: FromReader) => void;
}

/** A browser that follows working orders, and whose connection is cut again and again, so that it goes to other desks. */
export interface WanderingClient {
  /** The working orders that it shows; null before the first reading. */
  readonly rows: () => ReadonlyMap<string, string> | null;
  /** When each of its readings ended, by the desk that read, in the order in which they arrived. */
  readonly readAt: () => readonly string[];
  /** How often rows were lost on the way, and requested again. */
  readonly losses: () => number;
  readonly streams: () => number;
  /** The responses that were no streams, each with its status. */
  readonly rejections: () => readonly string[];
  /** Stays where it is from now on. */
  readonly settle: () => void;
  readonly close: () => void;
}

export function openWanderingClient({
  chooseDesk,
  headers,
  random,
  mostMs,
  onMessage,
}: WanderingDeps): WanderingClient {
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();
  const readAt: string[] = [];
  const rejections: string[] = [];
  let [streams, losses] = [0, 0];
  let isSettled = false;
  /** Whether the whole topic is being requested, and what the reader has sent for it. */
  const asked: { isAsking: boolean; text: string | null } = { isAsking: false, text: null };
  const schedule = (ms: number, call: () => void): (() => void) => {
    const timer = setTimeout(call, ms);
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  const reader = createStreamReader({
    fetch: async (target, init) => {
      streams += 1;
      const cut = new AbortController();
      if (!isSettled)
        schedule(random() * mostMs, () => {
          cut.abort();
        });
      const signals = [cut.signal, closing.signal, ...(init.signal ? [init.signal] : [])];
      const response = await fetch(new URL(target, chooseDesk()), {
        ...init,
        headers: { ...(init.headers as Readonly<Record<string, string>>), ...headers },
        signal: AbortSignal.any(signals),
      });
      if (response.status !== 200) rejections.push(`${String(response.status)} ${await response.clone().text()}`);
      return response;
    },
    now: () => Date.now(),
    random,
    schedule,
  });
  const take = (message: FromReader): void => {
    onMessage?.(message);
    if (message.kind === 'lost') losses += 1;
    if (asked.isAsking && message.kind === 'whole') asked.text = message.text;
    else if ('reading' in message) readAt.push(JSON.parse(whole()?.fields.get('read_to') ?? '""') as string);
  };
  const whole = () => {
    Object.assign(asked, { isAsking: true, text: null });
    send({ kind: 'whole', address: WORKING.address });
    asked.isAsking = false;
    return asked.text === null ? null : cutAtList(asked.text, 'orders');
  };
  const send = reader.connect(take);
  send({ kind: 'follow', topics: [WORKING] });
  const staying = setInterval(() => {
    send({ kind: 'follow', topics: [WORKING] });
  }, 5_000);
  return {
    rows: () => {
      const shown = whole();
      return shown === null ? null : toRows(`[${shown.list ?? ''}]`);
    },
    readAt: () => readAt,
    losses: () => losses,
    streams: () => streams,
    rejections: () => rejections,
    settle: () => {
      isSettled = true;
    },
    close: () => {
      clearInterval(staying);
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
