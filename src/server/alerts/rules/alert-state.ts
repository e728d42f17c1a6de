import type { CallState } from '../calls/call.ts';

/** What is remembered of one rule for one group, from one evaluation to the next, and over restarts. */
export interface AlertState {
  readonly status: 'pending' | 'firing' | 'resolved' | 'no data' | 'data again';
  /** Since when, in epoch milliseconds, as all times here. */
  readonly since: number;
  /** When it first fired, or when data went missing if that was called before. It stays while data are missing, and when it fires again afterwards. Null while it is only pending. */
  readonly startedAt: number | null;
  /** It fired before its data were lost. */
  readonly firedBefore: boolean;
  /** What has been called of what is still so; null: nothing. */
  readonly called: 'firing' | 'no data' | null;
  /** The last times at which it began or ceased to hold while it was more than pending. */
  readonly turns: readonly number[];
  /** Since when a flapping one has not held; null: it holds. */
  readonly calmSince: number | null;
  /** As what it was over, since when, and what that was the end of, before it was pending again; null: it was not. Earlier versions stored none, or none with a status. */
  readonly over?: (Pick<AlertState, 'since' | 'startedAt'> & { readonly status?: AlertState['status'] }) | null;
  readonly acknowledged: Acknowledgement | null;
}

interface Acknowledgement {
  readonly by: string;
  readonly at: number;
  readonly note: string;
}

/** What an evaluation says: it holds, it does not, or it cannot be found out. */
export type Verdict = boolean | null;

/** So many turns within so long are too many calls: from then on it only resolves once it has not held for a while. */
const FLAPPING_TURNS = 5;
const FLAPPING_WITHIN_MS = 1_800_000;
const CALM_MS = 600_000;
/** For how long one that is over is still listed. */
const KEEP_RESOLVED_MS = 86_400_000;

/** The next state; null: there is nothing to remember. */
export function advance(state: AlertState | null, verdict: Verdict, now: number, forMs: number): AlertState | null {
  switch (state?.status) {
    case undefined:
    case 'resolved':
    case 'data again':
      return fromQuiet(state ?? null, verdict, now, forMs);
    case 'pending':
      return fromPending(state, verdict, now, forMs);
    case 'firing':
      return fromFiring(state, verdict, now);
    case 'no data':
      return fromNoData(state, verdict, now, forMs);
  }
}

const QUIET = {
  startedAt: null,
  firedBefore: false,
  called: null,
  turns: [],
  calmSince: null,
  over: null,
  acknowledged: null,
} as const;

function fromQuiet(state: AlertState | null, verdict: Verdict, now: number, forMs: number): AlertState | null {
  const rest = {
    ...QUIET,
    turns: state?.turns ?? [],
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
  // That its data are back is called, if that they were not has been.
  if (!verdict) return state.called === null ? asBeforePending(state) : endMissing(state, now);
  // A clock that was set back must not make it wait longer than that.
  const since = Math.min(state.since, now);
  return now - since >= forMs ? fire(state, now) : { ...state, since };
}

/** It was nothing; but how often it has come and gone is not forgotten. */
function asBeforePending(state: AlertState): AlertState | null {
  return state.over ? { ...state, status: 'resolved', ...state.over, over: null } : null;
}

function fromFiring(state: AlertState, verdict: Verdict, now: number): AlertState {
  if (verdict === null) return { ...state, status: 'no data', since: now, firedBefore: true, calmSince: null };
  if (verdict) return state.calmSince === null ? state : { ...turn(state, now), calmSince: null };
  const turned = state.calmSince === null ? turn(state, now) : state;
  if (!isFlapping(turned, now)) return resolve(turned, now);
  const calmSince = Math.min(state.calmSince ?? now, now);
  return now - calmSince >= CALM_MS ? resolve(turned, now) : { ...turned, calmSince };
}

function fromNoData(state: AlertState, verdict: Verdict, now: number, forMs: number): AlertState | null {
  if (verdict === null) return state;
  if (state.firedBefore)
    return verdict ? { ...state, status: 'firing', since: now, firedBefore: false } : resolve(state, now);
  if (!verdict) return endMissing(state, now);
  // Who knew that there were no data does not know that it fires.
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

/** It had not fired before its data were missing, so that they are back says nothing of an end. */
function endMissing(state: AlertState, now: number): AlertState {
  return { ...resolve(state, now), status: 'data again' };
}

function turn(state: AlertState, now: number): AlertState {
  return { ...state, turns: [...state.turns, now].slice(-FLAPPING_TURNS) };
}

/** When time alone changes it, if nothing else does; null: never. */
export function findNextTurn({ status, since, calmSince, turns }: AlertState, forMs: number): number | null {
  if (status === 'pending') return since + forMs;
  if (status !== 'firing' || calmSince === null) return null;
  return Math.min(calmSince + CALM_MS, (turns[0] ?? Infinity) + FLAPPING_WITHIN_MS);
}

export function isFlapping({ turns }: AlertState, now: number): boolean {
  const [first] = turns;
  return turns.length === FLAPPING_TURNS && first !== undefined && now - first < FLAPPING_WITHIN_MS;
}

/** After a correction of the clock: what has lasted so long has lasted as long afterwards. */
export function shiftTimes(state: AlertState, byMs: number): AlertState {
  if (state.status !== 'pending' && state.calmSince === null) return state;
  return {
    ...state,
    since: state.status === 'pending' ? state.since + byMs : state.since,
    calmSince: state.calmSince === null ? null : state.calmSince + byMs,
  };
}

/** Where all data of a rule are lost: what was pending begins anew when they are back, what fires is taken to fire still. */
export function withoutData(state: AlertState): AlertState | null {
  if (state.status !== 'pending') return state;
  return state.called === null ? asBeforePending(state) : { ...state, status: 'no data' };
}

/** What is to be called now, and the state once it has been. Nobody is called for what is muted; that it is over is said of whatever was called. */
export function findCall(
  state: AlertState,
  { now, forMs, isMuted }: { readonly now: number; readonly forMs: number; readonly isMuted: boolean },
): Exclude<CallState, 'ended'> | null {
  const { status, called, since } = state;
  if (status === 'resolved' || status === 'data again') return called === null ? null : status;
  // It may become a call of its own later on, but its data are back now.
  if (status === 'pending') return called === null ? null : 'data again';
  if (isMuted || called === status) return null;
  if (status === 'firing') return 'firing';
  return now - since >= forMs ? 'no data' : null;
}

export function afterCall(state: AlertState, call: NonNullable<ReturnType<typeof findCall>>): AlertState {
  if (call === 'firing' || call === 'no data') return { ...state, called: call };
  return { ...state, called: null, startedAt: state.status === 'pending' ? null : state.startedAt };
}
