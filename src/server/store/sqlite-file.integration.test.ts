import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restoreDataFolder } from '#testing/earlier-version/data-folder.ts';
import { permitsSuite } from '#testing/server-store/permits-suite.ts';
import { locationAt, newFile } from '#testing/server-store/store-location.ts';
import { sqliteSentences, storeSuites } from '#testing/server-store/store-suites.ts';
import { migrations } from './open-store.ts';
import { toDatabasePath } from './sqlite-sentences.ts';

describe('the store in a file', () => {
  storeSuites(newFile, sqliteSentences);
  permitsSuite(newFile);

  it('takes over the file of the version before as it is, row by row, and opens it again', async () => {
    const folder = restoreDataFolder();
    onTestFinished(folder.remove);
    const before = new DatabaseSync(toDatabasePath(folder.path));
    const names = before
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const rows = new Map(
      names.map((name) => [
        name,
        before
          .prepare(`SELECT * FROM ${name}`)
          .all()
          .map((row) => Object.values(row)),
      ]),
    );
    before.close();
    expect(names).toContain('funding_print');
    for (const time of ['first', 'second']) {
      const store = await locationAt({ dataDir: folder.path, databaseUrl: null }).open();
      for (const [name, expected] of rows)
        expect(await store.query(`SELECT * FROM ${name}`), `${name}, opened a ${time} time`).toEqual(expected);
      expect(await store.query('SELECT step FROM schema_step')).toEqual(migrations.map((_, index) => [index + 1]));
      await store.close();
    }
  });
});
