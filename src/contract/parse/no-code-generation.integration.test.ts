import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Parses valid and invalid responses of every endpoint while code generation from text is disabled, as on the page. */
const PROGRAM = `
  import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
  import { createParser } from '#contract/parse/parse.ts';
  import { sampleResponses } from '#testing/sample-responses.ts';

  let forbidden = false;
  try { new Function('return 1')(); } catch { forbidden = true; }
  const parsed = ENDPOINT_NAMES.filter((name) => {
    const parser = createParser(ENDPOINTS[name].response);
    const text = JSON.stringify(sampleResponses[name]);
    parser.strict(text);
    return parser.tolerant(text).deviations.length === 0 && parser.tolerant('{"data":[{}],"pagination":{}}').deviations.length > 0;
  });
  console.log(JSON.stringify({ forbidden, failed: ENDPOINT_NAMES.filter((name) => !parsed.includes(name)), count: parsed.length }));
`;

test('responses are parsed without generating code from text, which the page’s content security policy forbids', async () => {
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await run(process.execPath, flags, { cwd: new URL('../../..', import.meta.url) });
  expect(JSON.parse(stdout)).toEqual({ forbidden: true, failed: [], count: 12 });
});
