import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { ALERT_STATES, type PastAlert } from '#contract/desk/alerts.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { PagedPanel, useLog } from '#page/panels/log-panel.tsx';
import { Acknowledged, Evidence, SeverityMark } from './alerts/alert-facts.tsx';
import styles from './alerts/alerts.module.css';
import page from './rules.module.css';

const ruleParam = textParam('rule');

/** Lists changes of alerts, newest first, each with its evidence. */
export function AlertHistory() {
  const { calls, queries } = useRulesApi();
  const [rule, setRule] = useUrlState(ruleParam);
  const rules = useQuery(queries.rules()).data?.value.rules ?? [];
  const query = useLog({
    name: 'desk/alertHistory',
    of: rule,
    read: (cursor, signal) =>
      calls.alertHistory({ ...(rule !== '' && { rule_id: rule }), ...(cursor !== null && { cursor }) }, { signal }),
  });
  const changes = (query.data?.pages ?? []).flatMap(({ value }) => value.changes);
  return (
    <PagedPanel
      title="Alert history"
      query={query}
      count={changes.length}
      limits="Only the newest 10,000 changes are kept."
      controls={
        <label className={page['choice']}>
          Rule
          <select
            value={rule}
            onChange={({ target }) => {
              setRule(target.value);
            }}
          >
            <option value="">All rules</option>
            {rule !== '' && !rules.some(({ id }) => id === rule) && <option value={rule}>{rule}</option>}
            {rules.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      }
      empty={
        <NoHistory
          isFiltered={rule !== ''}
          clear={() => {
            setRule('');
          }}
        />
      }
    >
      <ul className={styles['list']} aria-label="Changes of alerts">
        {changes.map((change) => (
          <PastAlertItem
            key={[change.rule_id, change.group, change.at, change.state, change.sentence].join('\n')}
            change={change}
          />
        ))}
      </ul>
    </PagedPanel>
  );
}

function PastAlertItem({
  change: { at, severity, state, sentence, rule_name: name, acknowledged = null, by, note, channel, evidence },
}: {
  readonly change: PastAlert;
}) {
  // What a person did says so itself.
  const isState = ALERT_STATES.some((known) => known === state);
  return (
    <li className={styles['alert']} data-state={state}>
      <div className={styles['line']}>
        <SeverityMark severity={severity} isQuiet={state !== 'firing'} />
        <div className={styles['words']}>
          <p className={styles['sentence']}>{sentence}</p>
          <p className={styles['note']}>
            <b>{state}</b>
            {by !== undefined && (by === '' ? ' by its time' : ` by ${by}`)}
            {channel !== undefined && `, by the link of a notification to ${channel}`} · <Timestamp at={at} /> · {name}
          </p>
          {note !== undefined && note !== '' && <p className={styles['note']}>“{note}”</p>}
          {isState && acknowledged !== null && (
            <p className={styles['note']}>
              <Acknowledged acknowledged={acknowledged} />
            </p>
          )}
        </div>
      </div>
      <Evidence evidence={evidence} at={at} />
    </li>
  );
}

function NoHistory({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) {
  return (
    <EmptyState title={isFiltered ? 'No changes of this rule' : 'No alerts so far'}>
      {isFiltered ? (
        <button type="button" onClick={clear}>
          Show all rules
        </button>
      ) : (
        <p>Alerts that fire, resolve or lose their data are listed here, and what people do with them.</p>
      )}
    </EmptyState>
  );
}
