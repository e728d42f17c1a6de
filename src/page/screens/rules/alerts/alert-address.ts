import type { Alert } from '#contract/desk/alerts.ts';
import { textParam } from '#model/format/url-param.ts';

/** The subject of the alert, or what stands for an account, clearing firm or connection in an address. */
export const subjectParam = textParam('group');

/**
 * The rule whose newest alert is opened. The subject is left out, because it may be the code of an account, which must
 * not appear in an address.
 */
export const alertParam = textParam('alert');

export function toAlertAddress({ rule_id: ruleId }: Pick<Alert, 'rule_id'>): string {
  return `/rules?${new URLSearchParams({ alert: ruleId }).toString()}`;
}

/** What a notification gives with its link to acknowledge an alert. */
export const linkParam = textParam('acknowledge');
