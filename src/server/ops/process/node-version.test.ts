import { expect, it } from 'vitest';
import { nodeVersionProblem } from './settings.ts';

it.each(['24.0.0', '24.21.0', '25.1.0', '100.0.0'])('Node.js %s is supported', (version) => {
  expect(nodeVersionProblem(version)).toBeUndefined();
});

it.each(['23.11.1', '22.18.0', '20.20.2', '9.0.0'])(
  'Node.js %s is rejected with one sentence that names it',
  (version) => {
    expect(nodeVersionProblem(version)).toMatch(
      new RegExp(`^Node\\.js 24 or newer is required; this is ${version}\\. [^\n]+$`),
    );
  },
);
