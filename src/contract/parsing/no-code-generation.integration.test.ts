import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Reads an answer of every endpoint, good and spoilt, where making code from text is forbidden as in the page. */
const PROGRAM = `
  import { ENDPOINT_NAMES, ENDPOINTS } from '../endpoints.ts';
  import { createParser } from './parse.ts';
  import { wireAnswers } from '#testing/sample-responses.ts';

  let forbidden = false;
  try { new Function('return 1')(); } catch { forbidden = true; }
  const read = ENDPOINT_NAMES.filter((name) => {
    const parser = createParser(ENDPOINTS[name].response);
    const text = JSON.stringify(wireAnswers[name]);
    parser.strict(text);
    return parser.tolerant(text).deviations.length === 0 && parser.tolerant('{"data":[{}],"pagination":{}}').deviations.length > 0;
  });
  console.log(JSON.stringify({ forbidden, unread: ENDPOINT_NAMES.filter((name) => !read.includes(name)), count: read.length }));
`;

test('answers are read where no code may be made from text, as under the page’s content security policy', async () => {
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await run(process.execPath, flags, { cwd: new URL('../..', import.meta.url) });
  expect(JSON.parse(stdout)).toEqual({ forbidden: true, unread: [], count: 12 });
});
