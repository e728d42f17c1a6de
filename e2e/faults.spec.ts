// Each fault of the catalogue, planted into the exchange's responses: the screens show it, and a sound exchange trips none.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from './faults/catalogue.ts';
import { expectNothingShown, expectShown } from './faults/expect-shown.ts';
import { SCREENS, SYMBOL, type Fault, type Screen, type Evidence } from './faults/fault.ts';
import { plant } from './faults/plant.ts';
import { currentTest as withDesk } from './orders-desk.ts';
import { FAULTS_FOLDER } from './faults-list.ts';

const test = withDesk.extend<{ readonly productId: number }>({
  productId: async ({ page }, use) => {
    const { products } = (await (await page.request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
    await use(products.find(({ symbol }) => symbol === SYMBOL)?.product_id ?? 0);
  },
});

test.use({ live: false, viewport: { width: 1440, height: 1_600 }, provoked: /Failed to load resource/ });

const screensOf = (shown: Fault['shown']) => Object.entries(shown) as [Screen, Evidence][];

/** The texts that show faults on a screen. */
function patternsOf(screen: Screen): readonly RegExp[] {
  return CATALOGUE.flatMap(({ shown }) => shown[screen] ?? []).filter((shown) => shown instanceof RegExp);
}

function describe(how: Evidence): string {
  if (how instanceof RegExp) return how.source;
  return 'column' in how ? `${how.column} ${how.text}: ${how.reason.source}` : how.deviation;
}

/** The fault's line in the table of all faults. */
function note(fault: Fault, index: number): void {
  const shown = screensOf(fault.shown).map(([screen, how]) => `${screen}: ${describe(how)}`);
  const silent = fault.silent === null ? [] : [`not shown on ${fault.silent.screens.join(', ')}: ${fault.silent.because}`];
  mkdirSync(FAULTS_FOLDER, { recursive: true });
  const cells = [fault.name, fault.kind, fault.places.join(', '), [...shown, ...silent].join('<br>')];
  writeFileSync(join(FAULTS_FOLDER, `${String(index).padStart(3, '0')}.md`), `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`);
}

/**
 * So many times a page is loaded anew in one test, once for each screen of each fault: a page of its own would take each twice
 * as long, and where the machine is busy, fourteen take a whole test's time.
 */
const LOADS_PER_PAGE = 8;

const loadsOf = ({ shown, silent }: Fault): number => screensOf(shown).length + (silent?.screens.length ?? 0);

interface Part {
  readonly from: number;
  readonly part: readonly Fault[];
}

const PARTS = CATALOGUE.reduce<readonly Part[]>((parts, fault, index) => {
  const last = parts.at(-1);
  const loads = [...(last?.part ?? []), fault].reduce((sum, one) => sum + loadsOf(one), 0);
  return last === undefined || loads > LOADS_PER_PAGE ? [...parts, { from: index, part: [fault] }] : [...parts.slice(0, -1), { from: last.from, part: [...last.part, fault] }];
}, []);

for (const { from, part } of PARTS) {
  test(`the screens show faults ${String(from + 1)} to ${String(from + part.length)}`, async ({ page, productId }) => {
    for (const [index, fault] of part.entries()) {
      await test.step(`${fault.name} (${fault.places.join(', ')})`, async () => {
        const remove = await plant(page, fault, productId);
        for (const [screen, shown] of screensOf(fault.shown)) await expectShown(page, screen, shown);
        for (const screen of fault.silent?.screens ?? []) await expectNothingShown(page, screen, patternsOf(screen));
        await remove();
        note(fault, from + index);
      });
    }
  });
}

test.describe('a sound exchange', () => {
  for (const screen of Object.keys(SCREENS) as Screen[]) {
    test(`trips none of them on ${screen}`, async ({ page }) => {
      await expectNothingShown(page, screen, patternsOf(screen));
    });
  }
});
