import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { howMany } from '#testing/how-many.ts';
import { surviveKills } from '#testing/store/survive-kills.ts';
import { locationAt, type NewLocation } from '#testing/store/store-location.ts';
import { reopeningSuite } from '#testing/store/reopening-suite.ts';
import { storeSuite } from '#testing/store/store-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-store-'));
let files = 0;
const newFile: NewLocation = () => {
  files += 1;
  return locationAt(join(folder, `new-${String(files)}`, 'venue.db'));
};

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the store in a file', () => {
  storeSuite(newFile, { propertyRuns: 10 });
  reopeningSuite(newFile);

  it('belongs to one process at a time', async () => {
    const place = newFile();
    const store = await place.open();
    await expect(place.open()).rejects.toThrow(
      `The store ${place.path} is open in another process. Stop that one, or choose another: DESK_DATA_DIR names its folder, and --store of perpdesk venue the file itself.`,
    );
    await store.close();
    await (await place.open()).close();
  });

  it('reports a file that is not a database', async () => {
    const path = join(folder, 'letter.txt');
    writeFileSync(path, 'Dear exchange,\n'.repeat(100));
    await expect(locationAt(path).open()).rejects.toThrow(
      `The store ${path} is not an SQLite database. Choose another: DESK_DATA_DIR names its folder, and --store of perpdesk venue the file itself.`,
    );
  });

  it('loses nothing acknowledged and shows no partial batch, killed at any time', async () => {
    await surviveKills(newFile(), howMany(4, 25));
  }, 120_000);
});
