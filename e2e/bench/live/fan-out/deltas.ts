import { createCursors, type Message } from '../../../../src/server/push/messages.ts';
import { createFeed } from '../../../../src/server/push/feed.ts';
import { TOPICS } from '../../../../src/contract/desk/topics.ts';
import { createBook, toResponse } from '../book.ts';

export const ADDRESS = 'working-orders';

/** Creates the changes that the hub would send, one after another, for the servers that it is compared with. */
export async function createDeltas(): Promise<() => Promise<Message>> {
  const book = createBook();
  const { next } = createCursors();
  const feed = createFeed({
    address: ADDRESS,
    topic: TOPICS[ADDRESS],
    rowsField: 'orders',
    cadence: () => ({ everySeconds: TOPICS[ADDRESS].everySeconds, sharedBy: 1 }),
    nextCursor: next,
    now: Date.now,
    venueNow: Date.now,
  });
  const read = (): Promise<void> => feed.update({ text: toResponse(book.orders()), cost: 1, sent: 1 });
  await read();
  return async () => {
    book.change();
    await read();
    const latest = feed.latest();
    if (latest === null) throw new Error('the orders have not changed');
    return latest.withCursor('all');
  };
}
