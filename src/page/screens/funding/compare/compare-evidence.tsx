import { useApi } from '#page/client/react/use-api.tsx';
import { useKnownVenueTime } from '#page/client/react/use-desk-status.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Source } from '#model/response.ts';
import { EvidenceDialog } from '#page/panels/evidence/evidence-dialog.tsx';
import { listShown } from '#model/tables/shown-columns.ts';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { compareReader, type CompareSubject } from '#page/panels/evidence/read-compare.ts';

interface CompareEvidenceProps {
  readonly source: Pick<Source, 'target'>;
  readonly state: GridState;
  readonly columns: readonly Pick<GridColumn<never>, 'id'>[];
  /** Symbols of the perpetuals that match the filter, or null for all. */
  readonly perpetuals: readonly string[] | null;
  readonly close: () => void;
}

/** Evidence omits columns that are only controls, and names that no answer of it contains. */
const OMITTED: readonly string[] = ['pick', 'underlying'];

export function CompareEvidence({ source: { target }, state, columns, perpetuals, close }: CompareEvidenceProps) {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const [form] = useUrlState(COMPARE_PARAMS.form);
  const [side] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [past] = useUrlState(COMPARE_PARAMS.past);
  const { now } = useApi();
  const toVenueTime = useKnownVenueTime();
  const toSubject = (): CompareSubject => {
    const at = now();
    const begin_time = new URL(target, location.origin).searchParams.get('begin_time') as Instant;
    const shown = listShown(state).filter((id) => !OMITTED.includes(id) && columns.some((column) => column.id === id));
    return {
      screen: 'funding',
      begin_time,
      range,
      form,
      side,
      rank_by: rankBy,
      past,
      perpetuals,
      sorts: state.sorts,
      columns: shown,
      at,
      venue_at: toVenueTime(at),
    };
  };
  return (
    <EvidenceDialog
      offer={{
        title: 'Funding comparison',
        toSubject,
        reader: compareReader,
        contents: null,
        reads: 'Settled rates, predicted rates and open interest are read again.',
      }}
      close={close}
    />
  );
}
