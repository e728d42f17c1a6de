import { useMemo, useState } from 'react';
import type { Order } from '#contract/exchange/order.ts';
import {
  createTrackedOrders,
  explainGone,
  markSeen,
  mergeSnapshot,
  type TrackedOrders,
} from '#model/orders/tracked-orders.ts';
import type { Source } from '#model/source.ts';
import { usePreferences } from '#page/kit/preferences/use-preferences.tsx';
import type { WorkingSnapshot } from './use-working.ts';

/** Why updates are held back: the reader paused the list, or moves the pointer over it. */
export type HoldReason = 'paused' | 'held' | null;

export interface LiveOrders {
  readonly tracked: TrackedOrders;
  /** The snapshot on screen; while updates are held, older than the latest. */
  readonly shown: WorkingSnapshot;
  /** Orders that the latest snapshot would add, change or remove. */
  readonly pending: number;
  readonly applyPending: () => void;
  readonly markAllSeen: () => void;
  /** Shows how orders closed that are no longer working. */
  readonly explain: (history: readonly Order[], source: Source) => void;
}

type LiveState = Pick<LiveOrders, 'tracked' | 'shown'>;

/** Applies each snapshot when it arrives. While held, only snapshots without changes are applied. */
export function useLiveOrders(latest: WorkingSnapshot, held: boolean): LiveOrders {
  const [{ tracked, shown }, setLive] = useState<LiveState>(() => ({
    tracked: createTrackedOrders(latest.rows),
    shown: latest,
  }));
  const { goneOrders } = usePreferences();
  const keepMs = goneOrders === 'seen' ? Infinity : Number(goneOrders) * 1_000;
  const next = useMemo(
    () =>
      latest === shown
        ? tracked
        : mergeSnapshot(tracked, latest.rows, latest.completeness, { at: latest.receivedAt, keepMs }),
    [latest, shown, tracked, keepMs],
  );
  const pending = next === tracked ? 0 : next.changeCount;
  const applyPending = (): void => {
    setLive({ tracked: next, shown: latest });
  };
  if (next !== tracked && (!held || pending === 0)) applyPending();
  return {
    tracked,
    shown,
    pending,
    applyPending,
    markAllSeen: () => {
      setLive({ tracked: markSeen(tracked), shown });
    },
    explain: (history, source) => {
      setLive((live) => ({ ...live, tracked: explainGone(live.tracked, history, source) }));
    },
  };
}
