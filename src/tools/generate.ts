import { writeFileSync } from 'node:fs';
import { writeConfigurationReference } from './configuration-reference.ts';
import { writeDataReference } from './data-reference.ts';
import { writeExactChecks } from './exact-checks.ts';
import { writeExpressionReference } from './expression-reference.ts';
import { writeDeskOpenApi } from './openapi-desk.ts';
import { writeOpenApi } from './openapi-document.ts';
import { writeServedOpenApi } from './openapi-served.ts';

/** The files generated from the tables of endpoints, settings and fields. A test fails if one of them is out of date. */
export const GENERATED_FILES = [
  { path: 'src/contract/parse/exact.generated.ts', write: writeExactChecks },
  { path: 'public/openapi.json', write: writeServedOpenApi },
  { path: 'public/openapi-exchange.json', write: writeOpenApi },
  { path: 'public/openapi-desk.json', write: writeDeskOpenApi },
  { path: 'docs/data.md', write: writeDataReference },
  { path: 'docs/configuration.md', write: writeConfigurationReference },
  { path: 'docs/expressions.md', write: writeExpressionReference },
] as const;

if (import.meta.main) {
  for (const { path, write } of GENERATED_FILES) {
    writeFileSync(path, write());
    console.log(`wrote ${path}`);
  }
}
