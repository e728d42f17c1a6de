import type { ApiResponse } from '#model/response.ts';
import type { DeskStatus } from '#contract/desk/desk.ts';
import { formatCount } from '#model/format/count.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { toProvenance } from '#model/tables/status/to-provenance.ts';
import styles from './status-screen.module.css';

type Cause = keyof DeskStatus['answers']['causes'];

const CAUSES: readonly (readonly [cause: Cause, name: string])[] = [
  ['venue', 'Exchange failed or rejected'],
  ['budget', 'No request left'],
];

/** Requests without a new response: an exchange that fails and a spent budget ask for different measures. */
export function FailureTable({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { causes } = response.value.answers;
  const count = (title: string, field: 'stale' | 'failed'): Column<Cause> => ({
    name: title,
    numeric: true,
    cell: (cause) => (
      <Figure
        name={title}
        text={formatCount(causes[cause][field])}
        provenance={() => toProvenance(response, `answers.causes.${cause}.${field}`, causes[cause][field])}
      />
    ),
  });
  const names = new Map(CAUSES);
  const columns: readonly Column<Cause>[] = [
    { name: 'Cause', pinned: 'start', cell: (cause) => names.get(cause) },
    count('Served stale', 'stale'),
    count('Failed', 'failed'),
    { name: 'First', cell: (cause) => <Timestamp at={causes[cause].first_at} /> },
    { name: 'Last', cell: (cause) => <Timestamp at={causes[cause].last_at} /> },
  ];
  return (
    <div className={styles['counts']}>
      <Table caption="Failures" columns={columns} rows={[...names.keys()]} keyOf={(cause) => cause} />
    </div>
  );
}
