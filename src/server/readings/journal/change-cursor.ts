import { isOrderId } from '#contract/exchange/ids.ts';
import { CHANGE_KINDS } from '#contract/desk/journal.ts';
import { AFTER_ALL_IDS, type Position } from '#server/journal/read-segment.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';

/** Where a page begins: after a change that the client has seen, so that nothing else can be told from it. */
export function toCursor({ to, id, kind }: Position): string {
  return Buffer.from(`${String(to)} ${kind} ${id}`).toString('base64url');
}

export function parseCursor(cursor: string): Position {
  const [to = '', kind = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const known = CHANGE_KINDS.find((one) => one === kind);
  if (!/^\d{1,15}$/.test(to) || known === undefined || !(isOrderId(id) || id === AFTER_ALL_IDS)) {
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: 'The cursor is not one of an earlier page.',
      parameter: 'cursor',
    });
  }
  return { to: Number(to), kind: known, id };
}
