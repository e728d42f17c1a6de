import { isOpen, toIncident, toLine, toLink, toPlainLine, type Call } from './lines.ts';

const LONGEST_SUMMARY = 1_024;

/** An event of PagerDuty (Events API v2). It opens and closes incidents one by one, so a call to it has one event. */
export function toPagerDutyBody({ events }: Call, routingKey: string, deskUrl: string | null): string {
  const [event] = events;
  if (event === undefined || events.length > 1) throw new Error('A call to PagerDuty has one event.');
  const key = { routing_key: routingKey, dedup_key: toIncident(event) };
  // What was wrong is over in any case: what holds after all opens an incident of its own.
  if (!isOpen(event)) return JSON.stringify({ ...key, event_action: 'resolve' });
  const link = toLink(event, deskUrl);
  return JSON.stringify({
    ...key,
    event_action: 'trigger',
    payload: {
      summary: toPlainLine(toLine(event), LONGEST_SUMMARY),
      source: 'Perpdesk',
      severity: event.severity,
      timestamp: new Date(event.at).toISOString(),
      component: toPlainLine(event.group, 255),
      class: toPlainLine(event.ruleName, 255),
      custom_details: {
        rule_id: event.ruleId,
        state: event.state,
        started_at: new Date(event.startedAt).toISOString(),
      },
    },
    client: 'Perpdesk',
    ...(link !== null && { client_url: link, links: [{ href: link, text: 'Open in Perpdesk' }] }),
  });
}
