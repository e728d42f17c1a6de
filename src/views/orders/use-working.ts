import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DESK_PACES } from '#api/create-queries.ts';
import { toDueTime } from '#api/freshness.ts';
import { useDoor } from '#api/react.tsx';
import { useVenueAhead } from '#api/react-venue-time.ts';
import { toOrderRows, type OrderRow } from '#domain/orders/order-row.ts';
import { compareNewest, toWorkingSet, type WorkingProof } from '#domain/orders/working-proof.ts';
import type { Source } from '#domain/source.ts';
import type { PanelQuery, Stamp } from '#ui/panel/panel-query.ts';
import { useOrderTerms } from './use-order-terms.ts';

/** One reading of all working orders. */
export interface WorkingSnapshot extends Stamp {
  /** Newest first. */
  readonly rows: readonly OrderRow[];
  readonly proof: WorkingProof;
  readonly source: Source;
  /** Rows that came and are not to be believed. */
  readonly setAside: number;
  /** What was odd about the answer, a sentence each. */
  readonly oddities: readonly string[];
  /** How often every order is read again. */
  readonly everySeconds: number;
}

export interface WorkingReading {
  readonly query: PanelQuery<WorkingSnapshot>;
  /** When they are read again by themselves, in epoch milliseconds; Infinity: not by themselves. */
  readonly dueAt: number;
}

/** How often the desk is asked: what it has to read in parts comes more slowly. */
const WORKING_SECONDS = DESK_PACES.working.reuseSeconds;

export function useWorking(): WorkingReading {
  const { queries } = useDoor();
  const working = useQuery(queries.desk.working({}));
  const answer = working.data;
  const aheadMs = useVenueAhead();
  const termsOf = useOrderTerms(answer !== undefined);
  const set = useMemo(() => answer && toWorkingSet(answer.value, answer.setAside.length), [answer]);
  const data = useMemo((): WorkingSnapshot | undefined => {
    if (answer === undefined || set === undefined || termsOf === null) return undefined;
    const { endpoint, deviations, receivedAt, ageSeconds, freshSeconds, cache, staleBecause } = answer;
    const rows = toOrderRows(set.orders.toSorted(compareNewest), answer, termsOf, aheadMs);
    return { rows, proof: set.proof, source: answer, setAside: answer.setAside.length, endpoint, deviations, oddities: deviations.map(toSentence), everySeconds: Math.max(WORKING_SECONDS, answer.value.round_seconds ?? 0), receivedAt, ageSeconds, freshSeconds, cache, staleBecause };
  }, [answer, set, termsOf, aheadMs]);
  const { error, errorUpdatedAt, isFetching, refetch } = working;
  return {
    query: { data, error, errorUpdatedAt, isFetching: isFetching || (answer !== undefined && data === undefined), refetch },
    dueAt: toDueTime({ data: answer, error, errorUpdatedAt }, DESK_PACES.working),
  };
}

interface Deviation {
  readonly count: number;
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

function toSentence({ count, place, expected, found }: Deviation): string {
  return `${place}: expected ${expected}, found ${found}${count > 1 ? ` (${String(count)} times)` : ''}.`;
}
