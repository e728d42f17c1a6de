import type { Alert } from '#contract/desk/alerts.ts';
import { textParam } from '#model/format/url-param.ts';

/** The rule whose newest alert is focused. Its group may be a code of an account, which no address contains. */
export const alertParam = textParam('alert');

export function toAlertAddress({ rule_id: ruleId }: Pick<Alert, 'rule_id'>): string {
  return `/rules?${new URLSearchParams({ alert: ruleId }).toString()}`;
}
