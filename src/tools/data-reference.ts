import {
  CSV_COLUMNS,
  INDICATOR_COLUMNS,
  POINT_COLUMNS,
  RENAMED_COLUMNS,
  SOURCE_COLUMNS,
  SOURCE_PREFIXES,
  WINDOW_COLUMNS,
} from '#contract/desk/csv-columns.ts';

const INTRODUCTION = `# Saved files

The CSV files of the screens, and \`rows.csv\` in [evidence](evidence.md), have these columns. A name has the same meaning in every file.

- Files are UTF-8 and follow RFC 4180. An empty cell means that there is no value, never zero.
- **Times** are UTC with nine fractional digits, \`2026-11-18T00:00:00.000000000Z\`, whatever they come from: equal times are equal texts,
  so that files join. \`pd.to_datetime(column)\` reads them. Dates are \`2026-11-18\`, the session in Chicago.
- **Units** end the name: \`_usd\`, \`_ticks\`, \`_contracts\`, \`_percent\`, \`_s\` (seconds), \`_ms\`, \`_at\` (a time), \`_date\`. A \`_fraction\` is
  not in percent: 0.0001 is 0.01 %, or 1 bp. A plural, such as \`orders\`, is a count.
- **Digits** are as received, or exact. What is computed by division has 15 significant digits.
- **Signs** of rates are those of \`position_side\`. Counts do not depend on it.
- **IDs and codes** of orders, accounts, firms and connections begin with an apostrophe, so that spreadsheets keep their digits; other
  texts do so only if a spreadsheet would take them for a formula. Remove it to join them with other data.
- *Figures only* leaves out where a row comes from and the values as received.

Names of fields in responses of the API are those of its [documents](api.md), and do not follow these.
`;

const SOURCE_NOTE =
  `Every row has them, because a file outlives its page. If it has several sources, the name of each stands before them: ` +
  `${SOURCE_PREFIXES.map((prefix) => `\`${prefix}_\``).join(', ')}.`;
const RAW_NOTE = 'Before another name, `_raw` stands at its end for the same figure as received.';
const WINDOW_NOTE = 'The name of the window follows: `_24h`, `_7d`, `_30d`, `_90d`, `_1y` or `_custom`.';
const INDICATOR_NOTE =
  '`…` stands for their parameters, as in `sma_20_usd`. Indicators of prices are computed over the whole history of the ' +
  'product, so a bar has the same ones whatever the range.';
const POINT_NOTE = 'The point of the funding interval follows, in percent of the interval: `_point_50`.';

/** Generates docs/data.md. */
export function writeDataReference(): string {
  const sections = [
    ...Object.entries(CSV_COLUMNS).map(([title, columns]) => toSection(title, columns)),
    toSection('Provenance', SOURCE_COLUMNS, `${SOURCE_NOTE} ${RAW_NOTE}`),
    toSection('Indicators of a chart', INDICATOR_COLUMNS, INDICATOR_NOTE),
    toSection('Funding over a window', WINDOW_COLUMNS, WINDOW_NOTE, '_…'),
    toSection('Predicted rates at a point', POINT_COLUMNS, POINT_NOTE, '_point_…'),
    toRenamed(),
  ];
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

function toSection(title: string, columns: Readonly<Record<string, string>>, note = '', suffix = ''): string {
  const rows = Object.entries(columns).map(([name, meaning]) => `| \`${name}${suffix}\` | ${meaning} |`);
  return [`## ${title}`, '', ...(note === '' ? [] : [note, '']), '| Column | Meaning |', '|---|---|', ...rows, ''].join(
    '\n',
  );
}

function toRenamed(): string {
  const rows = Object.entries(RENAMED_COLUMNS).flatMap(([screen, columns]) =>
    Object.entries(columns).map(
      ([old, now]) =>
        `| ${screen} | \`${old}\` | ${now === null ? 'gone: the names of the columns say it' : `\`${now}\``} |`,
    ),
  );
  return [
    '## Old names',
    '',
    'Version 0.1 had other names; the values are the same, apart from the format of times. `…` stands for any text. Find columns by name:',
    'their order has changed.',
    '',
    '| Files of | Old | New |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
