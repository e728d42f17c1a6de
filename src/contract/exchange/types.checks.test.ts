import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const typeTests = fileURLToPath(new URL('types.test-d.ts', import.meta.url));
const brands = fileURLToPath(new URL('brand.ts', import.meta.url));

/** An expected error that did not occur. */
const UNUSED_EXPECTATION = 2578;

const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as { config: unknown };
const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, root).options, types: [] };
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles the type tests with a modified `brand.ts`. Counts unexpected errors, and expected errors that did not occur.
 */
function compile(rewriteBrands: (source: string) => string): { readonly unexpected: number; readonly missing: number } {
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version) => {
    if (path === brands) return ts.createSourceFile(path, rewriteBrands(ts.sys.readFile(path) ?? ''), version);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, version));
    return parsed.get(path);
  };
  const program = ts.createProgram([typeTests], options, host);
  const codes = program.getSemanticDiagnostics(program.getSourceFile(typeTests)).map(({ code }) => code);
  const missing = codes.filter((code) => code === UNUSED_EXPECTATION).length;
  return { unexpected: codes.length - missing, missing };
}

test('the type tests pass, and would fail if amounts were plain numbers or branded texts plain strings', () => {
  expect(compile((source) => source)).toEqual({ unexpected: 0, missing: 0 });

  const plainNumbers = compile((source) =>
    source.replace(/export interface OpaqueNumber<[^]*?\n}/, 'export type OpaqueNumber<_ extends string> = number;'),
  );
  expect(plainNumbers.missing).toBeGreaterThanOrEqual(12);

  const plainTexts = compile((source) => source.replace('Base & { readonly [brand]: Name }', 'Base'));
  expect(plainTexts.missing).toBeGreaterThanOrEqual(8);
});
