import { expect, it } from 'vitest';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { NotificationDelivery } from '#contract/desk/notifications.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { toAlert, toAlerts } from '#testing/alerts.ts';
import { toHandover, writeHandover } from './handover.ts';

const at = (clock: string) => `2026-08-17T${clock}:00.000Z` as Instant;
const silence = (id: string, until: string): DeskAlerts['silences'][number] => ({
  ...{ id, match: { rule_id: id }, until: at(until), by: 'Dana', at: at('08:00'), note: 'roll' },
});
const delivery = (clock: string, outcome: NotificationDelivery['outcome']): NotificationDelivery => ({
  ...{ number: 1, channel: 'ops', call_id: 'c', attempt: 1, events: 3, summary: '3 alerts', at: at(clock) },
  ...{ took_ms: 9, outcome, status: 500, reason: 'It answered 500.', answer: '' },
});
const shift = { from: Date.parse(at('04:00')), to: Date.parse(at('12:00')) };
const alerts = toAlerts(
  [
    toAlert({ acknowledged: { by: 'Ann', assignee: 'Bo', at: at('11:00'), note: 'looking' }, since: at('10:00') }),
    toAlert({ group: 'NORD-110', state: 'resolved' }),
  ],
  {
    silences: [silence('late', '21:00'), silence('soon', '13:00')],
    shift_note: { text: 'Back on Monday.', by: 'Dana', at: at('09:00'), version: 3 },
  },
);

it('a handover has what is open, the silences that end in the next shift, and what failed in this one', () => {
  const handover = toHandover({
    ...{ ...shift, alerts },
    gaps: [
      { from: at('03:00'), to: at('03:59'), cause: null },
      { from: at('05:00'), to: at('05:02'), cause: null },
    ],
    deliveries: [delivery('05:00', 'failed'), delivery('05:01', 'delivered'), delivery('03:00', 'failed')],
  });
  expect(writeHandover(handover, ({ rule_id: id = '' }) => `rule ${id}`, 'utc'))
    .toBe(`Handover, 2026-08-17 04:00:00 UTC to 2026-08-17 12:00:00 UTC

Shift note
- Back on Monday. (Dana, 2026-08-17 09:00:00 UTC)

1 open alert: 1 firing
- [warning] Working orders of MERI-103: 49, over 40. firing since 2026-08-17 10:00:00 UTC; acknowledged by Ann, for Bo: “looking”

1 silence that ends in the next shift
- rule soon until 2026-08-17 13:00:00 UTC, by Dana: roll
- 1 silence that ends later

1 gap in the journal
- 2026-08-17 05:00:00 UTC to 2026-08-17 05:02:00 UTC, 2 min

1 attempt to deliver a notification failed
- 2026-08-17 05:00:00 UTC ops, failed: 3 alerts It answered 500.
`);
});

it('what is unknown is not taken for nothing', () => {
  const handover = toHandover({ ...shift, alerts: toAlerts([]), gaps: null, deliveries: null });
  const text = writeHandover(handover, () => '', 'utc');
  expect(text).toContain('No open alerts');
  expect(text).toContain('Whether the journal has gaps is unknown');
  expect(text).toContain('Whether notifications failed is unknown');
});
