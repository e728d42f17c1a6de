import type { AlertEvent } from './call.ts';
import { toHeadline, toLink, type Call } from './lines.ts';

/** The body of a Standard Webhook: type, timestamp and data, as its rules recommend. It lists all events. */
export function toStandardBody(call: Call, deskUrl: string | null): string {
  return JSON.stringify({
    type: 'perpdesk.alerts',
    timestamp: new Date(call.madeAt).toISOString(),
    data: { summary: toHeadline(call), events: call.events.map((event) => toEvent(event, deskUrl)) },
  });
}

function toEvent(event: AlertEvent, deskUrl: string | null): object {
  return {
    key: event.key,
    rule_id: event.ruleId,
    rule_name: event.ruleName,
    severity: event.severity,
    group: event.group,
    state: event.state,
    at: new Date(event.at).toISOString(),
    started_at: new Date(event.startedAt).toISOString(),
    sentence: event.sentence,
    path: event.path,
    url: toLink(event, deskUrl),
  };
}
