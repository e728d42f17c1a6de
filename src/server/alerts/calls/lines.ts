import { createHash } from 'node:crypto';
import { CALL_STATES, type AlertEvent } from './call.ts';

/** A call as it is sent: the same at each attempt. */
export interface Call {
  /** Equal at each attempt, so that a receiver can drop what it has already. */
  readonly id: string;
  readonly madeAt: number;
  readonly events: readonly AlertEvent[];
}

/** How many events a text lists. */
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

/** An event as one line of text. */
export function toLine({ state, sentence }: AlertEvent): string {
  return `${STATES[state]}${toPlainLine(sentence, LONGEST_SENTENCE)}`;
}

/** What the call says in one line. */
export function toHeadline({ events }: Call): string {
  const [first] = events;
  if (first !== undefined && events.length === 1) return toLine(first);
  const counts = CALL_STATES.flatMap((state) => {
    const count = events.filter((event) => event.state === state).length;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${state}`];
  });
  return `${events.length.toLocaleString('en-US')} alerts: ${counts.join(', ')}`;
}

/** The events that a text lists, and a line about the others. */
export function toListed({ events }: Call): { readonly listed: readonly AlertEvent[]; readonly rest: string | null } {
  const more = events.length - MOST_LINES;
  return { listed: events.slice(0, MOST_LINES), rest: more > 0 ? `and ${more.toLocaleString('en-US')} more` : null };
}

/** Whether it opens an incident, or goes on with it: anything else closes it. */
export function isOpen({ state }: AlertEvent): boolean {
  return state === 'firing' || state === 'no data';
}

/** Names one incident: equal for what opens and what closes it. */
export function toIncident({ ruleId, group, startedAt }: AlertEvent): string {
  return createHash('sha256')
    .update(JSON.stringify([ruleId, group, startedAt]))
    .digest('base64url')
    .slice(0, 32);
}

/** Line breaks, other control characters, and those that reverse the direction of the text around them. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** A text by whoever made the rule, as one line of bounded length. */
export function toPlainLine(text: string, longest: number): string {
  const line = text.replace(UNSAFE, ' ').replaceAll(/ {2,}/g, ' ').trim();
  const letters = Array.from(line.toWellFormed());
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

/** Where the screen shows an event; null while the desk has no address that a browser could open. */
export function toLink({ path }: AlertEvent, deskUrl: string | null): string | null {
  if (deskUrl === null || !URL.canParse(path, deskUrl)) return null;
  const link = new URL(path, deskUrl);
  return link.origin === new URL(deskUrl).origin && link.href.length <= LONGEST_LINK ? link.href : null;
}
