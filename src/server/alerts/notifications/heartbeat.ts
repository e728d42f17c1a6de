import type { HeartbeatSettings } from '#server/core/channel-settings.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import type { Lease } from '#server/store/lease.ts';
import { request } from 'undici';
import { createAgent } from './send-webhook.ts';
import { createRedact, limitTime, type Resolve, toFailedSend } from './sender.ts';

/** Requests an address at regular intervals while Perpdesk does its work, so that its absence is noticed elsewhere. */
export interface Heartbeat {
  readonly state: () => HeartbeatState;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

interface HeartbeatState {
  /** Without the rest of the address, which is a secret. */
  readonly host: string;
  /** When the last one was accepted; null if none was since the start. */
  readonly lastAt: number | null;
  /** Why the next one was not sent or not accepted, in a sentence; empty if nothing is wrong. */
  readonly problem: string;
}

export interface HeartbeatDeps extends Pick<ServerPorts, 'now' | 'schedule' | 'log'> {
  /** Only the leader sends. */
  readonly lease: Pick<Lease, 'isHeld'>;
  /** Returns what is not done that should be, in a sentence; null if all is. */
  readonly findStop: () => string | null;
  readonly resolve?: Resolve | undefined;
}

const TOTAL_MS = 10_000;

export function createHeartbeat({ url: text, everySeconds }: HeartbeatSettings, deps: HeartbeatDeps): Heartbeat {
  const { lease, now, schedule, log, findStop } = deps;
  const url = new URL(text);
  const redact = createRedact([`${url.pathname}${url.search}`, ...url.pathname.split('/')]);
  const closing = new AbortController();
  let [lastAt, problem] = [null as number | null, ''];
  let cancel = (): void => undefined;
  let running: Promise<void> = Promise.resolve();

  const send = async (): Promise<string> => {
    const limited = limitTime(closing.signal, TOTAL_MS, schedule);
    // The administrator who sets the address may choose one in a private network: only that it is reached is learned.
    const agent = createAgent({ host: url.hostname, allowsPrivate: true }, deps.resolve);
    try {
      const { statusCode: status, body } = await request(url, { dispatcher: agent, signal: limited.signal });
      await body.dump();
      return status >= 200 && status < 300 ? '' : `${url.host} responded with ${String(status)}.`;
    } catch (error) {
      return redact(toFailedSend(error).reason);
    } finally {
      limited.cancel();
      await agent.destroy();
    }
  };
  const beat = async (): Promise<void> => {
    if (!lease.isHeld()) return;
    const stop = findStop();
    const found = stop ?? (await send());
    if (found === '') lastAt = now();
    else if (found !== problem) log('warn', 'no heartbeat', { host: url.host, reason: found });
    problem = found;
  };
  const run = (): void => {
    running = beat();
    void running.then(() => {
      if (!closing.signal.aborted) cancel = schedule(everySeconds * 1_000, run);
    });
  };
  return {
    state: () => ({ host: url.host, lastAt, problem }),
    start: () => {
      cancel = schedule(everySeconds * 1_000, run);
    },
    close: async () => {
      closing.abort(new DOMException('Perpdesk is shutting down.', 'AbortError'));
      cancel();
      await running;
    },
  };
}

interface Work {
  /** When the rules were last evaluated; null if never. */
  readonly evaluatedAt: number | null;
  /** When the journal was last read; null if never. */
  readonly readAt: number | null;
  /** How often it is read; null if there is no journal. */
  readonly journalMs: number | null;
}

const LONGEST_UNEVALUATED_MS = 60_000;
const LONGEST_UNREAD_MS = 120_000;
/** A reading may fail once or twice before something is wrong. */
const LATE_READINGS = 3;

/** Returns what Perpdesk does not do, in a sentence; null if it evaluates rules and reads its journal. */
export function findStoppedWork({ evaluatedAt, readAt, journalMs }: Work, now: number): string | null {
  if (evaluatedAt === null || now - evaluatedAt > LONGEST_UNEVALUATED_MS) return 'Rules are not being evaluated.';
  if (journalMs === null) return null;
  const longest = Math.max(LONGEST_UNREAD_MS, LATE_READINGS * journalMs);
  return readAt === null || now - readAt > longest ? 'Working orders are not being read for the journal.' : null;
}
