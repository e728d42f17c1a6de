import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT, sampleEvent } from '#testing/notifications/sample-events.ts';
import { type AlertEvent, toHeadline, toPlainLine } from './notification.ts';
import { toPagerDutyBody, toSlackBody, toStandardBody } from './send-webhook.ts';
import { toMail } from './send-mail.ts';

const DESK = 'http://127.0.0.1:8080/';
const MAIL = { from: 'perpdesk@firm.example', to: ['night@firm.example'] };

const notificationOf = (...events: readonly AlertEvent[]) => ({ id: 'call_1', madeAt: 1_700_000_000_000, events });
const many = (count: number) => notificationOf(...Array.from({ length: count }, (_, n) => sampleEvent(n)));
const hostile = sampleEvent(1, { ruleName: HOSTILE_TEXT, sentence: HOSTILE_TEXT, group: HOSTILE_TEXT });

interface SlackBody {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: { readonly text: string };
    readonly elements?: readonly { readonly text: string }[];
  }[];
}

const slackOf = (...notification: readonly AlertEvent[]): SlackBody =>
  JSON.parse(toSlackBody(notificationOf(...notification), DESK)) as SlackBody;

describe('a line', () => {
  it('has neither line breaks nor what changes the direction of the text, and is cut between letters', () => {
    expect(toPlainLine('a\r\nb\u202e\u0000c\u2028 d', 100)).toBe('a b c d');
    expect(toPlainLine('👍🏽👍🏽👍🏽', 4)).toBe('👍🏽👍…');
    expect(toPlainLine('שלום \ud800', 100)).toBe('שלום \ufffd');
  });

  it('summarises alerts by rule and severity or state, and the worst first', () => {
    const far = { ruleId: 'far', ruleName: 'Far orders' };
    const of = (...events: readonly AlertEvent[]) => toHeadline(notificationOf(...events));
    expect(of(sampleEvent(1), sampleEvent(2))).toBe('[warning] Many working orders: NORD-1, NORD-2');
    expect(of(...many(30).events)).toBe('[warning] Many working orders: NORD-0, NORD-1, NORD-2 and 27 more');
    expect(
      of(
        sampleEvent(1, { ...far, state: 'resolved' }),
        sampleEvent(2, { ...far, state: 'no data', group: '' }),
        sampleEvent(3),
        sampleEvent(4, { ...far, severity: 'critical' }),
      ),
    ).toBe('[critical] Far orders: NORD-4; [warning] Many working orders: NORD-3; [no data] Far orders; 1 more alert');
    expect(of(sampleEvent(1, { state: 'resolved' }))).toBe('[resolved] Working orders of NORD-1: 1,001, over 1,000.');
    expect(of(sampleEvent(1, { occasion: 'escalation' }))).toBe(
      '[warning] Not acknowledged: Working orders of NORD-1: 1,001, over 1,000.',
    );
  });

  it('says of each alert only what is so by now', () => {
    const notification = notificationOf(sampleEvent(1), sampleEvent(2), sampleEvent(1, { state: 'resolved' }));
    expect(toHeadline(notification)).toBe(
      '[warning] Many working orders: NORD-2; [resolved] Many working orders: NORD-1',
    );
    expect(toMail(notification, MAIL, null).text.match(/NORD-1.*/g)).toEqual(['NORD-1: 1,001, over 1,000.']);
    expect(toSlackBody(notification, null).match(/NORD-1:/g)).toHaveLength(1);
  });
});

describe('a Standard Webhook', () => {
  it('has type, timestamp and data, and links to this desk only', () => {
    const paths = { path: '//evil.example/', acknowledgePath: '/rules?acknowledge=y', ordersPath: '/orders?at=x' };
    expect(JSON.parse(toStandardBody(notificationOf(sampleEvent(1, paths)), DESK))).toEqual({
      type: 'perpdesk.alerts',
      timestamp: '2023-11-14T22:13:20.000Z',
      data: {
        summary: '[warning] Working orders of NORD-1: 1,001, over 1,000.',
        events: [
          {
            key: 'many-orders NORD-1 1700000000000 firing',
            rule_id: 'many-orders',
            rule_name: 'Many working orders',
            severity: 'warning',
            group: 'NORD-1',
            state: 'firing',
            at: '2023-11-14T22:13:20.001Z',
            started_at: '2023-11-14T22:13:20.000Z',
            sentence: 'Working orders of NORD-1: 1,001, over 1,000.',
            occasion: 'change',
            path: '//evil.example/',
            url: null,
            acknowledge_path: '/rules?acknowledge=y',
            acknowledge_url: 'http://127.0.0.1:8080/rules?acknowledge=y',
            orders_path: '/orders?at=x',
            orders_url: 'http://127.0.0.1:8080/orders?at=x',
          },
        ],
      },
    });
  });
});

describe('a message to Slack', () => {
  it('has the sentence first, then rule, severity and link', () => {
    expect(slackOf(sampleEvent(1))).toMatchObject({
      text: '[warning] Working orders of NORD-1: 1,001, over 1,000.',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            verbatim: true,
            text: 'Working orders of NORD-1: 1,001, over 1,000.\n_Many working orders, warning_ · <http://127.0.0.1:8080/orders?account_id=NORD-1|Alert>',
          },
        },
      ],
    });
    expect(toSlackBody(notificationOf(sampleEvent(1)), null)).not.toContain('|Alert>');
    expect(toSlackBody(notificationOf(sampleEvent(1, { acknowledgePath: '/rules?acknowledge=y' })), DESK)).toContain(
      '|Alert> · <http://127.0.0.1:8080/rules?acknowledge=y|Acknowledge>',
    );
  });

  it('lists 20 of many, and says how many more there are', () => {
    const { text, blocks } = slackOf(...many(57).events);
    expect([text, blocks.length, blocks.at(-1)?.elements?.[0]?.text]).toEqual([
      '[warning] Many working orders: NORD-0, NORD-1, NORD-2 and 54 more',
      22,
      'and 37 more',
    ]);
  });

  it('has no mention, link or overlong text of whoever named the rule', () => {
    const { text, blocks } = slackOf(hostile, { ...hostile, group: 'NORD-2' });
    const texts = [text, ...blocks.map((block) => block.text?.text ?? '')];
    for (const one of texts) {
      expect(one.length).toBeLessThan(3_000);
      expect(one.replaceAll(/<http:\/\/127\.0\.0\.1:8080\/[^<>|]*\|Alert>/g, '')).not.toMatch(/[<>\r\u202e]/);
    }
    expect(texts[1]).toContain(', NORD-2');
    expect(texts[2]).toContain('&lt;!channel&gt;');
  });
});

describe('an event to PagerDuty', () => {
  it('opens an incident, which its resolution closes', () => {
    const [opened, closed] = [sampleEvent(1), sampleEvent(1, { state: 'resolved' })].map(
      (event) => JSON.parse(toPagerDutyBody(notificationOf(event), 'key', DESK)) as Readonly<Record<string, unknown>>,
    );
    expect(opened).toMatchObject({
      routing_key: 'key',
      event_action: 'trigger',
      payload: {
        summary: 'Working orders of NORD-1: 1,001, over 1,000.',
        severity: 'warning',
        source: 'Perpdesk',
        timestamp: '2023-11-14T22:13:20.001Z',
      },
      links: [{ href: 'http://127.0.0.1:8080/orders?account_id=NORD-1' }],
    });
    expect(closed).toEqual({ routing_key: 'key', event_action: 'resolve', dedup_key: opened?.['dedup_key'] });
  });

  it('belongs to another incident if rule, group or beginning differ', () => {
    const keyOf = (event: AlertEvent) =>
      (JSON.parse(toPagerDutyBody(notificationOf(event), 'key', DESK)) as { readonly dedup_key: string }).dedup_key;
    const keys = [
      sampleEvent(1),
      sampleEvent(2),
      sampleEvent(1, { ruleId: 'other' }),
      sampleEvent(1, { startedAt: 5 }),
    ].map(keyOf);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('a mail', () => {
  it('has a stable id, and belongs to the thread of its incident', () => {
    const fired = toMail(notificationOf(sampleEvent(1)), MAIL, DESK);
    const resolved = toMail({ ...notificationOf(sampleEvent(1, { state: 'resolved' })), id: 'call_2' }, MAIL, DESK);
    expect([fired.messageId, resolved.messageId]).toEqual(['<call_1@firm.example>', '<call_2@firm.example>']);
    expect(resolved.references).toEqual(fired.references);
    expect(fired.subject).toBe('[warning] Working orders of NORD-1: 1,001, over 1,000.');
    expect(fired.text).toBe(
      'Many working orders: warning, 1 alert\n\nWorking orders of NORD-1: 1,001, over 1,000.\n2023-11-14T22:13:20.001Z\nAlert: http://127.0.0.1:8080/orders?account_id=NORD-1\n',
    );
  });

  it('has no markup, header or overlong line of whoever named the rule', () => {
    const { subject, html, text } = toMail(notificationOf(hostile), MAIL, DESK);
    expect(subject).not.toMatch(/[\r\n\u202e]/);
    expect(Array.from(subject).length).toBeLessThanOrEqual(150);
    expect(html).not.toContain('<script');
    expect(html).toContain('<bdi>&lt;script&gt;');
    expect(text.split('\n').every((line) => line.length < 2_000 && !line.startsWith('Bcc'))).toBe(true);
  });

  it('lists 20 of many, and says how many more there are', () => {
    expect(toMail(many(1_021), MAIL, null).text).toMatch(/\nand 1,001 more\n$/);
  });
});
