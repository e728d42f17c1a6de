import { createHash } from 'node:crypto';

/**
 * Why a notification is sent. `firing`: the rule fires. `resolved`: it fired and no longer holds. `no data`: it cannot
 * be evaluated. `data again`: it can be evaluated again and had not fired before. `ended`: it is no longer evaluated.
 * `corrected`: an earlier notification was wrong because it relied on an incomplete list of orders.
 */
const NOTIFICATION_STATES = ['firing', 'no data', 'resolved', 'data again', 'ended', 'corrected'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** A change of state of one rule for one subject. */
export interface AlertEvent {
  /**
   * Made of rule, subject, start and state, so equal events have equal keys across restarts and servers. A key is sent
   * only once.
   */
  readonly key: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly severity: 'info' | 'warning' | 'critical';
  /** The account, product, firm or connection if the rule is evaluated for each; otherwise empty. */
  readonly group: string;
  readonly state: NotificationState;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly startedAt: number;
  /** A sentence, such as "Working orders of NORD-105: 1,204, over 1,000." */
  readonly sentence: string;
  /** The path of the screen that shows the event. */
  readonly path: string;
}

/** A destination of notifications: an address or recipients from the settings. */
export interface Channel {
  readonly name: string;
  readonly kind: 'standard' | 'slack' | 'pagerduty' | 'mail';
  /** Only the host, because the rest of an address may be a secret. */
  readonly host: string;
}

export interface NotificationRoom {
  /**
   * Resolves once the events are in the store, so that they are delivered even if the server crashes. Skips known keys.
   */
  readonly enqueue: (events: readonly AlertEvent[], channels: readonly string[]) => Promise<void>;
  readonly channels: () => readonly Channel[];
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** A notification as it is sent, the same at each attempt. */
export interface Notification {
  /** Lets a receiver drop repetitions. */
  readonly id: string;
  readonly madeAt: number;
  readonly events: readonly AlertEvent[];
}

/** The number of events that a text lists. */
const MOST_LINES = 20;
const LONGEST_SENTENCE = 400;
const LONGEST_LINK = 500;

const STATES: Readonly<Record<AlertEvent['state'], string>> = {
  'firing': '',
  'no data': 'No data: ',
  'resolved': 'Resolved: ',
  'data again': 'Data again: ',
  'ended': 'Ended: ',
  'corrected': 'Corrected: ',
};

/** Returns an event as one line of text. */
export function toLine({ state, sentence }: AlertEvent): string {
  return `${STATES[state]}${toPlainLine(sentence, LONGEST_SENTENCE)}`;
}

/** Summarises the notification in one line. */
export function toHeadline({ events }: Notification): string {
  const [first] = events;
  if (first !== undefined && events.length === 1) return toLine(first);
  const counts = NOTIFICATION_STATES.flatMap((state) => {
    const count = events.filter((event) => event.state === state).length;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${state}`];
  });
  return `${events.length.toLocaleString('en-US')} alerts: ${counts.join(', ')}`;
}

/** Returns the events to list and a line that counts the others. */
export function toListed({ events }: Notification): {
  readonly listed: readonly AlertEvent[];
  readonly rest: string | null;
} {
  const more = events.length - MOST_LINES;
  return { listed: events.slice(0, MOST_LINES), rest: more > 0 ? `and ${more.toLocaleString('en-US')} more` : null };
}

/** Returns whether the event opens or continues an incident. All other events close it. */
export function isOpen({ state }: AlertEvent): boolean {
  return state === 'firing' || state === 'no data';
}

/** Returns the key of an incident, which is the same for the events that open and close it. */
export function toIncident({ ruleId, group: subject, startedAt }: AlertEvent): string {
  return createHash('sha256')
    .update(JSON.stringify([ruleId, subject, startedAt]))
    .digest('base64url')
    .slice(0, 32);
}

/** Line breaks, other control characters, and characters that reverse the direction of the surrounding text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Returns a text that a user wrote as one line of bounded length. */
export function toPlainLine(text: string, longest: number): string {
  const line = text.replace(UNSAFE, ' ').replaceAll(/ {2,}/g, ' ').trim();
  const letters = Array.from(line.toWellFormed());
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

/** Returns the address of the screen that shows the event; null if browsers cannot reach it or it is too long. */
export function toLink({ path }: AlertEvent, deskUrl: string | null): string | null {
  if (deskUrl === null || !URL.canParse(path, deskUrl)) return null;
  const link = new URL(path, deskUrl);
  return link.origin === new URL(deskUrl).origin && link.href.length <= LONGEST_LINK ? link.href : null;
}
