import type { AlertEvent } from '#server/alerts/calls/call.ts';

/** An event of a rule about the n-th account. */
export function sampleEvent(n: number, change: Partial<AlertEvent> = {}): AlertEvent {
  const group = change.group ?? `NORD-${String(n)}`;
  const { ruleId = 'many-orders', state = 'firing', startedAt = 1_700_000_000_000 } = change;
  return {
    key: `${ruleId} ${group} ${String(startedAt)} ${state}`,
    ruleId,
    ruleName: 'Many working orders',
    severity: 'warning',
    group,
    state,
    at: 1_700_000_000_000 + n,
    startedAt,
    sentence: `Working orders of ${group}: ${(1_000 + n).toLocaleString('en-US')}, over 1,000.`,
    path: `/orders?account_id=${group}`,
    ...change,
  };
}

/** By whoever wants to break what shows it. */
export const HOSTILE_TEXT = `<script>alert("1")</script> & <!channel> <https://evil.example|here>\r\nBcc: evil@evil.example\r\n\r\n\u202Egnp.exe\u2066\u0000 שלום ${'long '.repeat(2_000)}`;
