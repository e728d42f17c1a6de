import { ANSWERED_AT_HEADER } from '#contract/desk.ts';
import type { ContentCoding } from '../content-coding.ts';
import type { VenueAnswer } from '../ports.ts';
import { securityHeaders } from '../security-headers.ts';

/** Names and values in turn, as Node writes them without looking at each. */
type RawHeaders = readonly string[];

/** What goes with an answer however often it is sent: made once, since most of them are sent many times. */
export interface PreparedHeaders {
  readonly always: RawHeaders;
  /** Not with 304. */
  readonly withBody: RawHeaders;
}

/** `no-cache`: a browser asks each time, with the tag it holds, so that what it shows is as fresh as the gateway's. */
const SAME_FOR_ALL: RawHeaders = [
  ...Object.entries(securityHeaders).flat(),
  ...['cache-control', 'private, no-cache', 'vary', 'accept-encoding'],
];

export function prepareHeaders(answer: VenueAnswer, coding: ContentCoding, tag: string, length: number): PreparedHeaders {
  const withBody = ['content-type', answer.contentType, 'content-length', String(length)];
  if (coding !== 'identity') withBody.push('content-encoding', coding);
  return { always: SAME_FOR_ALL.concat('etag', tag, ANSWERED_AT_HEADER, new Date(answer.answeredAt).toISOString()), withBody };
}
