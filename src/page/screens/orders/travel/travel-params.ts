import { isInstant, type Instant } from '#contract/exchange/instant.ts';
import { choiceParam, textParam } from '#model/format/url-param.ts';

/**
 * The instant whose orders are shown; empty for the live list. An invalid text is kept, so that the screen can report
 * it.
 */
export const atParam = textParam('at');
/** A second instant to compare with. */
export const withParam = textParam('with');

const SPANS = ['1h', '6h', '24h', '7d', 'all'] as const;
export type Span = (typeof SPANS)[number];
/** The length of the journal that the bar shows. */
export const spanParam = choiceParam('span', SPANS, '24h');

/** Parses an instant to epoch milliseconds; NaN if it is not one. */
export function parseAt(text: string): number {
  return isInstant(text) ? Date.parse(text) : NaN;
}

/** Formats an instant as `2026-11-20T08:00:00Z`, without a zero fraction, to keep addresses short. */
export function toAtText(millis: number): Instant {
  return new Date(millis).toISOString().replace('.000Z', 'Z') as Instant;
}
