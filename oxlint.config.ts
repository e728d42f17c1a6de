import { defineConfig } from 'oxlint';

const tests = ['**/*.test.{ts,tsx}', '**/*.test-d.ts', '**/*.spec.ts', 'src/testing/**', 'src/venue/conformance/**'];
const configurations = [
  '*.config.{ts,mjs}',
  '.*.mjs',
  'src/tools/lint-rules.ts',
  'e2e/{playwright.config,desks-built}.ts',
];
const logic = ['src/contract/**', 'src/model/**', 'src/server/**', 'src/venue/**'];
// Entries, and the files that deal with real sockets and the real clock on behalf of the others.
const notLogic = [
  '**/main.ts',
  '**/*.test.{ts,tsx}',
  'src/venue/conformance/**',
  'src/{server/ops/process,venue}/real-ports.ts',
  'src/server/web/{connections,server,error-responses}.ts',
];

const clock = 'Logic takes its clock as an argument, so that tests own the time.';
const random = 'Logic takes its random source as an argument, so that tests own the dice.';
const environment = {
  object: 'process',
  property: 'env',
  message: 'Only an entry file reads the environment; everything else gets its settings as arguments.',
};
const timers = ['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame', 'requestIdleCallback'];

/**
 * The presets "strict" and "stylistic" of typescript-eslint, with types, and a few more. Not among them, `prefer-optional-chain`: here
 * it also reports tests of an optional row and its nullable field, which no chain can express.
 */
const typescript = [
  'adjacent-overload-signatures',
  'array-type',
  'await-thenable',
  'ban-tslint-comment',
  'class-literal-property-style',
  'consistent-generic-constructors',
  'consistent-indexed-object-style',
  'consistent-type-assertions',
  'consistent-type-imports',
  'no-array-constructor',
  'no-array-delete',
  'no-base-to-string',
  'no-confusing-non-null-assertion',
  'no-confusing-void-expression',
  'no-deprecated',
  'no-duplicate-enum-values',
  'no-duplicate-type-constituents',
  'no-dynamic-delete',
  'no-empty-function',
  'no-empty-object-type',
  'no-explicit-any',
  'no-extra-non-null-assertion',
  'no-extraneous-class',
  'no-floating-promises',
  'no-for-in-array',
  'no-generated-empty-object-type',
  'no-implied-eval',
  'no-import-type-side-effects',
  'no-inferrable-types',
  'no-invalid-void-type',
  'no-meaningless-void-operator',
  'no-misused-new',
  'no-misused-promises',
  'no-misused-spread',
  'no-mixed-enums',
  'no-namespace',
  'no-non-null-asserted-nullish-coalescing',
  'no-non-null-asserted-optional-chain',
  'no-non-null-assertion',
  'no-redundant-type-constituents',
  'no-require-imports',
  'no-this-alias',
  'no-unnecessary-boolean-literal-compare',
  'no-unnecessary-condition',
  'no-unnecessary-template-expression',
  'no-unnecessary-type-arguments',
  'no-unnecessary-type-assertion',
  'no-unnecessary-type-constraint',
  'no-unnecessary-type-conversion',
  'no-unnecessary-type-parameters',
  'no-unsafe-argument',
  'no-unsafe-assignment',
  'no-unsafe-call',
  'no-unsafe-declaration-merging',
  'no-unsafe-enum-comparison',
  'no-unsafe-function-type',
  'no-unsafe-member-access',
  'no-unsafe-return',
  'no-unsafe-unary-minus',
  'no-unused-expressions',
  'no-unused-vars',
  'no-useless-constructor',
  'no-useless-default-assignment',
  'no-wrapper-object-types',
  'non-nullable-type-assertion-style',
  'only-throw-error',
  'prefer-as-const',
  'prefer-find',
  'prefer-for-of',
  'prefer-function-type',
  'prefer-includes',
  'prefer-literal-enum-member',
  'prefer-namespace-keyword',
  'prefer-nullish-coalescing',
  'prefer-promise-reject-errors',
  'prefer-reduce-type-parameter',
  'prefer-regexp-exec',
  'prefer-return-this-type',
  'prefer-string-starts-ends-with',
  'related-getter-setter-pairs',
  'require-await',
  'triple-slash-reference',
  'unbound-method',
  'unified-signatures',
  'use-unknown-in-catch-callback-variable',
];

/** React's own rules. */
const react = [
  'error-boundaries',
  'exhaustive-deps',
  'globals',
  'immutability',
  'incompatible-library',
  'preserve-manual-memoization',
  'purity',
  'refs',
  'rules-of-hooks',
  'set-state-in-effect',
  'set-state-in-render',
  'static-components',
  'unsupported-syntax',
  'use-memo',
  'void-use-memo',
];

function errorsOf(plugin: string, names: readonly string[]): Record<string, 'error'> {
  return Object.fromEntries(names.map((name) => [`${plugin}/${name}`, 'error']));
}

export default defineConfig({
  plugins: ['typescript', 'import', 'react'],
  jsPlugins: ['./src/tools/lint-rules.ts'],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist/', 'e2e/artifacts/', 'public/'],
  rules: {
    ...errorsOf('typescript', typescript),
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/restrict-plus-operands': [
      'error',
      { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
    ],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    ...errorsOf('house', ['described-disables', 'kebab-case-files']),
    ...errorsOf('eslint', ['eqeqeq', 'no-var', 'prefer-const', 'prefer-rest-params', 'prefer-spread']),
    'import/no-default-export': 'error',
    'eslint/no-restricted-properties': ['error', environment],
    'eslint/complexity': ['error', 13],
    // Far from what is usual: nothing is cut in two, or written on fewer lines, for a number.
    'eslint/max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
    'eslint/max-lines-per-function': ['error', { max: 150, skipBlankLines: true, skipComments: true }],
  },
  overrides: [
    { files: ['src/page/**'], rules: errorsOf('react', react) },
    {
      files: ['src/page/screens/**/*-screen.tsx'],
      rules: {
        'eslint/no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: '#page/kit/time/use-now.tsx',
                importNames: ['useNow'],
                message: 'It would render the whole screen every second: let a small component of it show the age.',
              },
            ],
          },
        ],
      },
    },
    {
      files: logic,
      excludeFiles: notLogic,
      rules: {
        'house/no-clock': 'error',
        'eslint/no-restricted-properties': [
          'error',
          environment,
          { object: 'Date', property: 'now', message: clock },
          { object: 'performance', property: 'now', message: clock },
          { object: 'Math', property: 'random', message: random },
          { object: 'crypto', property: 'randomUUID', message: random },
          { object: 'crypto', property: 'getRandomValues', message: random },
        ],
        'eslint/no-restricted-imports': [
          'error',
          { paths: ['node:timers', 'node:timers/promises'].map((name) => ({ name, message: clock })) },
        ],
        'eslint/no-restricted-globals': ['error', ...timers.map((name) => ({ name, message: clock }))],
      },
    },
    {
      files: [
        'src/serve.ts',
        'src/server/main/{doctor,health,backup,restore,export-journal,user,audit}.ts',
        '**/main.ts',
        'src/cli/**',
        'src/tools/**',
        'e2e/**',
        ...tests,
        ...configurations,
      ],
      rules: { 'eslint/no-restricted-properties': 'off' },
    },
    // A describe block is one function; its length says nothing about the tests in it.
    { files: tests, rules: { 'eslint/max-lines-per-function': 'off' } },
    { files: configurations, rules: { 'import/no-default-export': 'off' } },
    {
      files: ['**/*.generated.ts'],
      rules: { 'eslint/complexity': 'off', 'eslint/max-lines': 'off', 'eslint/max-lines-per-function': 'off' },
    },
  ],
});
