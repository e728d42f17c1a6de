import { writeFileSync } from 'node:fs';
import { writeDeskOpenApi } from './openapi-desk.ts';
import { writeOpenApi } from './openapi-document.ts';
import { findLintProblems } from './openapi-lint.ts';
import { writeServedOpenApi } from './openapi-served.ts';

const DOCUMENTS = {
  'public/openapi.json': writeServedOpenApi,
  'public/openapi-exchange.json': writeOpenApi,
  'public/openapi-desk.json': writeDeskOpenApi,
};

let count = 0;
for (const [path, write] of Object.entries(DOCUMENTS)) {
  const source = write();
  writeFileSync(path, source);
  console.log(`wrote ${path}`);
  const problems = await findLintProblems(source);
  for (const problem of problems) console.error(`${path}: ${problem}`);
  count += problems.length;
}
console.log(count === 0 ? 'lint: clean' : `lint: ${String(count)} problems`);
process.exitCode = count === 0 ? 0 : 1;
