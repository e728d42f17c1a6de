import { fetchAnswer, type RecordedAnswer } from './answers.ts';
import { openRecordedDesk } from './open-recorded-desk.ts';

/**
 * What a desk that has just been opened answers, in the order of the targets. Each is requested twice, and the second answer
 * is kept: some say what was requested before, in an order that no page keeps to.
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
