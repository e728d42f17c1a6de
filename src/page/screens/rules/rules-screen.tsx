import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { Panel } from '#page/panels/panel.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { choiceParam } from '#model/format/url-param.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { alertParam } from './alerts/alert-address.ts';
import { AlertList } from './alerts/alert-list.tsx';
import { Calls } from './calls/calls.tsx';
import { AlertHistory } from './history/alert-history.tsx';
import { RuleChanges } from './history/rule-changes.tsx';
import { RuleList } from './list/rule-list.tsx';
import { Suggestions } from './list/suggestions.tsx';
import styles from './shared/rules.module.css';

const SHOWN = [
  ['alerts', 'Alerts'],
  ['rules', 'Rules'],
  ['history', 'History'],
  ['changes', 'Changes'],
  ['calls', 'Calls'],
] as const;
const shownParam = choiceParam('show', ['alerts', 'rules', 'history', 'changes', 'calls'], 'alerts');

export function RulesScreen() {
  const [shown, setShown] = useUrlState(shownParam);
  const [, setAlert] = useUrlState(alertParam);
  const show = (next: typeof shown): void => {
    // The alert that led here is of that view only.
    setAlert('');
    setShown(next);
  };
  return (
    <>
      <Toolbar title="Rules">
        <Segmented label="Show" choices={SHOWN} value={shown} onChange={show} />
        <Link className={styles['new']} to="/rules/new">
          New rule
        </Link>
      </Toolbar>
      {shown === 'alerts' && <Alerts />}
      {shown === 'rules' && <Rules />}
      {shown === 'history' && <AlertHistory />}
      {shown === 'changes' && <RuleChanges />}
      {shown === 'calls' && <Calls />}
    </>
  );
}

const EVERY = { everySeconds: RULE_ENDPOINTS.alerts.reuseSeconds };

function Alerts() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts());
  return (
    <Panel title="Alerts" query={query} {...EVERY}>
      {({ value }) => <AlertList response={value} />}
    </Panel>
  );
}

function Rules() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.rules());
  const alerts = useQuery(queries.alerts());
  return (
    <>
      <Panel title="Rules" query={query} besides={[alerts.data]} {...EVERY}>
        {({ value: { rules } }) => <RuleList rules={rules} alerts={alerts.data?.value} />}
      </Panel>
      {query.data !== undefined && <Suggestions rules={query.data.value.rules} />}
    </>
  );
}
