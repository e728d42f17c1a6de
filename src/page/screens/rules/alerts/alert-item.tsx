import { type ComponentProps, useState } from 'react';
import type { Alert } from '#contract/desk/alerts.ts';
import { isHandled } from '#model/rules/alert-summary.ts';
import { Link } from '#page/kit/navigation.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { toAlertAddress } from './alert-address.ts';
import { Acknowledged, Age, SeverityMark } from './alert-facts.tsx';
import { AcknowledgeForm } from './alert-forms.tsx';
import styles from './alerts.module.css';

/** Shows an alert in the header’s list, which has space for little more than its sentence. */
export function AlertItem({
  alert,
  leave,
}: {
  readonly alert: Alert;
  readonly leave: ComponentProps<typeof Link>['onClick'];
}) {
  const { severity, state, sentence, rule_name: name, since } = alert;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles['alert']} data-state={state}>
      <div className={styles['line']}>
        <SeverityMark severity={severity} isQuiet={state !== 'firing' || isHandled(alert)} />
        <div className={styles['words']}>
          <p className={styles['sentence']}>
            <Link to={toAlertAddress(alert)} onClick={leave}>
              {sentence}
            </Link>
          </p>
          <p className={styles['note']}>
            <b>{state}</b> for <Age since={since} /> · {name}
          </p>
          <Quiet alert={alert} />
        </div>
        {alert.acknowledged === null && (
          <span className={styles['actions']}>
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => {
                setOpen(true);
              }}
            >
              Acknowledge…
            </button>
          </span>
        )}
      </div>
      {isOpen && (
        <AcknowledgeForm
          alerts={[alert]}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </li>
  );
}

/** Explains why no notifications are sent, and whether the alert is flapping. */
export function Quiet({
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
