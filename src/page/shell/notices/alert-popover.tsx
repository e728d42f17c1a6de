import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { AnchoredPopover } from '#page/kit/anchored-popover.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { AlertItem } from '#page/screens/rules/alerts/alert-item.tsx';
import { EvaluationNotice, NoAlerts } from '#page/screens/rules/alerts/alert-list.tsx';
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
          <PanelBody query={query}>{({ value }) => <OpenAlerts response={value} />}</PanelBody>
        </>
      )}
    </AnchoredPopover>
  );
}

const MOST = 20;

function OpenAlerts({ response }: { readonly response: DeskAlerts }) {
  const open = response.alerts
    .filter(({ state }) => state === 'firing' || state === 'no data')
    .toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since));
  return (
    <>
      <EvaluationNotice response={response} />
      {open.length === 0 && (response.rules === 0 || response.evaluated_at !== null) && (
        <NoAlerts rules={response.rules} />
      )}
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
