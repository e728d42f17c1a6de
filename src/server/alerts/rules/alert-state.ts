import type { NotificationState } from '../notifications/notification.ts';

/** What is remembered of one rule for one subject between evaluations and across restarts. */
export interface AlertState {
  readonly status: 'pending' | 'firing' | 'resolved' | 'no data' | 'data again';
  /** When the status began, in epoch milliseconds, like all times here. */
  readonly since: number;
  /**
   * When the rule first fired, or when its data went missing if that was notified before. Kept while data are missing
   * and when the rule fires again afterwards. Null while it is only pending.
   */
  readonly startedAt: number | null;
  /** Whether the rule fired before its data were lost. */
  readonly firedBefore: boolean;
  /** The notified status that still holds; null if there is none. */
  readonly called: 'firing' | 'no data' | null;
  /** What each channel was notified of and still holds. Earlier versions stored only `called`. */
  readonly notified?: Readonly<Record<string, Notified>>;
  /** The latest times at which the rule began or ceased to hold while it was more than pending. */
  readonly turns: readonly number[];
  /** Since when an alert that goes on all the same has not held; null while it holds. */
  readonly calmSince: number | null;
  /** When its beginning was last notified. Earlier versions stored no such field. */
  readonly notifiedAt?: number;
  /** What an order is called whose ID is the subject. */
  readonly label?: string;
  /**
   * The status, start and first firing of the ended alert before it was pending again; null if there was none. Earlier
   * versions stored no such field, or one without status.
   */
  readonly over?: (Pick<AlertState, 'since' | 'startedAt'> & { readonly status?: AlertState['status'] }) | null;
  readonly acknowledged: Acknowledgement | null;
  /** Oldest first. Earlier versions stored none. */
  readonly notes?: readonly AlertNote[];
}

/** What one channel was notified of. */
export interface Notified {
  readonly status: 'firing' | 'no data';
  /** Whether it was notified that the rule fires. */
  readonly fired: boolean;
  /** When it was first notified of the alert, and when last. */
  readonly first: number;
  readonly last: number;
}

interface Acknowledgement {
  readonly by: string;
  readonly at: number;
  readonly note: string;
  /** Who takes care of it. Earlier versions stored none. */
  readonly assignee?: string;
}

interface AlertNote {
  readonly by: string;
  readonly at: number;
  readonly text: string;
}

/** The result of an evaluation: true if the rule holds, null if it cannot be evaluated. */
export type Verdict = boolean | null;

/**
 * This many changes within this time would cause too many notifications: the rule then resolves only after a calm
 * period.
 */
const FLAPPING_TURNS = 5;
const FLAPPING_WITHIN_MS = 1_800_000;
const CALM_MS = 600_000;
/** How long an ended alert is still listed. */
const KEEP_RESOLVED_MS = 86_400_000;

/**
 * Returns the next state; null if there is nothing to remember. `keepMs`: how long an alert keeps firing once the rule
 * no longer holds.
 */
export function advance(
  state: AlertState | null,
  verdict: Verdict,
  now: number,
  forMs: number,
  keepMs = 0,
): AlertState | null {
  switch (state?.status) {
    case undefined:
    case 'resolved':
    case 'data again':
      return fromQuiet(state ?? null, verdict, now, forMs);
    case 'pending':
      return fromPending(state, verdict, now, forMs);
    case 'firing':
      return fromFiring(state, verdict, now, keepMs);
    case 'no data':
      return fromNoData(state, verdict, now, forMs);
  }
}

const QUIET = {
  startedAt: null,
  firedBefore: false,
  called: null,
  notified: {},
  turns: [],
  calmSince: null,
  over: null,
  acknowledged: null,
} as const;

function fromQuiet(state: AlertState | null, verdict: Verdict, now: number, forMs: number): AlertState | null {
  const rest = {
    ...QUIET,
    turns: state?.turns ?? [],
    ...(state?.notifiedAt !== undefined && { notifiedAt: state.notifiedAt }),
    over: state && { status: state.status, since: state.since, startedAt: state.startedAt },
  };
  if (verdict === null) return { ...rest, status: 'no data', since: now, startedAt: now };
  if (verdict)
    return forMs === 0
      ? fire({ ...rest, status: 'pending', since: now }, now)
      : { ...rest, status: 'pending', since: now };
  return state === null || now - state.since >= KEEP_RESOLVED_MS ? null : state;
}

function fromPending(state: AlertState, verdict: Verdict, now: number, forMs: number): AlertState | null {
  if (verdict === null) return { ...state, status: 'no data', since: now, startedAt: state.startedAt ?? now };
  // The return of the data is notified only if their loss was.
  if (!verdict) return state.called === null ? asBeforePending(state) : endMissing(state, now);
  // A clock that was set back must not prolong the wait.
  const since = Math.min(state.since, now);
  return now - since >= forMs ? fire(state, now) : { ...state, since };
}

/** Restores the state before the rule was pending. The count of its changes is kept. */
function asBeforePending(state: AlertState): AlertState | null {
  return state.over ? { ...state, status: 'resolved', ...state.over, over: null } : null;
}

function fromFiring(state: AlertState, verdict: Verdict, now: number, keepMs: number): AlertState {
  if (verdict === null) return { ...state, status: 'no data', since: now, firedBefore: true, calmSince: null };
  if (verdict) return state.calmSince === null ? state : { ...turn(state, now), calmSince: null };
  const turned = state.calmSince === null ? turn(state, now) : state;
  const calmSince = Math.min(state.calmSince ?? now, now);
  const calmMs = Math.max(keepMs, isFlapping(turned, now) ? CALM_MS : 0);
  return now - calmSince >= calmMs ? resolve(turned, now) : { ...turned, calmSince };
}

function fromNoData(state: AlertState, verdict: Verdict, now: number, forMs: number): AlertState | null {
  if (verdict === null) return state;
  if (state.firedBefore)
    return verdict ? { ...state, status: 'firing', since: now, firedBefore: false } : resolve(state, now);
  if (!verdict) return endMissing(state, now);
  // An acknowledgement of missing data does not cover the firing.
  const begun = { ...state, startedAt: state.called === null ? null : state.startedAt, acknowledged: null };
  return forMs === 0 ? fire(begun, now) : { ...begun, status: 'pending', since: now };
}

function fire(state: AlertState, now: number): AlertState {
  return {
    ...turn(state, now),
    status: 'firing',
    since: now,
    startedAt: state.startedAt ?? now,
    firedBefore: false,
    calmSince: null,
    over: null,
  };
}

function resolve(state: AlertState, now: number): AlertState {
  return {
    ...state,
    status: 'resolved',
    since: now,
    firedBefore: false,
    calmSince: null,
    over: null,
    acknowledged: null,
  };
}

/** The rule had not fired before its data went missing, so their return ends nothing. */
function endMissing(state: AlertState, now: number): AlertState {
  return { ...resolve(state, now), status: 'data again' };
}

function turn(state: AlertState, now: number): AlertState {
  return { ...state, turns: [...state.turns, now].slice(-FLAPPING_TURNS) };
}

/** Returns when the state changes merely because time passes; null if it never does. */
export function findNextTurn(
  { status, since, calmSince, turns }: AlertState,
  forMs: number,
  keepMs: number,
): number | null {
  if (status === 'pending') return since + forMs;
  if (status !== 'firing' || calmSince === null) return null;
  const [first = -Infinity] = turns.length === FLAPPING_TURNS ? turns : [];
  return Math.max(calmSince + keepMs, Math.min(calmSince + CALM_MS, first + FLAPPING_WITHIN_MS));
}

export function isFlapping({ turns }: AlertState, now: number): boolean {
  const [first] = turns;
  return turns.length === FLAPPING_TURNS && first !== undefined && now - first < FLAPPING_WITHIN_MS;
}

/** Shifts the times after a clock correction, so that durations stay the same. */
export function shiftTimes(state: AlertState, byMs: number): AlertState {
  if (state.status !== 'pending' && state.calmSince === null && state.notifiedAt === undefined) return state;
  return {
    ...state,
    ...(state.notifiedAt !== undefined && { notifiedAt: state.notifiedAt + byMs }),
    since: state.status === 'pending' ? state.since + byMs : state.since,
    calmSince: state.calmSince === null ? null : state.calmSince + byMs,
  };
}

/**
 * Handles the loss of all data of a rule: a pending alert starts over when they return, a firing one is assumed to fire
 * still.
 */
export function withoutData(state: AlertState): AlertState | null {
  if (state.status !== 'pending') return state;
  return state.called === null ? asBeforePending(state) : { ...state, status: 'no data' };
}

/**
 * Returns the notification that is due. Muted alerts cause none, except that the end of a notified alert always does.
 */
export function findNotification(
  state: AlertState,
  { now, forMs, isMuted }: { readonly now: number; readonly forMs: number; readonly isMuted: boolean },
): Exclude<NotificationState, 'ended'> | null {
  const { status, called, since } = state;
  if (status === 'resolved' || status === 'data again') return called === null ? null : status;
  // The alert may cause a notification of its own later, but the data are back now.
  if (status === 'pending') return called === null ? null : 'data again';
  if (isMuted || called === status) return null;
  if (status === 'firing') return 'firing';
  return now - since >= forMs ? 'no data' : null;
}

export function afterNotification(
  state: AlertState,
  notification: NonNullable<ReturnType<typeof findNotification>>,
  now: number,
): AlertState {
  if (notification === 'firing' || notification === 'no data')
    return { ...state, called: notification, notifiedAt: now };
  return { ...state, called: null, startedAt: state.status === 'pending' ? null : state.startedAt };
}
