import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS } from '#contract/problems.ts';
import { ProblemError } from '#api/errors.ts';
import { ErrorState } from './error-state.tsx';

function render(detail: string): string {
  const document = { type: `${PROBLEM_PREFIX}venue-unreachable`, ...PROBLEMS['venue-unreachable'], detail, instance: 'r1' };
  return renderToStaticMarkup(<ErrorState error={new ProblemError(document, 0, null)} isFetching={false} retry={() => undefined} />);
}

const { title } = PROBLEMS['venue-unreachable'];

it('says what happened, why, and what to do', () => {
  const html = render('Connection refused.');
  expect(html).toContain(title);
  expect(html).toContain('<p>Connection refused.</p>');
  expect(html).toContain('Perpdesk retries automatically.');
});

it('does not repeat the title as the detail', () => {
  expect(render(title).split(title)).toHaveLength(2);
});
