import { createHash } from 'node:crypto';
import type { Step } from '#sql/driver.ts';
import type { Writing } from '#server/store/store.ts';

/**
 * Why a notification is sent. `firing`: the rule fires. `resolved`: it fired and no longer holds. `no data`: it cannot
 * be evaluated. `data again`: it can be evaluated again and had not fired before. `ended`: it is no longer evaluated.
 * `corrected`: an earlier notification was wrong because it relied on an incomplete list of orders.
 */
export type NotificationState = 'firing' | 'no data' | 'resolved' | 'data again' | 'ended' | 'corrected';

/**
 * What causes an event. `change`: the state has changed. `repetition`: it has lasted, and the rule repeats its
 * notifications. `escalation`: it was not acknowledged in time. `addition`: the channel was added to the rule later.
 * `removal`: it was removed from the rule. Earlier versions stored none.
 */
export type Occasion = 'change' | 'repetition' | 'escalation' | 'addition' | 'removal';

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
  /** What an order is called whose ID is the subject. */
  readonly label?: string;
  readonly state: NotificationState;
  readonly occasion?: Occasion;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly startedAt: number;
  /** A sentence, such as "Working orders of NORD-105: 1,204, over 1,000." */
  readonly sentence: string;
  /** The path of the screen that shows the event. */
  readonly path: string;
  /** The path of the orders that the rule was about then. Earlier versions stored none. */
  readonly ordersPath?: string | null;
  /** The path of the form that acknowledges the alert, which differs by channel. Known only when it is sent. */
  readonly acknowledgePath?: string | null;
}

/** A destination of notifications: an address or recipients from the settings. */
export interface Channel {
  readonly name: string;
  readonly kind: 'standard' | 'slack' | 'pagerduty' | 'mail';
  /** Only the host, because the rest of an address may be a secret. */
  readonly host: string;
}

/** Returns what is written together with events. */
export type Besides = (writing: Pick<Writing, 'read'>) => Promise<readonly Step[]>;

/** An event, and the channels that it is for. */
export interface AddressedEvent {
  readonly event: AlertEvent;
  readonly channels: readonly string[];
}

export interface NotificationRoom {
  /**
   * Resolves once the events are in the store, so that they are delivered even if the server crashes. Skips known keys.
   * What `besides` returns is written in the same transaction.
   */
  readonly enqueue: (events: readonly AddressedEvent[], besides?: Besides) => Promise<void>;
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
const LONGEST_NAME = 100;
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
export function toLine({ state, occasion, sentence }: AlertEvent): string {
  return `${describeOccasion(occasion) || STATES[state]}${toPlainLine(sentence, LONGEST_SENTENCE)}`;
}

function describeOccasion(occasion: Occasion | undefined): string {
  if (occasion === 'repetition') return 'Still open: ';
  return occasion === 'escalation' ? 'Not acknowledged: ' : '';
}

/** The alerts of one rule in one state. */
interface Part {
  readonly ruleName: string;
  /** The severity of what is open, otherwise the state. */
  readonly tag: string;
  readonly events: readonly AlertEvent[];
}

const TAGS = ['critical', 'warning', 'info', 'no data', 'corrected', 'ended', 'data again', 'resolved'] as const;

/**
 * Returns the last event of each alert, by rule and the worst first: a text that also lists earlier ones would read as
 * if both were so.
 */
function toParts({ events }: Pick<Notification, 'events'>): readonly Part[] {
  const last = new Map(events.map((event) => [JSON.stringify([event.ruleId, event.group]), event]));
  const parts = Map.groupBy(last.values(), (event) => JSON.stringify([event.ruleId, toTag(event)]));
  return [...parts.values()]
    .flatMap((same): readonly Part[] => {
      const [first] = same;
      return first === undefined ? [] : [{ ruleName: first.ruleName, tag: toTag(first), events: same }];
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

function toTag({ state, severity }: AlertEvent): string {
  return state === 'firing' ? severity : state;
}

function rankOf({ tag }: Part): number {
  return TAGS.findIndex((known) => known === tag);
}

const MOST_PARTS = 3;
const MOST_NAMES = 3;

/** Summarises the notification in one line: `[warning] Many orders per account: MERI-101, NORD-110`. */
export function toHeadline(notification: Pick<Notification, 'events'>): string {
  const parts = toParts(notification);
  const [only] = parts;
  const [first, ...others] = only?.events ?? [];
  if (only !== undefined && first !== undefined && parts.length === 1 && others.length === 0)
    return `[${only.tag}] ${describeOccasion(first.occasion)}${toPlainLine(first.sentence, LONGEST_SENTENCE)}`;
  const more = parts.slice(MOST_PARTS).flatMap(({ events }) => events).length;
  const rest = more > 0 ? [`${more.toLocaleString('en-US')} more ${more === 1 ? 'alert' : 'alerts'}`] : [];
  return [...parts.slice(0, MOST_PARTS).map(describePart), ...rest].join('; ');
}

/** Names the rule and its subjects, and counts those that are not named. */
function describePart({ tag, ruleName, events }: Part): string {
  const subjects = events.flatMap(({ group: subject }) => (subject === '' ? [] : [toPlainLine(subject, LONGEST_NAME)]));
  const more = subjects.length - MOST_NAMES;
  const names = subjects.slice(0, MOST_NAMES).join(', ');
  return (
    `[${tag}] ${toPlainLine(ruleName, LONGEST_NAME)}` +
    `${names === '' ? '' : `: ${names}`}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`
  );
}

/** Returns the parts with the events to list, and a line that counts the others. */
export function toListed(notification: Pick<Notification, 'events'>): {
  readonly parts: readonly (Part & { readonly listed: readonly AlertEvent[] })[];
  readonly rest: string | null;
} {
  const parts = toParts(notification);
  const all = parts.flatMap(({ events }) => events);
  const shown = new Set(all.slice(0, MOST_LINES));
  const more = all.length - shown.size;
  return {
    parts: parts
      .map((part) => ({ ...part, listed: part.events.filter((event) => shown.has(event)) }))
      .filter(({ listed }) => listed.length > 0),
    rest: more > 0 ? `and ${more.toLocaleString('en-US')} more` : null,
  };
}

/** Returns the heading of a part: `Many orders per account: warning, 2 alerts`. */
export function toHeading({ ruleName, tag, events }: Part): string {
  const count = events.length.toLocaleString('en-US');
  return `${toPlainLine(ruleName, LONGEST_NAME)}: ${tag}, ${count} ${events.length === 1 ? 'alert' : 'alerts'}`;
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

/** Returns the address of a path; null if browsers cannot reach it or it is too long. */
export function toLink(path: string | null | undefined, deskUrl: string | null): string | null {
  if (typeof path !== 'string' || deskUrl === null || !URL.canParse(path, deskUrl)) return null;
  const link = new URL(path, deskUrl);
  return link.origin === new URL(deskUrl).origin && link.href.length <= LONGEST_LINK ? link.href : null;
}

/** Returns the addresses of the screens that show the event, each with its name. */
export function toLinks(
  { path, acknowledgePath, ordersPath }: AlertEvent,
  deskUrl: string | null,
): readonly (readonly [name: string, link: string])[] {
  const paths = [['Alert', path] as const, ['Acknowledge', acknowledgePath] as const];
  return [...paths, ['Orders at that time', ordersPath] as const].flatMap(([name, to]) => {
    const link = toLink(to, deskUrl);
    return link === null ? [] : [[name, link] as const];
  });
}
