import { describe, expect, test } from 'vitest';
import { budgetsOf, type Manifest } from './budgets.ts';

const manifest: Manifest = {
  'index.html': { file: 'assets/index-1.js', isEntry: true, imports: ['_react.js'], css: ['assets/index-1.css'] },
  '_react.js': { file: 'assets/react-1.js' },
  'src/page/screens/markets/markets-screen.tsx': {
    file: 'assets/markets-1.js',
    isDynamicEntry: true,
    imports: ['index.html', '_table.js'],
    css: ['assets/markets-1.css'],
    assets: ['assets/figures-1.woff2'],
  },
  '_table.js': { file: 'assets/table-1.js', imports: ['_react.js'] },
  'src/page/screens/price/price.tsx': {
    file: 'assets/price-1.js',
    isDynamicEntry: true,
    imports: ['_table.js', '_charts.js', '_export.js'],
  },
  'src/page/screens/volume/volume.tsx': { file: 'assets/volume-1.js', isDynamicEntry: true, imports: ['_export.js'] },
  '_charts.js': { file: 'assets/lightweight-charts-1.js' },
  '_export.js': { file: 'assets/export-1.js' },
};

function filesOf(name: string, from = manifest): readonly string[] | undefined {
  return budgetsOf(from, 'dist').find((budget) => budget.name === name)?.path;
}

describe('the budget', () => {
  test('counts the shell, the screen behind "/" and what both import as the first screen', () => {
    expect(filesOf('first screen, JavaScript')?.toSorted()).toEqual(
      ['index', 'markets', 'react', 'table'].map((name) => `dist/assets/${name}-1.js`),
    );
  });

  test('counts to a further screen what it shares with other further screens, but not what is already loaded', () => {
    expect(filesOf('src/page/screens/price/price.tsx, its own JavaScript')).toEqual([
      'dist/assets/price-1.js',
      'dist/assets/export-1.js',
    ]);
    expect(filesOf('src/page/screens/volume/volume.tsx, its own JavaScript')).toEqual([
      'dist/assets/volume-1.js',
      'dist/assets/export-1.js',
    ]);
  });

  test('has the chart library apart from the screens that draw with it', () => {
    expect(filesOf('charts, JavaScript')).toEqual(['dist/assets/lightweight-charts-1.js']);
  });

  test('counts the chart library to the first screen if that were to wait for it', () => {
    const entry = { file: 'assets/index-1.js', isEntry: true, imports: ['_charts.js'] };
    expect(filesOf('first screen, JavaScript', { ...manifest, 'index.html': entry })).toContain(
      'dist/assets/lightweight-charts-1.js',
    );
  });

  test('counts styles and fonts of every screen, fonts as they are', () => {
    expect(filesOf('all styles')).toEqual(['dist/assets/index-1.css', 'dist/assets/markets-1.css']);
    expect(budgetsOf(manifest, 'dist').find(({ name }) => name === 'all fonts')).toMatchObject({
      path: ['dist/assets/figures-1.woff2'],
      brotli: false,
    });
  });

  test('has no row for what is not built', () => {
    const bare = { 'index.html': { file: 'assets/index-1.js', isEntry: true } };
    expect(budgetsOf(bare, 'dist').map(({ name }) => name)).toEqual(['first screen, JavaScript']);
  });
});
