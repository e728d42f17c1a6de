// Which folder may import which. An import that is not listed here is forbidden.

const test = '\\.test(-d)?\\.tsx?$';

/**
 * @typedef {object} Room
 * @property {string} path its files
 * @property {readonly string[]} mayImport our files that it may import, besides its own
 * @property {string} why
 */

const contract = '^src/contract/';
const domain = '^src/domain/';
const api = '^src/api/';
const ui = '^src/ui/';
const panels = '^src/panels/';
const views = '^src/views/';
const app = '^src/app/';
const evidence = '^src/evidence/';
const files = '^src/files/';
const sql = '^src/sql/';
const gateway = '^src/gateway/';
const rules = '^src/gateway/rules/';
const venue = '^src/venue/';
const serve = '^src/serve[.]';
/** Component tests are drawn from the screens, and their answers recorded from exchange and gateway. */
const component = '^src/testing/component/';
const testing = '^src/testing/(?!component/)';
const tools = '^src/tools/';
const cli = '^src/cli/';
const bench = '^e2e/bench/';
const e2e = '^e2e/(?!bench/)';
/** A grid on a page of its own, which the grid’s benchmark and its browser tests share. */
const gridPage = '^e2e/bench/grid/alone/';
const formatting = '^src/domain/format/';

/** @type {Readonly<Record<string, Room>>} */
const rooms = {
  contract: {
    path: contract,
    mayImport: [],
    why: 'Browser, gateway and venue are all built on the contract, so it knows none of them.',
  },
  domain: {
    path: domain,
    mayImport: [contract],
    why: 'The domain is pure arithmetic over the contract: it must run, and be tested, without page, network or server.',
  },
  api: {
    path: api,
    mayImport: [contract, domain],
    why: 'The API client requests and parses; what a screen does with the rows is not its business.',
  },
  ui: {
    path: ui,
    mayImport: [formatting],
    why: 'The design kit knows no exchange: from the domain it may import formatting, nothing else.',
  },
  panels: {
    path: panels,
    mayImport: [contract, domain, api, ui],
    why: 'Panels join the design kit with the API client: age, errors and deviations, the same on every screen; they know no screen.',
  },
  views: {
    path: views,
    mayImport: [contract, domain, api, ui, panels],
    why: 'A screen is built from panels, the design kit, the domain and the API client; only the app knows which screens there are.',
  },
  app: {
    path: app,
    mayImport: [contract, domain, api, ui, panels, views],
    why: 'The app puts the browser side together; the server side reaches it through HTTP only.',
  },
  evidence: {
    path: evidence,
    mayImport: [contract, domain, api, ui, panels, views, files],
    why: 'The check of evidence computes with the code of the screens, outside of a page, and needs no running Perpdesk.',
  },
  files: {
    path: files,
    mayImport: [],
    why: 'Who may access files is decided once, for every program that writes any.',
  },
  sql: {
    path: sql,
    mayImport: [files],
    why: 'The databases are below gateway and venue, which both store through them: they know neither.',
  },
  gateway: {
    path: '^src/gateway/(?!rules/)',
    mayImport: [contract, files, sql, rules],
    why: 'The gateway works from the endpoint table alone, so a new endpoint needs no line in it.',
  },
  rules: {
    path: rules,
    mayImport: [contract, domain, sql, gateway],
    why: 'Rules say what screens show, so they compute it by the same arithmetic; the rest of the gateway has no part in it.',
  },
  venue: {
    path: venue,
    mayImport: [contract, files, sql],
    why: "The venue is the oracle for the client's arithmetic: if both called the same function, one bug would hide on both sides.",
  },
  serve: {
    path: serve,
    mayImport: [gateway, venue, contract, files],
    why: 'The one server-side composer joins gateway and venue; the app reaches it as built files, not as modules.',
  },
  testing: {
    path: testing,
    mayImport: [contract, domain, api, sql, gateway, venue, cli],
    why: 'Fixtures and conformance suites exercise the parts below the screens; screens are tested in their own folder and end to end.',
  },
  component: {
    path: component,
    mayImport: [contract, domain, api, ui, panels, views, app, gateway, venue, testing],
    why: 'Component tests draw the app on answers recorded from exchange and gateway; nothing else may build on them.',
  },
  cli: {
    path: cli,
    mayImport: [],
    why: 'The command starts the programs of Perpdesk as processes: it must run on any Node.js, with nothing loaded.',
  },
  tools: {
    path: tools,
    mayImport: [contract, cli],
    why: 'The commands work on the repository and the contract; they are never part of the product.',
  },
  e2e: {
    path: e2e,
    mayImport: [contract, testing, gridPage],
    why: 'Browser tests see the product as a user does, through HTTP and the page, never through its modules.',
  },
  bench: {
    path: bench,
    mayImport: [contract, domain, api, ui, panels, views, app, gateway, testing, tools, cli, '^e2e/[^/]+[.]ts$'],
    why: 'A benchmark may measure any module; the venue and the server it measures as processes, as they are deployed.',
  },
};

const serverSide = [
  files,
  sql,
  gateway,
  venue,
  serve,
  evidence,
  testing,
  component,
  tools,
  cli,
  '^e2e/',
  '^vite(st)?[.]config[.]ts$',
];

/** A test may use what its folder may use, plus the fixtures. */
const walls = Object.entries(rooms).flatMap(([name, { path, mayImport, why }]) => [
  {
    name: `${name}-wall`,
    comment: why,
    severity: /** @type {const} */ ('error'),
    from: { path, pathNot: test },
    to: { path: '^(src|e2e)/', pathNot: [path, ...mayImport] },
  },
  {
    name: `${name}-tests-wall`,
    comment: `A test may import what its folder may, plus src/testing. ${why}`,
    severity: /** @type {const} */ ('error'),
    from: { path: `${path}.*${test}` },
    to: { path: '^(src|e2e)/', pathNot: [path, ...mayImport, testing, component] },
  },
]);

/** What all rooms of the gateway share: its files outside of any room, except those that put the rooms together. */
const gatewayShared =
  '^src/gateway/(?!(create-gateway|create-handler|oidc-routes|open-desk|control-commands|main|doctor|health|backup|restore|export-journal|user|audit|with-access)[.])[^/]+[.]ts$';

/** @param {string} name @param {readonly string[]} others rooms that it may import @param {string} why */
const gatewayRoom = (name, others, why) => ({
  path: `^src/gateway/${name}/`,
  mayImport: others.map((other) => `^src/gateway/${other}/`),
  why,
});

const gatewayRooms = {
  'shared': { path: gatewayShared, mayImport: [], why: 'What all rooms share must not depend on one of them.' },
  'store': gatewayRoom(
    'store',
    [],
    'The store is one database for all rooms: it knows the tables, and nothing of what they are for.',
  ),
  'access': gatewayRoom('access', ['store'], 'Who may use a desk is decided whatever they use it for.'),
  'journal': gatewayRoom(
    'journal',
    ['store'],
    'The journal records readings of orders, whoever made them and whatever for.',
  ),
  'journal-export': gatewayRoom(
    'journal-export',
    [],
    'The export is a client of a Perpdesk that runs: its store is open there.',
  ),
  'saved': gatewayRoom(
    'saved',
    ['store'],
    'What people save is text of theirs: nothing of what a desk reads or decides depends on it.',
  ),
  'control': gatewayRoom(
    'control',
    ['http'],
    'The control socket passes commands on: it knows none of the rooms that perform them.',
  ),
  'backup': gatewayRoom(
    'backup',
    ['control'],
    'A backup copies files, whatever is in them; of a Perpdesk that runs, it requests the copies.',
  ),
  'calls': gatewayRoom('calls', ['store'], 'Calls are delivered, whatever they are about and whoever raised them.'),
  'rules': gatewayRoom(
    'rules',
    ['store', 'journal', 'calls'],
    'Rules are evaluated on what topics and the journal show, whoever reads them.',
  ),
  'cache': gatewayRoom(
    'cache',
    ['store'],
    'The cache stores responses, whoever requests them and wherever they come from.',
  ),
  'rate-limit': gatewayRoom('rate-limit', ['store'], 'The rate limiter grants permits, whatever they are used for.'),
  'upstream': gatewayRoom(
    'upstream',
    [],
    'The client of the exchange knows nothing of the requests that Perpdesk itself serves.',
  ),
  'http': gatewayRoom(
    'http',
    [],
    'The HTTP side reaches cache and exchange only through the interfaces that the composer passes to it.',
  ),
  'static': gatewayRoom('static', ['http'], 'The built app is files over HTTP: it needs neither cache nor exchange.'),
  'desk-api': gatewayRoom(
    'desk-api',
    ['cache', 'calls', 'rate-limit', 'http', 'store', 'journal'],
    'Composed responses read through the cache, never from the exchange itself.',
  ),
  'live': gatewayRoom(
    'live',
    ['http', 'desk-api'],
    'A topic is read as a page reads it: by the composed responses and through the cache.',
  ),
  'process': gatewayRoom(
    'process',
    [],
    'Settings, log and signals belong to the process: only the entry files pass them to the rooms.',
  ),
};

const gatewayWalls = Object.entries(gatewayRooms).map(([name, { path, mayImport, why }]) => ({
  name: `gateway-${name}-wall`,
  comment: why,
  severity: /** @type {const} */ ('error'),
  from: { path, pathNot: test },
  to: { path: '^src/gateway/', pathNot: [path, gatewayShared, ...mayImport] },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  ...gatewayWalls,
  ...walls,
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
    name: 'view-knows-no-other-view',
    comment:
      'Screens stay independent, so that one can be changed or removed alone; what two share moves down to panels, ui or domain.',
    severity: 'error',
    from: { path: '^src/views/([^/]+)/' },
    to: { path: views, pathNot: '^src/views/$1/' },
  },
  {
    name: 'screens-neither-parse-nor-sign',
    comment:
      'A screen shows parsed rows: it may use types and constants of the contract, but only api parses responses and only the gateway signs.',
    severity: 'error',
    from: { path: [views, panels], pathNot: test },
    to: { path: '^src/contract/(parsing|signing)[/.]', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'node-only-on-the-server-side',
    comment:
      'Browser code and the rooms both sides share must run without Node; only server code, tools and tests may import its modules.',
    severity: 'error',
    from: { pathNot: [...serverSide, test] },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'react-only-on-the-page',
    comment:
      'React belongs to ui, panels, views and app, and to src/api/react/, which binds api to it, so that the rest runs anywhere.',
    severity: 'error',
    from: { pathNot: [ui, panels, views, app, component, bench, '^src/api/react/'] },
    to: { path: '^node_modules/(react|react-dom|@types/react|@types/react-dom)/' },
  },
  {
    name: 'no-development-package-in-the-product',
    comment: 'What ships may use only what is under "dependencies": development packages are for tools and tests.',
    severity: 'error',
    from: { path: '^src/', pathNot: [tools, testing, component, test] },
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
