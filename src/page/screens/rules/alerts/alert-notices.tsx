import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { type AlertTab, toTab } from '#model/rules/alert-tabs.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Link } from '#page/kit/navigation.tsx';
import styles from './alerts.module.css';

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

/** Says which channels fail, since nobody notices notifications that do not arrive. */
export function FailingChannels({
  response: { failing_channels: channels = [] },
}: {
  readonly response: Pick<DeskAlerts, 'failing_channels'>;
}) {
  return channels.map(({ name, sentence }) => (
    <p key={name} className={styles['notice']}>
      {sentence} <Link to="/rules?show=calls">Notifications</Link>
    </p>
  ));
}

export function NoAlerts({ response, tab = 'active' }: { readonly response: DeskAlerts; readonly tab?: AlertTab }) {
  const { rules, alerts } = response;
  if (rules === 0 && alerts.length === 0)
    return (
      <EmptyState title="No rule is on">
        <p>
          Nothing is watched. <Link to="/rules?show=rules">Turn on a suggestion</Link> or{' '}
          <Link to="/rules/new">create a rule</Link>.
        </p>
      </EmptyState>
    );
  if (tab !== 'active')
    return (
      <EmptyState title={`No ${tab} alerts`}>
        {tab === 'resolved' && <p>Alerts are listed here for a day after they end. The history keeps them longer.</p>}
      </EmptyState>
    );
  if (alerts.some((alert) => toTab(alert) !== 'resolved'))
    return (
      <EmptyState title="No active alerts">
        <p>All that is open is acknowledged or silenced.</p>
      </EmptyState>
    );
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
