import { createSocket } from 'node:dgram';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isIPv6 } from 'node:net';
import type { ChainedEntry } from '#contract/desk/audit-chain.ts';
import type { AuditTarget } from '#server/core/audit-settings.ts';
import type { ServerPorts } from '#server/core/ports.ts';

/** Writes entries of the audit log to another place as well, where those who may change the store cannot change them. */
export interface AuditLines {
  /** Takes entries that are stored. Does not wait for the other place. */
  readonly write: (entries: readonly ChainedEntry[]) => void;
  /** Resolves once everything taken so far is written, or cannot be. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Returns the fields of an entry followed by its hash. */
export function toLine({ body, hash }: ChainedEntry): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), hash });
}

/** Entries that may wait for a place that hangs. */
const MOST_WAITING = 10_000;
/** A place that takes longer hangs: nothing waits for it any more. */
const LONGEST_WRITE_MS = 10_000;
/** Less than a service manager waits before it kills. */
const LONGEST_CLOSE_MS = 3_000;
const HANGS = 'The place for audit lines does not take them.';

type Deps = Pick<ServerPorts, 'log' | 'schedule'>;

export function openAuditLines(target: AuditTarget, deps: Deps): AuditLines {
  return createAuditLines(openPlace(target), deps);
}

/** @internal Exported for its test. */
export function createAuditLines(place: Place, { log, schedule }: Deps): AuditLines {
  let waiting: ChainedEntry[] = [];
  let beingWritten: readonly ChainedEntry[] = [];
  let written = Promise.resolve();
  let hangs = false;
  let isReported = false;
  let missing: { readonly from: number; readonly to: number } | null = null;

  const report = (reason: string): void => {
    if (!isReported) log('error', 'audit lines not written', { reason });
    isReported = true;
  };
  /** Keeps no more than their numbers. */
  const miss = (entries: readonly ChainedEntry[]): void => {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return;
    missing = {
      from: Math.min(missing?.from ?? first.number, first.number),
      to: Math.max(missing?.to ?? last.number, last.number),
    };
  };
  const nameMissing = (): void => {
    isReported = false;
    if (missing === null) return;
    const { from, to } = missing;
    missing = null;
    log('error', 'audit lines missing', {
      from,
      to,
      reason:
        `Entries ${String(from)} to ${String(to)} were not written. To get them, run: perpdesk audit export FILE ` +
        `--after ${String(from - 1)}`,
    });
  };
  /** What is being written may still arrive, but nothing else is begun before: each write that hangs holds a thread. */
  const giveUp = (): void => {
    hangs = true;
    report(HANGS);
    miss(waiting);
    waiting = [];
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      [beingWritten, waiting] = [waiting, []];
      const cancel = schedule(LONGEST_WRITE_MS, giveUp);
      try {
        await place.write(beingWritten);
        nameMissing();
      } catch (error) {
        report(error instanceof Error ? error.message : String(error));
        miss(beingWritten);
      }
      cancel();
      beingWritten = [];
      hangs = false;
    }
  };
  return {
    write: (entries) => {
      waiting.push(...entries);
      if (hangs || waiting.length > MOST_WAITING) giveUp();
      else if (beingWritten.length === 0) written = writeAll();
    },
    flush: () => written,
    close: async () => {
      let cancel = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        cancel = schedule(LONGEST_CLOSE_MS, resolve);
      });
      await Promise.race([written, late]);
      cancel();
      if (beingWritten.length > 0) {
        giveUp();
        miss(beingWritten);
      }
      nameMissing();
      place.close();
    },
  };
}

interface Place {
  readonly write: (entries: readonly ChainedEntry[]) => Promise<void>;
  readonly close: () => void;
}

function openPlace(target: AuditTarget): Place {
  switch (target.kind) {
    case 'stderr':
      return {
        write: (entries) => {
          process.stderr.write(toLines(entries));
          return Promise.resolve();
        },
        close: () => undefined,
      };
    case 'file':
      // Opened anew for each write, so that it can be rotated.
      return {
        write: (entries) => appendLines(target.path, toLines(entries)),
        close: () => undefined,
      };
    case 'syslog':
      return openSyslog(target);
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Opens only a regular file: opening a pipe that nobody reads would never end. */
async function appendLines(path: string, text: string): Promise<void> {
  const file = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, 0o600);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file.`);
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function toLines(entries: readonly ChainedEntry[]): string {
  return entries.map((entry) => `${toLine(entry)}\n`).join('');
}

/** The facility "log audit" and the severity "notice" (https://www.rfc-editor.org/rfc/rfc5424#section-6.2.1). */
const PRIORITY = 13 * 8 + 5;

function openSyslog({ host, port }: Extract<AuditTarget, { readonly kind: 'syslog' }>): Place {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  // It must not keep the process alive, and what a datagram meets is reported to its own write.
  socket.unref().on('error', () => undefined);
  const send = (message: string): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.send(message, port, host, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  return {
    write: async (entries) => {
      for (const entry of entries) await send(toMessage(entry));
    },
    close: () => void socket.close(),
  };
}

function toMessage(entry: ChainedEntry): string {
  const { at } = JSON.parse(entry.body) as { readonly at: string };
  return `<${String(PRIORITY)}>1 ${at} ${hostname()} perpdesk ${String(process.pid)} audit - ${toLine(entry)}`;
}
