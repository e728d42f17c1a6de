import type { BrowserCommand } from 'vitest/node';
import { fetchAnswer, readAnswers, writeAnswers, type RecordedAnswer } from './answers.ts';

let answers: Map<string, RecordedAnswer> | null = null;

/**
 * Returns the recorded response to a request, or null. While responses are recorded, everything requested is recorded.
 */
export const answer: BrowserCommand<[target: string]> = async (_, target) => {
  const desk = process.env['PERPDESK_RECORDED'];
  answers ??= new Map(
    process.env['PERPDESK_RECORD'] === 'anew' ? [] : readAnswers().map((each) => [each.target, each]),
  );
  const known = answers.get(target);
  if (known !== undefined || desk === undefined) return known ?? null;
  const recorded = await fetchAnswer(desk, target);
  answers.set(target, recorded);
  writeAnswers([...answers.values()]);
  return recorded;
};
