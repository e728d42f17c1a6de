import type { AddressedEvent, AlertEvent } from '#server/alerts/notifications/notification.ts';

/** Creates an event of a rule about the n-th account. */
export function sampleEvent(n: number, change: Partial<AlertEvent> = {}): AlertEvent {
  const subject = change.group ?? `NORD-${String(n)}`;
  const { ruleId = 'many-orders', state = 'firing', startedAt = 1_700_000_000_000 } = change;
  return {
    key: `${ruleId} ${subject} ${String(startedAt)} ${state}`,
    ruleId,
    ruleName: 'Many working orders',
    severity: 'warning',
    group: subject,
    state,
    at: 1_700_000_000_000 + n,
    startedAt,
    sentence: `Working orders of ${subject}: ${(1_000 + n).toLocaleString('en-US')}, over 1,000.`,
    path: `/orders?account_id=${subject}`,
    ...change,
  };
}

export function addressed(events: readonly AlertEvent[], channels: readonly string[]): readonly AddressedEvent[] {
  return events.map((event) => ({ event, channels }));
}

/** A text chosen to break a program that shows it. */
export const HOSTILE_TEXT =
  `<script>alert("1")</script> & <!channel> <https://evil.example|here>\r\nBcc: ` +
  `evil@evil.example\r\n\r\n\u202Egnp.exe\u2066\u0000 שלום ${'long '.repeat(2_000)}`;
