import { ALIAS_KINDS, OWNER_FILTERS, type AliasKind } from '#contract/desk/aliases.ts';
import type { EvidenceSubject } from '../../evidence/evidence.ts';
import type { Pseudonyms } from '../../evidence/pseudonyms.ts';
import { listShown } from '../shown-columns.ts';
import type { GridFilter, GridState } from '../grid-state.ts';
import type { Zone } from '../../format/format-time.ts';

/** How a list of orders was arranged. */
export interface ListSubject extends EvidenceSubject, Pick<GridState, 'filters' | 'quick'> {
  /** Those shown, from left to right. */
  readonly columns: readonly string[];
  readonly zone: Zone;
  readonly narrow: boolean;
  /** How far the exchange’s clock was ahead of Perpdesk’s, for ages. */
  readonly venue_ahead_ms: number;
}

interface Surroundings {
  readonly zone: Zone;
  readonly isNarrow: boolean;
  readonly offsetMs: number;
}

/** Local times would differ on the machine of whoever checks. */
export function toListSubject(
  { filters, quick, ...layout }: GridState,
  { zone, isNarrow, offsetMs }: Surroundings,
): Omit<ListSubject, 'screen'> {
  return {
    filters,
    quick,
    columns: listShown(layout),
    zone: zone === 'local' ? 'utc' : zone,
    narrow: isNarrow,
    venue_ahead_ms: offsetMs,
  };
}

/** What is sent to the exchange, by pseudonyms. */
export function disguiseQuery<Query extends object>(query: Query, { of }: Pseudonyms): Query {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const kind = OWNER_FILTERS[name];
      return [name, kind === undefined ? text : of(kind, String(text))];
    }),
  ) as Query;
}

/** The filters by pseudonyms. A filter by a part of a code becomes one by the pseudonyms of all codes that have it. */
export function disguiseFilters(filters: GridState['filters'], pseudonyms: Pseudonyms): GridState['filters'] {
  return Object.fromEntries(
    Object.entries(filters).map(([id, filter]) => {
      const kind = ALIAS_KINDS.find((one) => one === id);
      return [id, kind === undefined ? filter : disguiseFilter(filter, kind, pseudonyms)];
    }),
  );
}

function disguiseFilter(filter: GridFilter, kind: AliasKind, { of, codesOf }: Pseudonyms): GridFilter {
  if (filter.kind === 'is') return { kind: 'is', texts: filter.texts.map((code) => of(kind, code)) };
  if (filter.kind !== 'has' && filter.kind !== 'starts') return filter;
  const wanted = filter.text.toLowerCase();
  const codes = codesOf(kind).filter((code) =>
    filter.kind === 'has' ? code.toLowerCase().includes(wanted) : code.toLowerCase().startsWith(wanted),
  );
  return { kind: 'is', texts: codes.map((code) => of(kind, code)) };
}
