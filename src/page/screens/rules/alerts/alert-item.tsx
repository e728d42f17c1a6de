import { useEffect, useRef, useState } from 'react';
import type { Alert } from '#contract/desk/alerts.ts';
import { isHandled, isOver } from '#model/rules/alert-summary.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { Acknowledged, Age, Evidence, SeverityMark } from './alert-facts.tsx';
import { AcknowledgeForm, SilenceForm } from './alert-forms.tsx';
import styles from './alerts.module.css';

interface AlertItemProps {
  readonly alert: Alert;
  /** For the header’s list, which has no space for evidence and silences. */
  readonly isShort?: boolean;
  /** The address leads to this alert. */
  readonly isNamed?: boolean;
}

/** Shows the current result of a rule for one subject, with the actions on it. */
export function AlertItem({ alert, isShort = false, isNamed = false }: AlertItemProps) {
  const { severity, state, sentence, rule_name: name, since, evidence, evaluated_at: at } = alert;
  const [form, setForm] = useState<'acknowledge' | 'silence' | null>(null);
  const item = useFocused(isNamed);
  const close = (): void => {
    setForm(null);
  };
  return (
    <li ref={item} className={styles['alert']} data-state={state} tabIndex={isNamed ? -1 : undefined}>
      <div className={styles['line']}>
        <SeverityMark severity={severity} isQuiet={state !== 'firing' || isHandled(alert)} />
        <div className={styles['words']}>
          <p className={styles['sentence']}>{sentence}</p>
          <p className={styles['note']}>
            <b>{state}</b> for <Age since={since} /> · {name}
            {!isShort && (
              <>
                {' '}
                · since <Timestamp at={since} />
              </>
            )}
          </p>
          <Quiet alert={alert} />
        </div>
        {!isOver(alert) && (
          <span className={styles['actions']}>
            {alert.acknowledged === null && state !== 'pending' && (
              <button
                type="button"
                aria-expanded={form === 'acknowledge'}
                onClick={() => {
                  setForm('acknowledge');
                }}
              >
                Acknowledge…
              </button>
            )}
            {!isShort && (
              <button
                type="button"
                aria-expanded={form === 'silence'}
                onClick={() => {
                  setForm('silence');
                }}
              >
                Silence…
              </button>
            )}
          </span>
        )}
      </div>
      {form === 'acknowledge' && <AcknowledgeForm alert={alert} close={close} />}
      {form === 'silence' && <SilenceForm alert={alert} close={close} />}
      {!isShort && <Evidence evidence={evidence} at={at} />}
    </li>
  );
}

/** Focuses the item that the address names, which also scrolls it into view. */
function useFocused(isNamed: boolean) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNamed) item.current?.focus();
  }, [isNamed]);
  return item;
}

/** Explains why no notifications are sent, and whether the alert is flapping. */
function Quiet({
  alert: { acknowledged, silenced_until: until, inhibited_by: rule, inhibited_because: cause, flapping },
}: {
  readonly alert: Alert;
}) {
  if (acknowledged === null && until === null && rule === null && !flapping) return null;
  return (
    <ul className={styles['quiet']}>
      {acknowledged !== null && (
        <li>
          <Acknowledged acknowledged={acknowledged} />
        </li>
      )}
      {until !== null && (
        <li>
          Silenced until <Timestamp at={until} />
        </li>
      )}
      {rule !== null && (
        <li>
          Muted: {cause} (rule {rule})
        </li>
      )}
      {flapping && <li>Flapping: it resolves only after 10 minutes without holding</li>}
    </ul>
  );
}
