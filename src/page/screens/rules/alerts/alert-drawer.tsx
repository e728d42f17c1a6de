import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAction, useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import { formatTimeOfDay } from '#model/format/format-time.ts';
import { isOver } from '#model/rules/alert-summary.ts';
import { findSilences } from '#model/rules/alert-tabs.ts';
import { toRuleOrdersAddress } from '#model/rules/rule-orders-address.ts';
import { isOfOrders } from '#model/rules/rule-subjects.ts';
import { formatAlertValue, nameSubject } from '#model/tables/alerts/alert-columns.ts';
import { toAliasTable, toCodeAlias } from '#model/tables/orders/alias-text.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { Age, describeEvidence, EvidenceTable, SeverityMark } from './alert-facts.tsx';
import { AcknowledgeForm, NoteForm, SilenceForm } from './alert-forms.tsx';
import { Quiet } from './alert-item.tsx';
import { Silences } from './silences.tsx';
import styles from './alerts.module.css';

type Form = 'acknowledge' | 'silence' | 'note';

interface AlertDrawerProps {
  readonly alert: Alert;
  readonly silences: DeskAlerts['silences'];
  readonly people: readonly string[];
  /** By which link of a notification it was opened to be acknowledged; empty if by none. */
  readonly link: string;
  readonly leaveLink: () => void;
  readonly close: () => void;
}

/** Shows one alert: what it says, since when, about which orders, and what people did. */
export function AlertDrawer({ alert, silences, people, close, ...linked }: AlertDrawerProps) {
  const { severity, state, sentence, rule_id: id, rule_name: name, since } = alert;
  return (
    <aside className={styles['drawer']} aria-label="Alert">
      <header>
        <SeverityMark severity={severity} isQuiet={state !== 'firing'} />
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <h2>{sentence}</h2>
      <FactList
        facts={[
          { name: 'Subject', value: nameSubject(alert) },
          { name: 'Rule', value: <Link to={`/rules/edit/${id}`}>{name}</Link> },
          {
            name: state,
            value: (
              <>
                since <Timestamp at={since} />, <Age since={since} />
              </>
            ),
          },
          { name: 'Value', value: `${formatAlertValue(alert)}${alert.limit === null ? '' : `, ${alert.limit}`}` },
        ]}
      />
      <Quiet alert={alert} />
      <Acts alert={alert} people={people} {...linked} />
      <Silences silences={findSilences(alert, silences)} />
      {!isOver(alert) && <EvidenceOf alert={alert} />}
      <h3>Notes</h3>
      {alert.notes.length === 0 ? (
        <p className={styles['note']}>None.</p>
      ) : (
        <ul className={styles['notes']}>
          {alert.notes.map(({ by, at, text }) => (
            <li key={`${at} ${text}`}>
              {text}{' '}
              <span className={styles['by']}>
                {by}, <Timestamp at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to={`/rules?show=history&rule=${id}`}>History of this rule</Link>
      </p>
    </aside>
  );
}

/** The buttons of one alert, and the form of the one that was pressed. */
function Acts({ alert, people, link, leaveLink }: Pick<AlertDrawerProps, 'alert' | 'people' | 'link' | 'leaveLink'>) {
  const [form, setForm] = useState<Form | null>(link === '' ? null : 'acknowledge');
  const { mutate, error, isPending } = useAction('endAcknowledgements');
  const close = (): void => {
    setForm(null);
    if (link !== '') leaveLink();
  };
  const opening = (which: Form, text: string): ReactNode => (
    <button
      type="button"
      aria-expanded={form === which}
      onClick={() => {
        setForm(which);
      }}
    >
      {text}
    </button>
  );
  if (isOver(alert)) return null;
  const { acknowledged } = alert;
  return (
    <div className={styles['acts']}>
      {opening('acknowledge', acknowledged === null ? 'Acknowledge…' : 'Take or hand over…')}
      {acknowledged !== null && (
        <button
          type="button"
          disabled={isPending}
          onClick={() => {
            mutate({ body: { alerts: [{ rule_id: alert.rule_id, group: alert.group }] } });
          }}
        >
          End acknowledgement
        </button>
      )}
      {opening('silence', 'Silence…')}
      {opening('note', 'Add note…')}
      <ActionError error={error} />
      {form === 'acknowledge' && <AcknowledgeForm alerts={[alert]} people={people} link={link} close={close} />}
      {form === 'silence' && <SilenceForm alerts={[alert]} close={close} />}
      {form === 'note' && <NoteForm alerts={[alert]} close={close} />}
    </div>
  );
}

function EvidenceOf({ alert }: { readonly alert: Alert }) {
  const { queries } = useRulesApi();
  const { rule_id: ruleId, group: subject } = alert;
  const query = useQuery(
    // It stays the same until the alert fires again.
    queries.alertEvidence(
      { rule_id: ruleId, ...(subject !== '' && { group: subject }) },
      { everySeconds: EVIDENCE_SECONDS },
    ),
  );
  const [zone] = useZone();
  return (
    <section aria-label="Evidence">
      <PanelBody query={query}>
        {({ value }) =>
          value.at === null || (value.orders.length === 0 && value.products.length === 0) ? (
            <p className={styles['note']}>No orders were kept for it.</p>
          ) : (
            <>
              <h3>
                {describeEvidence(value)}, at {formatTimeOfDay(Date.parse(value.at), zone)}
              </h3>
              <OrderLinks alert={alert} at={value.at} />
              <EvidenceTable evidence={value} />
            </>
          )
        }
      </PanelBody>
    </section>
  );
}

const EVIDENCE_SECONDS = 30;

/** Leads to the orders that the rule is about: as they were then, and now. */
function OrderLinks({ alert, at }: { readonly alert: Alert; readonly at: string }) {
  const { queries: ofDesk } = useApi();
  const { queries } = useRulesApi();
  const [zone] = useZone();
  const aliases = useQuery(ofDesk.desk.aliases({})).data?.value.aliases;
  const rule = useQuery(queries.rules()).data?.value.rules.find(({ id }) => id === alert.rule_id);
  if (aliases === undefined || rule === undefined || !isOfOrders(rule)) return null;
  const table = toAliasTable(aliases);
  const addressAt = (time: string | null): string | null =>
    toRuleOrdersAddress(rule, alert.group, time, (kind, code) => toCodeAlias(code, kind, table));
  const [then, now] = [addressAt(at), addressAt(null)];
  if (then === null || now === null) return null;
  return (
    <p className={styles['links']}>
      <Link to={then}>Book at {formatTimeOfDay(Date.parse(at), zone)}</Link>
      <Link to={now}>These orders now</Link>
    </p>
  );
}
