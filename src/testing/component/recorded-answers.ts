import { readAnswers, writeAnswers } from './answers.ts';
import { openRecordedDesk } from './open-recorded-desk.ts';
import { requestAnswers } from './request-answers.ts';

/** Vitest calls this before all component tests. While responses are recorded, a running server provides them. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['PERPDESK_RECORD'] === undefined) return undefined;
  const desk = await openRecordedDesk();
  process.env['PERPDESK_RECORDED'] = desk.address;
  return async () => {
    await desk.close();
    writeAnswers(await requestAnswers(readAnswers().map(({ target }) => target)));
  };
}
