import { describe, expect, test } from 'vitest';
import {
  codeGrammar,
  connectionIdGrammar,
  cursorGrammar,
  dayGrammar,
  flagGrammar,
  instantGrammar,
  instantOrNowGrammar,
  fundingLimitGrammar,
  LARGEST_LIMIT,
  nameGrammar,
  orderingGrammar,
  orderLimitGrammar,
  productIdGrammar,
  productTypeGrammar,
  type Grammar,
} from './parameters.ts';

interface Case {
  readonly grammar: Grammar;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

/** Texts that no grammar accepts. */
const NEVER = ['', ' ', '\n', '\0', '5599\n', '\t5599', 'é', '💥'];

const CASES: readonly Case[] = [
  {
    grammar: productIdGrammar,
    good: ['1', '5599', '999999999'],
    bad: ['0', '-1', '01', '1.5', '1e3', '0x10', '1000000000', 'now'],
  },
  {
    grammar: codeGrammar,
    good: ['BTCUC', 'P.BTC-1', 'a_b:c', '0', '_', 'x'.repeat(64)],
    bad: ['.', '..', '-x', ':', 'a/b', 'a\\b', 'a?b', 'a#b', 'a%2fb', 'a&b', 'x'.repeat(65)],
  },
  {
    grammar: nameGrammar,
    good: ['BUSH27', 'BUSH27-BUSM27', 'A&B 17/3', '%2e', '..', '#', 'x'.repeat(64)],
    bad: [' A', 'A ', 'A\tB', 'A\r\nB', 'x'.repeat(65)],
  },
  { grammar: connectionIdGrammar, good: ['3f', 'DEADBEEF', '0'.repeat(64)], bad: ['0x3f', 'g', '3f-', '0'.repeat(65)] },
  { grammar: productTypeGrammar, good: ['Future', 'Spread', 'Option'], bad: ['future', 'Perpetual', 'Future,Spread'] },
  {
    grammar: instantGrammar,
    good: ['2026-08-17T00:00:00Z', '2026-08-17T23:45:21.496334704Z', '2024-02-29T00:00:00.5Z'],
    bad: [
      'now',
      '2026-08-17',
      '2026-08-17T00:00:00',
      '2026-02-29T00:00:00Z',
      '2026-08-17T00:00:00+00:00',
      '1787010321',
    ],
  },
  {
    grammar: instantOrNowGrammar,
    good: ['now', '2026-08-17T00:00:00Z', '2026-08-17T23:45:21.496334704Z'],
    bad: ['NOW', 'now ', 'nowZ', 'xnow', '2026-08-17', '2026-02-30T00:00:00Z', 'now2026-08-17T00:00:00Z'],
  },
  {
    grammar: dayGrammar,
    good: ['2026-08-17', '2024-02-29'],
    bad: ['now', '2026-02-29', '2026-8-1', '2026-08-17T00:00:00Z', 'today'],
  },
  {
    grammar: orderLimitGrammar,
    good: ['1', '100', String(LARGEST_LIMIT.orders - 1), String(LARGEST_LIMIT.orders)],
    bad: ['0', '-1', '01', '1.0', '1e2', String(LARGEST_LIMIT.orders + 1), '9999', 'all'],
  },
  {
    grammar: fundingLimitGrammar,
    good: ['1', '100', '1001', String(LARGEST_LIMIT.funding - 1), String(LARGEST_LIMIT.funding)],
    bad: ['0', '-1', '01', '1.0', '1e2', String(LARGEST_LIMIT.funding + 1), '99999', '100000', 'all'],
  },
  { grammar: orderingGrammar, good: ['asc', 'desc'], bad: ['ASC', 'ascending', 'asc,desc'] },
  { grammar: flagGrammar, good: ['true', 'false'], bad: ['True', '1', 'yes'] },
  {
    grammar: cursorGrammar,
    good: ['b3BhcXVl', 'b3BhcXVlPQ==', 'b3BhcXVlPQ%3D%3D', 'a+b/c', '~', 'x'.repeat(2_048)],
    bad: ['a b', 'a\r\nb', 'x'.repeat(2_049)],
  },
];

describe.each(CASES)('$grammar.name', ({ grammar, good, bad }) => {
  test.each(good)('accepts %s', (text) => {
    expect(grammar.accepts(text)).toBe(true);
  });

  test.each([...bad, ...NEVER])('rejects %j', (text) => {
    expect(grammar.accepts(text)).toBe(false);
  });

  test('accepts its example', () => {
    expect(grammar.accepts(grammar.example)).toBe(true);
  });

  test('has a published pattern that accepts every valid text', () => {
    const { pattern, enum: words, format } = grammar.shape;
    expect.hasAssertions();
    for (const text of good) {
      if (pattern !== undefined) expect(text).toMatch(new RegExp(pattern, 'u'));
      if (words !== undefined) expect(words).toContain(text);
      if (format !== undefined)
        expect([format, new Date(text).toISOString()]).toEqual(['date', `${text}T00:00:00.000Z`]);
    }
  });
});

test.each([
  [orderLimitGrammar, LARGEST_LIMIT.orders],
  [fundingLimitGrammar, LARGEST_LIMIT.funding],
])('the published pattern of a limit is its complete rule: %#', ({ shape, accepts }, largest) => {
  for (const limit of [0, 1, 999, 1_000, 1_001, 9_999, 10_000, 10_001, largest - 1, largest, largest + 1]) {
    expect(accepts(String(limit)), String(limit)).toBe(limit >= 1 && limit <= largest);
    expect(new RegExp(shape.pattern ?? '', 'u').test(String(limit)), String(limit)).toBe(accepts(String(limit)));
  }
});
