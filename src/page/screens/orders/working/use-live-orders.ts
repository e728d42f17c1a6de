import { useMemo, useState } from 'react';
import type { Order } from '#contract/exchange/order.ts';
import {
  countChanges,
  createTrackedOrders,
  explainGone,
  markSeen,
  trackOrders,
  type TrackedOrders,
} from '#model/orders/tracked-orders.ts';
import { createWorkingRows, diffReadings, diffSince } from '#model/tables/orders/create-working-rows.ts';
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
  const [toRows] = useState(createWorkingRows);
  const [{ tracked, shown }, setLive] = useState<LiveState>(() => ({
    tracked: createTrackedOrders(toRows(latest.reading).rows),
    shown: latest,
  }));
  const { goneOrders } = usePreferences();
  const keepMs = goneOrders === 'seen' ? Infinity : Number(goneOrders) * 1_000;
  const pending = useMemo(
    () =>
      held && latest !== shown
        ? countChanges(tracked, { diff: diffReadings(shown.reading, latest.reading), ...toUpdate(latest, keepMs) })
        : 0,
    [held, latest, shown, tracked, keepMs],
  );
  const applyPending = (): void => {
    const next = toRows(latest.reading);
    const update = { diff: diffSince(tracked.rows, next), ...toUpdate(latest, keepMs) };
    setLive({ tracked: trackOrders(tracked, next.rows, update), shown: latest });
  };
  if (latest !== shown && pending === 0) applyPending();
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

function toUpdate({ completeness: { complete }, receivedAt: at }: WorkingSnapshot, keepMs: number) {
  return { complete, at, keepMs };
}
