import type { Log, Schedule } from '#server/core/ports.ts';
import type { AuditEvent, AuditKind } from './audit-store.ts';

/** Reports attempts to get in to operators, who may not read the audit log: in the log and as metrics. */
export interface AnnouncedEvents {
  readonly note: (event: AuditEvent) => void;
  /** The sign-ins since the start, by outcome. */
  readonly signIns: () => Readonly<Record<SignInOutcome, number>>;
  readonly close: () => void;
}

type SignInOutcome = 'succeeded' | 'refused' | 'locked_out';

const LOGGED: readonly AuditKind[] = ['sign-in refused', 'request refused'];
/** Lines of one kind in a minute: strangers must not fill the log. */
const MOST_LINES = 10;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

interface Minute {
  lines: number;
  more: number;
  readonly addresses: Set<string>;
}

export function createAnnouncedEvents({
  log,
  schedule,
}: {
  readonly log: Log;
  readonly schedule: Schedule;
}): AnnouncedEvents {
  const signIns = { succeeded: 0, refused: 0, locked_out: 0 };
  const minutes = new Map<AuditKind, Minute>();
  let cancel: (() => void) | null = null;

  const endMinute = (): void => {
    cancel?.();
    cancel = null;
    for (const [kind, { more, addresses }] of minutes)
      if (more > 0) log('warn', kind, { more, addresses: addresses.size, reason: 'within a minute' });
    minutes.clear();
  };
  const announce = ({ kind, name, address, detail }: AuditEvent): void => {
    cancel ??= schedule(MINUTE_MS, endMinute);
    const minute = minutes.get(kind) ?? { lines: 0, more: 0, addresses: new Set() };
    minutes.set(kind, minute);
    if (minute.lines < MOST_LINES) {
      minute.lines += 1;
      log('warn', kind, { name, address, reason: detail });
      return;
    }
    minute.more += 1;
    if (minute.addresses.size < MOST_ADDRESSES) minute.addresses.add(address);
  };
  return {
    note: (event) => {
      if (event.kind === 'sign-in') signIns.succeeded += 1;
      if (event.kind === 'sign-in refused') signIns[event.isLockedOut === true ? 'locked_out' : 'refused'] += 1;
      if (LOGGED.includes(event.kind)) announce(event);
    },
    signIns: () => signIns,
    close: endMinute,
  };
}
