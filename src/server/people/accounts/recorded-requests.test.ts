import { expect, test } from 'vitest';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import type { Requesting } from './requesting.ts';
import { auditActions } from './recorded-requests.ts';

test('the audit log says through which channel a person came to acknowledge an alert', async () => {
  const details: string[] = [];
  const audit = { record: ({ detail }: { readonly detail: string }) => Promise.resolve(void details.push(detail)) };
  const perform = (input: object) => Promise.resolve({ ...input, count: 1, channel: 'night' });
  const { acknowledgeAlerts } = auditActions({ acknowledgeAlerts: perform }, audit, () => '');
  const context = { viewer: LOCAL_VIEWER } as Requesting;
  await acknowledgeAlerts({ body: { alerts: [{ rule_id: 'many', group: 'A' }] }, query: {}, context });
  expect(details).toEqual(['Acknowledged the alert of the rule many for A, by the link of a notification to night.']);
});
