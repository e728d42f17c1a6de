import { useAction } from '#page/client/react/use-rules-api.ts';
import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import styles from './alerts.module.css';
import { compareAlerts } from '#model/rules/alert-summary.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Link, useUrlState } from '#page/kit/navigation.tsx';
import { alertParam } from './alert-address.ts';
import { AlertItem } from './alert-item.tsx';

type Silence = DeskAlerts['silences'][number];

/** Lists the silences now in force. */
function Silences({ silences }: { readonly silences: readonly Silence[] }) {
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

function describeMatch({ rule_id: rule, group: subject, severity }: Silence['match']): string {
  const parts = [
    ...(severity === undefined ? [] : [`severity ${severity}`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(subject === undefined || subject === '' ? [] : [subject]),
  ];
  return parts.length === 0 ? 'everything' : parts.join(', ');
}

/** Lists alerts that are firing, have no data or may fire soon, and those that ended recently. */
export function AlertList({ response }: { readonly response: DeskAlerts }) {
  const alerts = response.alerts.toSorted(compareAlerts);
  const [ruleId] = useUrlState(alertParam);
  const named = findNamed(alerts, ruleId);
  return (
    <>
      <EvaluationNotice response={response} />
      {alerts.length === 0 ? (
        <NoAlerts rules={response.rules} />
      ) : (
        <ul className={styles['list']} aria-label="Alerts">
          {alerts.map((alert) => (
            <AlertItem key={`${alert.rule_id}\n${alert.group}`} alert={alert} isNamed={alert === named} />
          ))}
        </ul>
      )}
      <Silences silences={response.silences} />
    </>
  );
}

/** Returns the alert that began to fire last among the subjects of a rule. */
function findNamed(alerts: readonly Alert[], ruleId: string): Alert | undefined {
  const ofRule = alerts.filter(({ rule_id: id }) => id === ruleId);
  return ofRule.toSorted((a, b) => Date.parse(b.started_at ?? b.since) - Date.parse(a.started_at ?? a.since))[0];
}

/** Reports that rules are not being evaluated: an empty list would otherwise look like good news. */
export function EvaluationNotice({
  response: { evaluates, evaluated_at: at, rules },
}: {
  readonly response: DeskAlerts;
}) {
  if (rules === 0) return null;
  if (at === null)
    return (
      <p className={styles['notice']}>Rules have not been evaluated yet, so whether any of them holds is unknown.</p>
    );
  return evaluates ? null : (
    <p className={styles['notice']}>Another Perpdesk on the same database evaluates the rules.</p>
  );
}

export function NoAlerts({ rules }: { readonly rules: number }) {
  if (rules > 0) {
    return (
      <EmptyState title="No alerts">
        <p>
          {rules === 1
            ? 'The only rule that is on does not hold.'
            : `None of the ${String(rules)} rules that are on holds.`}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No rule is on">
      <p>
        Nothing is watched. <Link to="/rules?show=rules">Turn on a suggestion</Link> or{' '}
        <Link to="/rules/new">create a rule</Link>.
      </p>
    </EmptyState>
  );
}
