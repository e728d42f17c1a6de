import { expect, test } from 'vitest';
import { RULE_ENDPOINTS } from './alerts.ts';
import { parametersOf, rowsFieldOf, TOPICS } from './topics.ts';

test('the topic of alerts, whose endpoint is in another table, takes as few parameters as that', () => {
  expect(TOPICS.alerts.endpoint).toBe(`desk/${'alerts' satisfies keyof typeof RULE_ENDPOINTS}`);
  expect(parametersOf(TOPICS.alerts)).toEqual(RULE_ENDPOINTS.alerts.query);
  // The topic is pushed as a whole.
  expect([TOPICS.alerts.key, rowsFieldOf(TOPICS.alerts)]).toEqual([null, null]);
});
