import { useMemo, useState } from 'react';
import { createOrderBook, markSeen, mergeSnapshot, type OrderBook } from '#domain/orders/merge-snapshot.ts';
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
  const [{ book, shown }, setFollowing] = useState<Following>(() => ({ book: createOrderBook(latest.rows), shown: latest }));
  const next = useMemo(() => (latest === shown ? book : mergeSnapshot(book, latest.rows, latest.proof)), [latest, shown, book]);
  const waiting = next === book ? 0 : next.news;
  const takeIn = (): void => {
    setFollowing({ book: next, shown: latest });
  };
  if (next !== book && (!held || waiting === 0)) takeIn();
  return {
    book,
    shown,
    waiting,
    takeIn,
    see: () => {
      setFollowing({ book: markSeen(book), shown });
    },
  };
}
