import type { DeskRule } from '#contract/desk/rules.ts';
import { countOf } from '../format/count.ts';
import { Decimal } from '../units/decimal.ts';
import { isMissing, NO_EVIDENCE, type DeskReading, type Evaluation, type Missing } from './readings.ts';
import { judge } from './verdict.ts';

interface Found {
  readonly value?: Decimal;
  readonly holds: boolean | null;
  readonly because?: string | null;
}

export function evaluateDesk(rule: DeskRule, desk: DeskReading, now: number): Evaluation {
  const found = find(rule, desk, now);
  if (isMissing(found)) return found;
  return [{ group: '', value: null, because: null, evidence: NO_EVIDENCE, ...found }];
}

function find(rule: DeskRule, desk: DeskReading, now: number): Found | Missing {
  switch (rule.measure) {
    case 'data_age': {
      const age = desk.ageOf(rule.data ?? 'working-orders');
      return typeof age === 'number' ? compare(rule, new Decimal(age)) : age;
    }
    case 'budget_left':
      return desk.budget === null ? { holds: false } : compare(rule, toShareLeft(desk.budget));
    case 'incomplete':
      return describeAll(desk.unproven);
    case 'drift':
      return describeAll(desk.drift);
    case 'venue_away':
      return { holds: desk.away !== null, because: desk.away };
    case 'journal_gap':
      return findGaps(desk.gaps, now - (rule.window_seconds ?? 0) * 1_000);
  }
}

function compare({ comparison = 'over', value: limit = 0 }: DeskRule, value: Decimal): Found {
  return { value, holds: judge(value, { comparison, value: limit }) };
}

function toShareLeft({ requests, used }: NonNullable<DeskReading['budget']>): Decimal {
  return new Decimal(Math.max(0, requests - used)).times(100).div(requests);
}

function describeAll(sentences: readonly string[] | Missing): Found | Missing {
  return isMissing(sentences)
    ? sentences
    : { holds: sentences.length > 0, because: sentences.length === 0 ? null : sentences.join(' ') };
}

function findGaps(gaps: DeskReading['gaps'], from: number): Found | Missing {
  if (isMissing(gaps)) return gaps;
  const found = gaps.filter(({ to }) => to > from);
  const seconds = found.reduce((sum, gap) => sum + (gap.to - gap.from) / 1_000, 0);
  return {
    holds: found.length > 0,
    because:
      found.length === 0 ? null : `${countOf(found.length, 'gap')}, ${countOf(Math.round(seconds), 'second')} in all.`,
  };
}
