import type { Change } from './segment/change.ts';
import { toOrderKey, type JournalStore } from './journal-store.ts';
import { decodeOrder } from './segment/block.ts';

/** Hands over the change that shows when an order was gone that ended or returned, from an earlier segment; it may have been dropped. */
export async function findGone(
  store: Pick<JournalStore, 'blocksWith'>,
  { id, from }: Change,
  remember: (gone: Change) => void,
): Promise<void> {
  const blocks = await store.blocksWith(toOrderKey(id));
  const changes = blocks.flatMap(({ content }) => decodeOrder(content, id).changes);
  const gone = changes.findLast((change) => change.kind === 'gone' && change.from === from);
  if (gone !== undefined) remember(gone);
}
