import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#api/react/use-rules-api.ts';
import { NO_REFETCH } from '#api/refetch-options.ts';
import type { PastAlert } from '#contract/desk-alerts.ts';
import type { Cursor } from '#contract/paging.ts';
import { formatCount } from '#domain/format/count.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#panels/panel.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { textParam } from '#ui/navigation/url-param.ts';
import { Timestamp } from '#ui/time/timestamp.tsx';
import { Evidence } from '../alerts/evidence-table.tsx';
import { SeverityMark } from '../alerts/severity-mark.tsx';
import styles from '../alerts/alerts.module.css';
import page from '../rules.module.css';

const ruleParam = textParam('rule');

/** Changes of alerts, the newest first, each with the evidence of its moment. */
export function AlertHistory() {
  const { calls, queries } = useRulesApi();
  const [rule, setRule] = useUrlState(ruleParam);
  const rules = useQuery(queries.rules()).data?.value.rules ?? [];
  const pages = useInfiniteQuery({
    queryKey: ['desk/alertHistory', { rule }],
    queryFn: ({ pageParam, signal }) => calls.alertHistory({ ...(rule !== '' && { rule_id: rule }), ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ value: { changes, pagination } }) => (changes.length === 0 || pagination.cursor === undefined || pagination.cursor === '' ? null : pagination.cursor),
    ...NO_REFETCH,
  });
  const read = pages.data?.pages ?? [];
  const changes = read.flatMap(({ value }) => value.changes);
  return (
    <Panel
      title="History of alerts"
      query={{ ...pages, data: read[0] }}
      everySeconds={0}
      actions={
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
      emptyState={() => (changes.length === 0 ? <NoHistory isFiltered={rule !== ''} clear={() => { setRule(''); }} /> : null)}
    >
      {() => (
        <>
          <ul className={styles['list']} aria-label="Changes of alerts">
            {changes.map((change) => (
              <PastAlertItem key={`${change.rule_id}\n${change.group}\n${change.at}\n${change.state}`} change={change} />
            ))}
          </ul>
          <p className={page['more']}>
            {formatCount(changes.length)} loaded.{' '}
            {pages.hasNextPage ? (
              <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                Load more
              </button>
            ) : (
              'That is all: only the newest 10,000 changes are kept.'
            )}
          </p>
        </>
      )}
    </Panel>
  );
}

function PastAlertItem({ change: { at, severity, state, sentence, rule_name: name, evidence } }: { readonly change: PastAlert }) {
  return (
    <li className={styles['alert']} data-state={state}>
      <div className={styles['line']}>
        <SeverityMark severity={severity} isQuiet={state !== 'firing'} />
        <div className={styles['words']}>
          <p className={styles['sentence']}>{sentence}</p>
          <p className={styles['note']}>
            <b>{state}</b> · <Timestamp at={at} /> · {name}
          </p>
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
        <p>What fires, resolves or loses its data is listed here.</p>
      )}
    </EmptyState>
  );
}
