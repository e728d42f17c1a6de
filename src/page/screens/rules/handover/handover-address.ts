import { textParam } from '#model/format/url-param.ts';

/** The shift, as instants. */
export const fromParam = textParam('from');
export const toParam = textParam('to');

export function toHandoverAddress(): string {
  return '/rules/handover';
}
