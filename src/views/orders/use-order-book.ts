import { useMemo, useState } from 'react';
import { countNews, createOrderBook, markSeen, mergeSnapshot, type OrderBook } from '#domain/orders/merge-snapshot.ts';
import type { WorkingSnapshot } from './use-working.ts';

/** What keeps changes waiting: the reader, or that somebody is in the list. */
export type Held = 'paused' | 'busy' | null;

export interface FollowedBook {
  readonly book: OrderBook;
  /** The reading that is shown; while held an older one than there is. */
  readonly shown: WorkingSnapshot;
  /** Orders that the reading which waits would add, change or take away. */
  readonly waiting: number;
  /** Shows what waits. */
  readonly takeIn: () => void;
  /** Everything that is marked has been looked at. */
  readonly see: () => void;
}

interface Following {
  readonly book: OrderBook;
  readonly shown: WorkingSnapshot;
}

/** Takes each reading in as it comes; while held it waits, unless nothing in it is news. */
export function useOrderBook(latest: WorkingSnapshot, held: boolean): FollowedBook {
  const [following, setFollowing] = useState<Following>(() => ({ book: createOrderBook(latest.rows), shown: latest }));
  const { book, shown } = following;
  const isNew = latest !== shown;
  const waiting = useMemo(() => (isNew ? countNews(book, latest.rows) : 0), [isNew, book, latest]);
  if (isNew && (!held || waiting === 0)) setFollowing(follow(latest));
  return {
    book,
    shown,
    waiting,
    takeIn: () => {
      setFollowing(follow(latest));
    },
    see: () => {
      setFollowing((present) => ({ ...present, book: markSeen(present.book) }));
    },
  };
}

function follow(latest: WorkingSnapshot): (present: Following) => Following {
  return ({ book, shown }) => (shown === latest ? { book, shown } : { book: mergeSnapshot(book, latest.rows), shown: latest });
}
