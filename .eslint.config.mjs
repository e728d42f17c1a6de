import { relative } from 'node:path';
import { defineConfig } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const tests = ['**/*.test.{ts,tsx}', '**/*.test-d.ts', '**/*.spec.ts', 'src/testing/**'];
const configurations = ['*.config.{ts,mjs}', '.*.mjs', 'e2e/{playwright.config,collected-lists}.ts'];
const logic = ['src/contract/**', 'src/domain/**', 'src/gateway/**', 'src/venue/**'];
// Entries, and the files that deal with real sockets and the real clock on behalf of the others.
const notLogic = ['**/main.ts', '**/*.test.{ts,tsx}', 'src/{gateway/process,venue}/real-ports.ts', 'src/gateway/http/{server,tls-server,plain-error}.ts'];
const kebabCase = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;

/**
 * A plugin would bring thirty rules and their dependencies for this one line.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const kebabCaseFiles = {
  create: (context) => ({
    Program(node) {
      const path = relative(context.cwd, context.filename);
      const odd = path.split('/').find((part) => !kebabCase.test(part));
      if (odd !== undefined) context.report({ node, message: `"${odd}" is not kebab-case.` });
    },
  }),
};

/** @type {import('eslint').Rule.RuleModule} */
const describedDisables = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const bare = /^\s*eslint-(disable|enable)/.test(comment.value) && !/\s-{2,}\s+\S{3}/.test(comment.value);
        if (bare && comment.loc) context.report({ loc: comment.loc, message: 'Say why the rule does not hold here: "-- reason".' });
      }
    },
  }),
};

/** Texts whose order as texts is not the order of what they name, and what orders them instead. */
const orderedBy = new Map([
  ['OrderId', 'compareOrderIds'],
  ['AckId', 'compareOrderIds'],
  ['Instant', 'compareInstants'],
]);

/**
 * @typedef {object} TypeServices
 * @property {import('typescript').Program} program
 * @property {ReadonlyMap<object, import('typescript').Node>} esTreeNodeToTSNodeMap
 */

/**
 * The compiler lets any two texts be compared: "9" < "10" is false, and an instant with fewer digits is none the later.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const noTextOrder = {
  create: (context) => ({
    BinaryExpression({ operator, left, right }) {
      if (!/^[<>]=?$/.test(operator)) return;
      /** @type {unknown} */
      const services = context.sourceCode.parserServices;
      const { program, esTreeNodeToTSNodeMap } = /** @type {TypeServices} */ (services);
      const checker = program.getTypeChecker();
      for (const node of [left, right]) {
        const tsNode = esTreeNodeToTSNodeMap.get(node);
        const name = tsNode && checker.getTypeAtLocation(tsNode).aliasSymbol?.name;
        const compare = orderedBy.get(name ?? '');
        if (compare !== undefined) context.report({ node, message: `${name ?? ''}: compare by ${compare}, not as texts.` });
      }
    },
  }),
};

const clock = 'Logic takes its clock as an argument, so that tests own the time.';
const random = 'Logic takes its random source as an argument, so that tests own the dice.';
const timers = ['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame', 'requestIdleCallback'];
const environment = 'Only an entry file reads the environment; everything else gets its settings as arguments.';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: one name from definition to use.',
};
const noClock = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
  { selector: "CallExpression[callee.name='Date']", message: clock },
];

export default defineConfig(
  { ignores: ['dist/', 'e2e/artifacts/', '**/node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { house: { rules: { 'kebab-case-files': kebabCaseFiles, 'described-disables': describedDisables, 'no-text-order': noTextOrder } } },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'house/kebab-case-files': 'error',
      'house/described-disables': 'error',
      'house/no-text-order': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Object types may be written either way; which one reads better depends on the type.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // tsconfig's noPropertyAccessFromIndexSignature asks for the opposite, and is the stricter of the two.
      '@typescript-eslint/dot-notation': 'off',
      // There are no enums: tsconfig's erasableSyntaxOnly forbids them. To look for them in every assignment is a tenth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Of classes there are errors, caught by `instanceof`, and a few that stand behind an interface: an eighth of the time, for nothing found.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'no-restricted-syntax': ['error', noDefaultExport],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: environment }],
      eqeqeq: 'error',
      complexity: ['error', 13],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 60],
    },
  },
  {
    files: ['**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', 100] },
  },
  {
    files: ['src/ui/**', 'src/views/**', 'src/app/**', 'src/api/**'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    files: ['src/views/**/*-screen.tsx'],
    rules: {
      'no-restricted-imports': ['error', { name: '#ui/time/use-now.tsx', importNames: ['useNow'], message: 'It would render the whole screen every second: let a small component of it show the age.' }],
    },
  },
  {
    files: logic,
    ignores: notLogic,
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, ...noClock],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: environment },
        { object: 'Date', property: 'now', message: clock },
        { object: 'performance', property: 'now', message: clock },
        { object: 'Math', property: 'random', message: random },
        { object: 'crypto', property: 'randomUUID', message: random },
        { object: 'crypto', property: 'getRandomValues', message: random },
      ],
      'no-restricted-imports': ['error', ...['node:timers', 'node:timers/promises'].map((name) => ({ name, message: clock }))],
      'no-restricted-globals': ['error', ...timers.map((name) => ({ name, message: clock }))],
    },
  },
  {
    files: ['src/serve.ts', 'src/gateway/{doctor,health,backup,restore,export-journal,user,audit}.ts', '**/main.ts', 'src/app/env.ts', 'src/cli/**', 'src/tools/**', 'e2e/**', ...tests, ...configurations],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: tests,
    rules: {
      'max-lines': ['error', 400],
      // A describe block is one function; its length says nothing about the tests in it.
      'max-lines-per-function': 'off',
    },
  },
  {
    files: configurations,
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.generated.ts'],
    rules: { complexity: 'off', 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
);
