import { isInstant, type Instant } from '#contract/exchange/instant.ts';
import { choiceParam, textParam } from '#model/format/url-param.ts';

/** The instant whose orders are shown; empty: now, as they change. What is no instant stays, so that the screen can say so. */
export const atParam = textParam('at');
/** A second instant, which the orders are compared with. */
export const withParam = textParam('with');

const SPANS = ['1h', '6h', '24h', '7d', 'all'] as const;
export type Span = (typeof SPANS)[number];
/** How much of the journal the bar shows. */
export const spanParam = choiceParam('span', SPANS, '24h');

/** In epoch milliseconds; NaN where it is no instant. */
export function parseAt(text: string): number {
  return isInstant(text) ? Date.parse(text) : NaN;
}

/** `2026-11-20T08:00:00Z`: a fraction that is zero is left out, to keep addresses short. */
export function toAtText(millis: number): Instant {
  return new Date(millis).toISOString().replace('.000Z', 'Z') as Instant;
}
