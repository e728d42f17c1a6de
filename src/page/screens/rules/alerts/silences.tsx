import { useAction } from '#page/client/react/use-rules-api.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { countOf } from '#model/format/count.ts';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import styles from './alerts.module.css';

type Silence = DeskAlerts['silences'][number];

/** Lists silences, each with a button that ends it. */
export function Silences({ silences }: { readonly silences: readonly Silence[] }) {
  const { mutate, error, isPending } = useAction('endSilence');
  if (silences.length === 0) return <ActionError error={error} />;
  const columns: readonly Column<Silence>[] = [
    { name: 'Silenced', pinned: 'start', cell: ({ match }) => describeMatch(match) },
    { name: 'Until', cell: ({ until }) => <Timestamp at={until} /> },
    { name: 'By', cell: ({ by }) => by },
    { name: 'Since', cell: ({ at }) => <Timestamp at={at} /> },
    { name: 'Note', cell: ({ note }) => note },
    {
      name: 'Action',
      pinned: 'end',
      cell: (silence) => (
        <button
          type="button"
          aria-label={`End the silence of ${describeMatch(silence.match)}`}
          disabled={isPending}
          onClick={() => {
            mutate({ query: { id: silence.id } });
          }}
        >
          End
        </button>
      ),
    },
  ];
  return (
    <section className={styles['silences']} aria-label="Silences">
      <ActionError error={error} />
      <Table caption="Silences" columns={columns} rows={silences} keyOf={({ id }) => id} />
    </section>
  );
}

/** `rule many, 29 alerts`. */
export function describeMatch({ rule_id: rule, group: subject, groups, severity }: Silence['match']): string {
  const parts = [
    ...(severity === undefined ? [] : [`severity ${severity}`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(subject === undefined || subject === '' ? [] : [subject]),
    ...(groups === undefined ? [] : [countOf(groups.length, 'alert')]),
  ];
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
