import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse, { type Result } from 'lighthouse';
import { root } from '../../../src/tools/paths.mjs';
import type { Audit } from './screens.ts';

export const reports = join(root, 'e2e', 'artifacts', 'lighthouse');

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

type Category = (typeof CATEGORIES)[number];

interface LostPoints {
  readonly category: Category;
  readonly audit: string;
  /** The points out of a hundred of its category. */
  readonly points: number;
  readonly measured: string;
}

export interface Audited {
  readonly scores: Readonly<Record<Category, number>>;
  readonly lost: readonly LostPoints[];
}

export interface Auditor {
  readonly audit: (what: Audit, address: string) => Promise<Audited>;
}

/** Audits each page in its own browser with nothing stored, and writes both forms of every report. */
export function createAuditor(browserPath: string): Auditor {
  let count = 0;
  mkdirSync(reports, { recursive: true });
  return {
    audit: async (what, address) => {
      const browser = await launch({ chromePath: browserPath, chromeFlags: ['--headless=new', '--no-sandbox'] });
      try {
        const run = await lighthouse(address, {
          port: browser.port,
          output: ['html', 'json'],
          onlyCategories: [...CATEGORIES],
          logLevel: 'error',
        });
        if (run === undefined) throw new Error(`Lighthouse gave no result for ${what}.`);
        writeReports(what, ++count, run.report);
        return read(what, run.lhr);
      } finally {
        browser.kill();
      }
    },
  };
}

function writeReports(what: Audit, count: number, [html = '', json = '']: readonly string[] | string): void {
  const file = join(reports, `${what.replace('/', '').replace(' ', '-') || 'home'}-${String(count)}`);
  writeFileSync(`${file}.html`, html);
  writeFileSync(`${file}.json`, json);
}

function read(what: Audit, result: Result): Audited {
  if (result.runtimeError !== undefined) throw new Error(`${what}: ${result.runtimeError.message}`);
  const score = (category: Category): number => Math.round((result.categories[category]?.score ?? Number.NaN) * 100);
  return {
    scores: {
      'performance': score('performance'),
      'accessibility': score('accessibility'),
      'best-practices': score('best-practices'),
    },
    lost: CATEGORIES.flatMap((category) => toLost(result, category)),
  };
}

function toLost(result: Result, category: Category): LostPoints[] {
  const counted = (result.categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  // An audit that does not apply to a page has no score, and does not count in its category.
  const asked = counted.flatMap(({ id, weight }) => {
    const audit = result.audits[id];
    return typeof audit?.score === 'number'
      ? [{ id, weight, score: audit.score, measured: audit.displayValue ?? '' }]
      : [];
  });
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  return asked
    .filter(({ score }) => score < 1)
    .map(({ id, weight, score, measured }) => ({
      category,
      audit: id,
      points: (100 * weight * (1 - score)) / total,
      measured,
    }));
}
