import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import { compareAlerts } from '#model/rules/alert-summary.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { alertParam } from './alert-address.ts';
import { AlertItem } from './alert-item.tsx';
import { Silences } from './silences.tsx';
import styles from './alerts.module.css';

/** What fires, what has no data, what may fire soon, and what fired until a while ago. */
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

/** Of the groups of a rule, the one that began to fire last. */
function findNamed(alerts: readonly Alert[], ruleId: string): Alert | undefined {
  const ofRule = alerts.filter(({ rule_id: id }) => id === ruleId);
  return ofRule.toSorted((a, b) => Date.parse(b.started_at ?? b.since) - Date.parse(a.started_at ?? a.since))[0];
}

/** Where nothing has been evaluated, an empty list would be no good news. */
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
