import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { useRulesApi } from '#api/react/use-rules-api.ts';
import type { DeskAlerts } from '#contract/desk-alerts.ts';
import { PanelBody } from '#panels/panel-body.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { AlertItem } from '#views/rules/alerts/alert-item.tsx';
import { EvaluationNotice, NoAlerts } from '#views/rules/alerts/alert-list.tsx';
import styles from './alert-badge.module.css';

interface AlertPopoverProps {
  readonly anchor: HTMLElement;
  readonly close: () => void;
}

/**
 * What fires or has no data, the newest first. The browser's own popover closes it on Escape and on a press beside it; the
 * library's weighs more than all the rest of it.
 */
export function AlertPopover({ anchor, close }: AlertPopoverProps) {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts({}, { everySeconds: 10 }));
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { bottom, right } = anchor.getBoundingClientRect();
    popup.current?.style.setProperty('--top', `${String(Math.round(bottom))}px`);
    popup.current?.style.setProperty('--end', `${String(Math.round(innerWidth - right))}px`);
    popup.current?.showPopover();
    popup.current?.focus();
  }, [anchor]);
  return (
    <div
      ref={popup}
      popover="auto"
      role="dialog"
      aria-label="Alerts"
      tabIndex={-1}
      className={styles['popup']}
      onToggle={({ newState, currentTarget }) => {
        if (newState === 'open') return;
        if (currentTarget.contains(document.activeElement) || document.activeElement === document.body) anchor.focus();
        close();
      }}
    >
      <div className={styles['top']}>
        <h2>Alerts</h2>
        <Link
          to="/rules"
          onClick={() => {
            popup.current?.hidePopover();
          }}
        >
          All alerts and rules
        </Link>
      </div>
      <PanelBody query={query}>{({ value }) => <OpenAlerts response={value} />}</PanelBody>
    </div>
  );
}

const MOST = 20;

function OpenAlerts({ response }: { readonly response: DeskAlerts }) {
  const open = response.alerts.filter(({ state }) => state === 'firing' || state === 'no data').toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since));
  return (
    <>
      <EvaluationNotice response={response} />
      {open.length === 0 && (response.rules === 0 || response.evaluated_at !== null) && <NoAlerts rules={response.rules} />}
      {open.length > 0 && (
        <ul aria-label="Alerts">
          {open.slice(0, MOST).map((alert) => (
            <AlertItem key={`${alert.rule_id}\n${alert.group}`} alert={alert} isShort />
          ))}
        </ul>
      )}
      {open.length > MOST && <p>{open.length - MOST} more under “All alerts and rules”.</p>}
    </>
  );
}
