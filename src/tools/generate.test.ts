import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GENERATED_FILES } from './generate.ts';

test.each(GENERATED_FILES)('$path is what the generator writes', ({ path, write }) => {
  expect(readFileSync(path, 'utf8'), `${path} is out of date: run "npm run generate" and commit it`).toBe(write());
});
