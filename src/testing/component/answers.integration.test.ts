import { expect, it } from 'vitest';
import { readAnswers } from './answers.ts';
import { requestAnswers } from './request-answers.ts';

it('component tests see what exchange and desk answer today; npm run record brings them up to date', async () => {
  const recorded = readAnswers();
  expect(recorded.length).toBeGreaterThan(30);
  const fresh = await requestAnswers(recorded.map(({ target }) => target));
  const changed = fresh.filter((answer, at) => JSON.stringify(answer) !== JSON.stringify(recorded[at]));
  expect(changed.map(({ target }) => target)).toEqual([]);
});
