import type { ComponentProps } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { keyOfAlert } from '#model/rules/alert-tabs.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { AnchoredPopover } from '#page/kit/anchored-popover.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { AlertItem } from '#page/screens/rules/alerts/alert-item.tsx';
import { EvaluationNotice, FailingChannels, NoAlerts } from '#page/screens/rules/alerts/alert-notices.tsx';
import styles from './alert-badge.module.css';

interface AlertPopoverProps {
  readonly anchor: HTMLElement;
  readonly close: () => void;
}

/** Lists alerts that fire or have no data, newest first. */
export function AlertPopover({ anchor, close }: AlertPopoverProps) {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts({}, { everySeconds: 10 }));
  return (
    <AnchoredPopover label="Alerts" anchor={anchor} className={styles['popup']} onClose={close}>
      {(hide) => (
        <>
          <div className={styles['top']}>
            <h2>Alerts</h2>
            <Link to="/rules" onClick={hide}>
              All alerts and rules
            </Link>
          </div>
          <PanelBody query={query}>{({ value }) => <OpenAlerts response={value} leave={hide} />}</PanelBody>
        </>
      )}
    </AnchoredPopover>
  );
}

const MOST = 20;

type Leave = ComponentProps<typeof AlertItem>['leave'];

function OpenAlerts({ response, leave }: { readonly response: DeskAlerts; readonly leave: Leave }) {
  const open = response.alerts
    .filter(({ state }) => state === 'firing' || state === 'no data')
    .toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since));
  return (
    <>
      <EvaluationNotice response={response} />
      <FailingChannels response={response} />
      {open.length === 0 && (response.rules === 0 || response.evaluated_at !== null) && (
        <NoAlerts response={{ ...response, alerts: [] }} />
      )}
      {open.length > 0 && (
        <ul aria-label="Alerts">
          {open.slice(0, MOST).map((alert) => (
            <AlertItem key={keyOfAlert(alert)} alert={alert} leave={leave} />
          ))}
        </ul>
      )}
      {open.length > MOST && <p>{open.length - MOST} more under “All alerts and rules”.</p>}
    </>
  );
}
