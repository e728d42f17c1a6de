// Which folder may import which. An import that is not listed here is forbidden.

const test = '\\.test(-d)?\\.tsx?$';

/**
 * @typedef {object} Room
 * @property {string} path its files
 * @property {readonly string[]} mayImport our files that it may import, besides its own
 * @property {string} why
 */

const contract = '^src/contract/';
const model = '^src/model/';
const client = '^src/page/client/';
const kit = '^src/page/kit/';
const panels = '^src/page/panels/';
const screens = '^src/page/screens/';
const shell = '^src/page/shell/';
const server = '^src/server/';
const core = '^src/server/core/';
const store = '^src/server/store/';
const web = '^src/server/web/';
const proxy = '^src/server/proxy/';
const people = '^src/server/people/';
const journal = '^src/server/journal/';
const alerts = '^src/server/alerts/';
const readings = '^src/server/readings/';
const push = '^src/server/push/';
const ops = '^src/server/ops/';
const main = '^src/server/main/';
const databases = '^src/(files|sql)/';
const serve = '^src/serve[.]';
const desks = '^src/desks/';
const evidence = '^src/evidence/';
const venue = '^src/venue/(?!conformance/)';
const conformance = '^src/venue/conformance/';
/** Component tests are drawn from the screens, and their answers recorded from exchange and server. */
const component = '^src/testing/component/';
const testing = '^src/testing/(?!component/)';
const tools = '^src/tools/';
const cli = '^src/cli/';
/** Launcher and server judge the file of settings by one rule. */
const settingsFile = '^src/cli/settings-file[.]mjs$';
const bench = '^e2e/bench/';
const e2e = '^e2e/(?!bench/)';
/** A grid on a page of its own, which the grid’s benchmark and its browser tests share. */
const gridPage = '^e2e/bench/grid/alone/';

/** @type {Readonly<Record<string, Room>>} */
const rooms = {
  contract: {
    path: contract,
    mayImport: [],
    why: 'Page, server and venue are all built on the contract, so it knows none of them.',
  },
  model: {
    path: model,
    mayImport: [contract],
    why: 'The model is pure: it must run, and be tested, without page, network or server.',
  },
  client: {
    path: client,
    mayImport: [contract, model],
    why: 'The client requests and parses; what a screen does with the rows is not its business.',
  },
  kit: {
    path: kit,
    // Only what is in these folders themselves: below them are the tables and charts of the screens.
    mayImport: ['^src/model/(format|tables|charts)/[^/]+$'],
    why: 'The design kit knows no exchange: from the model it may import formatting, and what a table or chart is.',
  },
  panels: {
    path: panels,
    mayImport: [contract, model, client, kit],
    why: 'Panels join the design kit with the client: age, errors and deviations, the same on every screen; they know no screen.',
  },
  screens: {
    path: screens,
    mayImport: [contract, model, client, kit, panels],
    why: 'A screen is built from panels, the design kit, the model and the client; only the shell knows which screens there are.',
  },
  shell: {
    path: shell,
    mayImport: [contract, model, client, kit, panels, screens],
    why: 'The shell puts the page together; the server reaches it through HTTP only.',
  },
  core: {
    path: core,
    mayImport: [contract],
    why: 'What all rooms of the server share must not depend on one of them.',
  },
  store: {
    path: store,
    mayImport: [core, databases],
    why: 'The store is one database for all rooms: it knows the tables, and nothing of what they are for.',
  },
  web: {
    path: web,
    mayImport: [contract, core],
    why: 'The HTTP side reaches everything else only through the routes that main passes to it.',
  },
  proxy: {
    path: proxy,
    mayImport: [contract, core, store, web, databases],
    why: 'The signing proxy works from the endpoint table alone, so a new endpoint needs no line in it.',
  },
  people: {
    path: people,
    mayImport: [contract, core, store, databases],
    why: 'Who may use Perpdesk is decided whatever they use it for.',
  },
  journal: {
    path: journal,
    mayImport: [contract, core, store, databases],
    why: 'The journal records readings of orders, whoever made them and whatever for.',
  },
  alerts: {
    path: alerts,
    mayImport: [contract, model, core, store, journal, databases],
    why: 'Rules say what screens show, so they compute it by the same model, on whatever topics and the journal show.',
  },
  readings: {
    path: readings,
    mayImport: [contract, core, store, web, proxy, journal, alerts, databases],
    why: 'Composed responses read through the proxy’s cache, never from the exchange itself.',
  },
  push: {
    path: push,
    mayImport: [contract, core, store, web, readings, databases],
    why: 'A topic is read as a page reads it: by the composed responses and through the cache. Desks pass it on in the store.',
  },
  ops: {
    path: ops,
    mayImport: [contract, core, web, databases, settingsFile],
    why: 'Settings, signals, backups and the control socket belong to the process: only main passes them to the rooms.',
  },
  main: {
    path: main,
    mayImport: [contract, server, databases],
    why: 'Main puts the server together; the page reaches it through HTTP only.',
  },
  databases: {
    path: databases,
    mayImport: [],
    why: 'Databases and private files are below server and venue, which both store through them: they know neither.',
  },
  serve: {
    path: serve,
    mayImport: [contract, main, ops, venue, databases],
    why: 'This one file joins server and venue in a process.',
  },
  desks: {
    path: desks,
    mayImport: [cli, ops, venue, databases],
    why: 'Several desks run as processes of their own: only the embedded exchange, which they share, is in this one.',
  },
  evidence: {
    path: evidence,
    mayImport: [contract, model, client, '^src/page/panels/evidence/', databases],
    why: 'The check of evidence computes with the model, as the screens do, and needs no running Perpdesk.',
  },
  venue: {
    path: venue,
    mayImport: [contract, databases],
    why: 'The venue is the oracle for the arithmetic of the model: if both called the same function, one bug would hide on both sides.',
  },
  conformance: {
    path: conformance,
    mayImport: [contract, venue, testing],
    why: 'The conformance suite checks any exchange by the contract, through HTTP alone.',
  },
  cli: {
    path: cli,
    mayImport: [],
    why: 'The command starts the programs of Perpdesk as processes: it must run on any Node.js, with nothing loaded.',
  },
  tools: {
    path: tools,
    mayImport: [contract, cli],
    why: 'The npm commands work on the repository and the contract; they are never part of the product.',
  },
  testing: {
    path: testing,
    mayImport: [contract, model, client, server, venue, conformance, cli, desks, databases],
    why: 'What tests share exercises the parts below the screens, which are tested in their own folder and end to end.',
  },
  component: {
    path: component,
    mayImport: [contract, model, '^src/page/', server, venue, conformance, testing],
    why: 'Component tests draw the app on answers recorded from exchange and server; nothing else may build on them.',
  },
  e2e: {
    path: e2e,
    mayImport: [contract, conformance, testing, gridPage],
    why: 'Browser tests see the product as a user does, through HTTP and the page, never through its modules.',
  },
  bench: {
    path: bench,
    mayImport: [contract, model, '^src/page/', server, conformance, testing, tools, cli, '^e2e/[^/]+[.]ts$'],
    why: 'A benchmark may measure any module; the venue and the server it measures as processes, as they are deployed.',
  },
};

const withNode = [
  databases,
  server,
  venue,
  conformance,
  serve,
  desks,
  evidence,
  testing,
  component,
  tools,
  cli,
  '^e2e/',
  '^vite(st)?[.]config[.]ts$',
];

/** Tests of page and server cross the rooms of their program; all others keep to what their room may import. */
const walls = Object.entries(rooms).map(([name, { path, mayImport, why }]) => {
  const isOfProgram = /^\^src\/(page|server)\//.test(path);
  return {
    name: `${name}-wall`,
    comment: why,
    severity: /** @type {const} */ ('error'),
    from: isOfProgram ? { path, pathNot: test } : { path },
    to: { path: '^(src|e2e)/', pathNot: [path, ...mayImport, ...(isOfProgram ? [] : [testing])] },
  };
});

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  ...walls,
  {
    name: 'tests-of-page-and-server',
    comment: 'Their tests may import any room of their program, what it stands on, and what tests share.',
    severity: 'error',
    from: { path: `^src/(page|server)/.*${test}` },
    to: {
      path: '^(src|e2e)/',
      pathNot: ['^src/$1/', contract, model, databases, conformance, testing, component],
    },
  },
  {
    name: 'testing-only-in-tests',
    comment: 'What only tests need is no part of the product.',
    severity: 'error',
    from: { path: '^src/(?!testing/|venue/conformance/)', pathNot: test },
    to: { path: '^src/testing/' },
  },
  {
    name: 'every-file-in-a-room',
    comment:
      'A file outside the rooms would escape every wall; give it a room, or give the new room its row in this file.',
    severity: 'error',
    from: { path: '^src/', pathNot: Object.values(rooms).map((room) => room.path) },
    to: {},
  },
  {
    name: 'only-into-a-room',
    comment:
      'A file outside the rooms would escape every wall; give it a room, or give the new room its row in this file.',
    severity: 'error',
    from: {},
    to: { path: '^src/', pathNot: Object.values(rooms).map((room) => room.path) },
  },
  {
    name: 'screen-knows-no-other-screen',
    comment:
      'Screens stay independent, so that one can be changed or removed alone; what two share moves down to panels, kit or model.',
    severity: 'error',
    from: { path: '^src/page/screens/([^/]+)/' },
    to: { path: screens, pathNot: '^src/page/screens/$1/' },
  },
  {
    name: 'screens-neither-parse-nor-sign',
    comment:
      'A screen shows parsed rows: it may use types and constants of the contract, but only the client parses responses and only the proxy signs.',
    severity: 'error',
    from: { path: [screens, panels], pathNot: test },
    to: { path: '^src/contract/(parse/|exchange/signing[.])', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'node-only-on-the-server-side',
    comment:
      'The page and the rooms both sides share must run without Node; only the server, tools and tests may import its modules.',
    severity: 'error',
    from: { pathNot: [...withNode, test] },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'react-only-on-the-page',
    comment:
      'React belongs to the page, and there not to the client but for client/react/, so that the rest runs anywhere.',
    severity: 'error',
    from: { pathNot: [kit, panels, screens, shell, component, bench, '^src/page/client/react/'] },
    to: { path: '^node_modules/(react|react-dom|@types/react|@types/react-dom)/' },
  },
  {
    name: 'no-development-package-in-the-product',
    comment: 'What ships may use only what is under "dependencies": development packages are for tools and tests.',
    severity: 'error',
    from: { path: '^src/', pathNot: [tools, testing, component, conformance, test] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'not-to-unresolvable',
    comment: 'An import that resolves to nothing hides which wall it crosses.',
    severity: 'error',
    from: { pathNot: bench },
    to: { couldNotResolve: true },
  },
  {
    name: 'bench-not-to-unresolvable',
    comment:
      'An import that resolves to nothing hides which wall it crosses; only the packages that benchmarks compare with need not be installed.',
    severity: 'error',
    from: { path: bench },
    to: { couldNotResolve: true, path: '^[.#]' },
  },
  {
    name: 'no-cycles',
    comment: 'Files in a circle can only be understood, tested and loaded together.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'A file that nothing imports and that imports nothing is left over, or is missing from its composer.',
    severity: 'error',
    from: { orphan: true, pathNot: ['[.]d[.]ts$', test, serve, '^e2e/'] },
    to: {},
  },
  {
    name: 'nothing-imports-a-test',
    comment: 'What two tests share goes to src/testing; importing a test would run it twice.',
    severity: 'error',
    from: {},
    to: { path: [test, '[.]spec[.]ts$'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden,
  options: {
    // Without this an `import type` across a wall is not seen at all.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|e2e/artifacts)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

export default configuration;
