import { writeFileSync } from 'node:fs';
import { writeOpenApi } from './openapi-document.ts';
import { findLintProblems } from './openapi-lint.ts';

const PATH = 'public/openapi.json';

const source = writeOpenApi();
writeFileSync(PATH, source);
console.log(`wrote ${PATH}`);

const problems = await findLintProblems(source);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'lint: clean' : `lint: ${String(problems.length)} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
