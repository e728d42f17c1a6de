import type { Rule } from '#contract/desk/rules.ts';
import type { NotificationState, Occasion } from '../notifications/notification.ts';
import { afterNotification, type AlertState, findNotification, type Notified } from './alert-state.ts';

/** A notification that is due, and its channels. */
interface DueNotification {
  readonly state: NotificationState;
  readonly occasion: Occasion;
  readonly channels: readonly string[];
}

interface Moment {
  readonly now: number;
  readonly isMuted: boolean;
  /** The channels of the rule; none if its author may no longer send notifications. */
  readonly channels: readonly string[];
}

type Records = Readonly<Record<string, Notified>>;

/** Returns what each channel was notified of. Earlier versions notified all channels of a rule alike. */
export function notifiedOf({ called, notified, since, firedBefore }: AlertState, channels: readonly string[]): Records {
  if (notified !== undefined) return notified;
  if (called === null) return {};
  const record = { status: called, fired: called === 'firing' || firedBefore, first: since, last: since };
  return Object.fromEntries(channels.map((channel) => [channel, record]));
}

/**
 * Returns the notifications of an alert that are due, and its state after them. Each channel is notified of the end of
 * what it was notified of, and of nothing else.
 */
export function findDue(
  rule: Rule,
  state: AlertState,
  { now, isMuted, channels }: Moment,
): { readonly due: readonly DueNotification[]; readonly after: AlertState } {
  const when = { now, isMuted: isMuted || isTooSoon(rule, state, now), forMs: rule.for_seconds * 1_000 };
  const whole = findNotification(state, when);
  const records = notifiedOf(state, channels);
  const isUnattended = isOpening(state.status) && state.acknowledged === null && !isMuted;
  const steps = stepsOf(rule, channels);
  const due = new Map<string, DueNotification>();
  const next = new Map(Object.entries(records));

  const add = (channel: string, word: NotificationState, occasion: Occasion): void => {
    const id = `${word} ${occasion}`;
    due.set(id, { state: word, occasion, channels: [...(due.get(id)?.channels ?? []), channel] });
    const { fired = false, first = now } = records[channel] ?? {};
    if (isOpening(word)) next.set(channel, { status: word, fired: fired || word === 'firing', first, last: now });
    else next.delete(channel);
  };
  /** Adds what is due at a channel that was notified of nothing yet. */
  const addFirst = (channel: string, occasion: Occasion): void => {
    if (records[channel] !== undefined) return;
    const word = findNotification({ ...state, called: null }, when);
    if (word !== null) add(channel, word, occasion);
  };
  const addNext = (channel: string, { status, fired, last }: Notified): void => {
    const isKept = [channels, ...steps.map((step) => step.channels)].some((names) => names.includes(channel));
    const word = findNotification({ ...state, called: status }, when);
    if (word === 'resolved' && !fired) add(channel, 'data again', 'change');
    else if (word !== null && (isKept || !isOpening(word))) add(channel, word, 'change');
    else if (!isKept) add(channel, 'ended', 'removal');
    else if (isUnattended && now - last >= (rule.repeat_seconds ?? Infinity) * 1_000)
      add(channel, status, 'repetition');
  };

  for (const channel of channels) addFirst(channel, whole === null ? 'addition' : 'change');
  if (isUnattended) for (const channel of findLate(steps, records, now)) addFirst(channel, 'escalation');
  for (const [channel, record] of Object.entries(records)) addNext(channel, record);
  if (due.size === 0 && whole === null) return { due: [], after: state };
  const after = whole === null ? state : afterNotification(state, whole, now);
  return { due: [...due.values()], after: { ...after, notified: Object.fromEntries(next) } };
}

/** Returns whether an alert that was not notified yet must wait, since an earlier one was notified a short time ago. */
function isTooSoon(
  { at_most_every_seconds: every = 0 }: Rule,
  { called, notifiedAt }: AlertState,
  now: number,
): boolean {
  return called === null && notifiedAt !== undefined && now - notifiedAt < every * 1_000;
}

function stepsOf({ escalate = [] }: Rule, channels: readonly string[]): NonNullable<Rule['escalate']> {
  return channels.length === 0 ? [] : escalate;
}

/** Returns the channels of the steps that are due since the first notification of the alert. */
function findLate(steps: NonNullable<Rule['escalate']>, records: Records, now: number): readonly string[] {
  const firstAt = Math.min(...Object.values(records).map(({ first }) => first));
  return steps.filter((step) => now - firstAt >= step.after_seconds * 1_000).flatMap(({ channels }) => channels);
}

function isOpening(state: NotificationState | AlertState['status']): state is Notified['status'] {
  return state === 'firing' || state === 'no data';
}
