import { fetchAnswer, type RecordedAnswer } from './answers.ts';
import { openRecordedDesk } from './open-recorded-desk.ts';

/**
 * Returns the responses of a newly opened server, in the order of the targets. Each target is requested twice and the
 * second response is kept, because some depend on what was requested before, which has no fixed order on a page.
 */
export async function requestAnswers(targets: Iterable<string>): Promise<readonly RecordedAnswer[]> {
  const desk = await openRecordedDesk();
  const sorted = [...targets].toSorted();
  try {
    for (const target of sorted) await fetchAnswer(desk.address, target);
    const answers: RecordedAnswer[] = [];
    for (const target of sorted) answers.push(await fetchAnswer(desk.address, target));
    return answers;
  } finally {
    await desk.close();
  }
}
