import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { readProducts } from './listed-products.ts';
import { openOrders, readWorking, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

const test = withDesk(['--working', '1200']);

test.setTimeout(90_000);

interface Evidence {
  readonly zip: string;
  readonly folder: string;
}

const folders: string[] = [];

test.afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Saves through the open dialog. The zip is unpacked by a different program than the one that checks it. */
async function save(page: Page): Promise<Evidence> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save evidence' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^evidence-[a-z0-9-]+-\d{4}-\d\d-\d\dT\d{6}Z\.zip$/);
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-evidence-'));
  folders.push(folder);
  const zip = join(folder, 'evidence.zip');
  await download.saveAs(zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', zip, folder]);
  await expect(page.getByRole('dialog').getByText('Its SHA-256.')).toBeVisible();
  const [sum = ''] = execFileSync('sha256sum', [zip], { encoding: 'utf8' }).split(' ');
  await expect(page.getByRole('dialog')).toContainText(sum);
  return { zip, folder };
}

function check(zip: string): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/evidence/main.ts', 'check', zip], {
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}

function expectToHold({ zip, folder }: Evidence): void {
  const { code, output } = check(zip);
  expect(output).toContain('Everything holds.');
  expect(output).not.toContain('DOES NOT');
  expect(code).toBe(0);
  execFileSync('sha256sum', ['--strict', '--quiet', '-c', 'sha256sums.txt'], { cwd: folder });
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Returns the file with the response to a request. */
function findAnswer(folder: string, path: string): string {
  const metas = readdirSync(join(folder, 'answers')).filter((name) => name.endsWith('.meta.json'));
  const found = metas
    .map((name) => readJson(folder, join('answers', name)) as { readonly path: string; readonly file: string })
    .find((meta) => meta.path === path);
  if (found === undefined) throw new Error(`There is no answer to ${path}.`);
  return join(folder, found.file);
}

/**
 * Verifies without any code of Perpdesk: each price is its ticks times the tick size, and the proof counts what the
 * response has.
 */
const PROGRAM = `
  ($products[0].products | map({key: (.product_id | tostring), value: .price_increment}) | from_entries) as $tick
  | ([$rows[0].rows[].values | select(.price_usd != null and .price_ticks != null)
      | ((.price_ticks | tonumber) * $tick[.product_id] - (.price_usd | tonumber)) | fabs] | length > 100 and max < 0.000001)
  and ($working[0].orders | map(.id) | unique | length) == $proof[0].working_orders
  and ($working[0].parts | map(.count) | add) == ($proof[0].parts | map(.counted) | add)
  and ([$rows[0].rows[].values.id] | length) == $proof[0].rows`;

test('evidence of working orders holds by the command, by sha256sum and by jq; with one figure changed it does not', async ({
  page,
}) => {
  await openOrders(page, '?sort=-price');
  await page.getByRole('button', { name: 'Evidence', exact: true }).click();
  const evidence = await save(page);
  expectToHold(evidence);
  const { folder } = evidence;
  const slurped = {
    products: findAnswer(folder, '/api/desk/products'),
    working: findAnswer(folder, '/api/desk/working'),
    rows: join(folder, 'rows.json'),
    proof: join(folder, 'proof.json'),
  };
  const files = Object.entries(slurped).flatMap(([name, path]) => ['--slurpfile', name, path]);
  expect(execFileSync('jq', ['-n', ...files, PROGRAM], { encoding: 'utf8' }).trim()).toBe('true');
  const { orders } = await readWorking(page);
  expect(readJson(folder, 'proof.json')).toMatchObject({ complete: true, rows: orders.length });
  expect(readJson(folder, 'manifest.json')).toMatchObject({
    pseudonyms: false,
    answers_are: expect.stringContaining('byte for byte'),
  });
  execFileSync('python3', ['-c', FORGE, evidence.zip, join(folder, 'forged.zip')]);
  const { code, output } = check(join(folder, 'forged.zip'));
  expect(code).toBe(1);
  expect(output).toContain('DOES NOT  rows.csv (figures, filter and order) does not follow from the answers.');
  expect(check(join(folder, 'none.zip')).code).toBe(2);
});

test('with pseudonyms no code is anywhere in the zip, and it still holds', async ({ page }) => {
  const { orders } = await readWorking(page);
  const codes = [
    ...new Set(
      orders.flatMap((order) => [
        order.account_id,
        String(order['clearing_firm_code']),
        String(order['connection_id']),
      ]),
    ),
  ];
  const [account = ''] = codes;
  await openOrders(page, `?f=${encodeURIComponent(`account:is:${account}`)}`);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('evidence');
  await page.getByRole('option', { name: /^Evidence/ }).click();
  await page.getByRole('checkbox', { name: /^Replace codes/ }).check();
  const evidence = await save(page);
  expectToHold(evidence);
  const bytes = [
    evidence.zip,
    ...readdirSync(evidence.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  ].map((path) => readFileSync(path));
  expect(codes.filter((code) => bytes.some((file) => file.includes(code)))).toEqual([]);
  expect(readJson(evidence.folder, 'manifest.json')).toMatchObject({
    pseudonyms: true,
    answers_are: expect.stringContaining('not byte for byte'),
  });
});

/** Returns the codes of accounts and ids of orders that occur in any file of the evidence. */
function findIn({ zip, folder }: Evidence, texts: readonly string[]): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = [zip, ...paths].map((path) => readFileSync(path, 'latin1'));
  return texts.filter((text) => files.some((file) => file.includes(text)));
}

test('of one account no order and no code of another is anywhere in the zip, and it is complete by itself', async ({
  page,
}) => {
  const { orders } = await readWorking(page);
  const [account = ''] = orders.map((order) => order.account_id);
  const [own, others] = [
    orders.filter((order) => order.account_id === account),
    orders.filter((order) => order.account_id !== account),
  ];
  await openOrders(page, `?f=${encodeURIComponent(`account:is:${account}`)}`);
  await page.getByRole('button', { name: 'Evidence', exact: true }).click();
  const words = await page.getByRole('dialog').innerText();
  const evidence = await save(page);
  expectToHold(evidence);
  const foreign = [...new Set(others.flatMap((order) => [order.account_id, order.id]))];
  expect(foreign.length).toBeGreaterThan(1_000);
  expect(findIn(evidence, foreign)).toEqual([]);
  expect(
    findIn(
      evidence,
      own.map(({ id }) => id),
    ),
  ).toHaveLength(own.length);
  expect(readJson(evidence.folder, 'proof.json')).toMatchObject({
    complete: true,
    rows: own.length,
    working_orders: own.length,
    parts: [{ filter: `account_id=${account}` }],
  });
  expect(words).toContain(
    `The file contains the ${String(own.length)} working orders shown, with account codes, and no others.`,
  );
});

test('where the exchange cannot filter like the screen, the dialog says what else is in the file, and saves it only once that is ticked', async ({
  page,
}) => {
  const { orders } = await readWorking(page);
  const bids = orders.filter(({ side }) => side === 'Bid').length;
  const accounts = new Set(orders.map((order) => order.account_id)).size;
  const count = (value: number): string => value.toLocaleString('en');
  await openOrders(page, '?f=side:is:Bid');
  await page.getByRole('button', { name: 'Evidence', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(
    `The file contains all ${count(orders.length)} working orders of ${String(accounts)} accounts, with account codes, not only the ${count(bids)} shown: the exchange cannot filter by “Side is Bid”.`,
  );
  await expect(dialog.getByRole('button', { name: 'Save evidence' })).toBeDisabled();
  await expectNoViolation(page, { part: '[role=dialog]' });
  await dialog
    .getByRole('checkbox', { name: `Save the ${count(orders.length - bids)} orders that are not shown, too` })
    .check();
  const evidence = await save(page);
  expectToHold(evidence);
  expect(readJson(evidence.folder, 'proof.json')).toMatchObject({
    complete: true,
    rows: bids,
    working_orders: orders.length,
  });
});

test('the history, the funding comparison and a price chart have evidence that holds', async ({ page }) => {
  const [perpetual] = (await readProducts(page)).filter(({ type }) => type === 'perpetual');
  for (const address of ['/orders/history', '/funding', `/price/${perpetual?.symbol ?? ''}`]) {
    await page.goto(address);
    if (address === '/orders/history') await page.getByRole('button', { name: 'Evidence', exact: true }).click();
    else await exportAs(page, 'Evidence', address === '/funding' ? 'table' : '');
    await takeShot(page, `evidence-of${address.replaceAll('/', '-')}`);
    const evidence = await save(page);
    expectToHold(evidence);
    await takeShot(page, `evidence-saved${address.replaceAll('/', '-')}`);
    expect(readJson(evidence.folder, 'rows.json')).toMatchObject({ rows: expect.arrayContaining([expect.anything()]) });
  }
});

/** Changes a price and makes all checksums match again, as a forger would. */
const FORGE = `
import sys, zipfile, hashlib, json
old, new = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)
files = {name: old.read(name) for name in old.namelist()}
lines = files['rows.csv'].split(b'\\r\\n')
lines[1] = lines[1].replace(b'Bid', b'Ask') if b',Bid,' in lines[1] else lines[1].replace(b'Ask', b'Bid')
files['rows.csv'] = b'\\r\\n'.join(lines)
manifest = json.loads(files['manifest.json'])
sums = {}
for file in manifest['files']:
    file['sha256'] = hashlib.sha256(files[file['name']]).hexdigest()
files['manifest.json'] = (json.dumps(manifest, indent=2, ensure_ascii=False) + '\\n').encode()
listed = [('manifest.json', hashlib.sha256(files['manifest.json']).hexdigest())] + [(file['name'], file['sha256']) for file in manifest['files']]
files['sha256sums.txt'] = ''.join(f'{sha}  {name}\\n' for name, sha in listed).encode()
for name, data in files.items():
    new.writestr(name, data)
new.close()
`;
import { exportAs } from './export-menu.ts';
