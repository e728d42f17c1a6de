import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#api/react/use-rules-api.ts';
import { PanelBody } from '#panels/panel-body.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { AlertItem } from '#views/rules/alerts/alert-item.tsx';
import { EvaluationNotice, NoAlerts } from '#views/rules/alerts/alert-list.tsx';
import styles from './alert-badge.module.css';

interface AlertPopoverProps {
  readonly anchor: HTMLElement;
  readonly close: () => void;
}

/** What fires or has no data, the newest first. */
export function AlertPopover({ anchor, close }: AlertPopoverProps) {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts({}, { everySeconds: 10 }));
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="end" sideOffset={4} collisionPadding={8} className={styles['positioner']}>
          <Popover.Popup className={styles['popup']} aria-label="Alerts" finalFocus={() => anchor}>
            <header>
              <h2>Alerts</h2>
              <Link to="/rules" onClick={close}>
                All alerts and rules
              </Link>
            </header>
            <PanelBody query={query}>
              {({ value }) => {
                const open = value.alerts.filter(({ state }) => state === 'firing' || state === 'no data').toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since));
                return (
                  <>
                    <EvaluationNotice response={value} />
                    {open.length === 0 && value.evaluated_at !== null && <NoAlerts rules={value.rules} />}
                    <ul aria-label="Alerts">
                      {open.slice(0, MOST).map((alert) => (
                        <AlertItem key={`${alert.rule_id}\n${alert.group}`} alert={alert} isShort />
                      ))}
                    </ul>
                    {open.length > MOST && <p>{open.length - MOST} more under “All alerts and rules”.</p>}
                  </>
                );
              }}
            </PanelBody>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const MOST = 20;
