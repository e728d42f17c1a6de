import { useAction } from '#page/client/react/use-rules-api.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import styles from './alerts.module.css';

type Silence = DeskAlerts['silences'][number];

/** What nobody is called for at present. */
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
    <section className={styles['below']} aria-label="Silences">
      <h3>Silences</h3>
      <ActionError error={error} />
      <Table caption="Silences" columns={columns} rows={silences} keyOf={({ id }) => id} />
    </section>
  );
}

function describeMatch({ rule_id: rule, group, severity }: Silence['match']): string {
  const parts = [
    ...(severity === undefined ? [] : [`severity ${severity}`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(group === undefined || group === '' ? [] : [group]),
  ];
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
