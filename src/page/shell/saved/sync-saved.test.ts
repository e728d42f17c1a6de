import { describe, expect, it } from 'vitest';
import { NetworkError, ProblemError } from '#page/client/errors.ts';
import type { SavedItem } from '#contract/desk/saved.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { NO_RECORD, type SavedRecord } from '#page/kit/saved-record.ts';
import { createLocalItems, withPersonal } from './local-items.ts';
import { createSync, isAhead, type SyncDeps } from './sync-saved.ts';

/** Imitates a browser's storage, whose keys are its own properties. */
function createStorage(): Storage & Record<string, string> {
  const methods = {
    getItem: {
      value(this: Record<string, string>, key: string) {
        return this[key] ?? null;
      },
    },
    setItem: {
      value(this: Record<string, string>, key: string, text: string) {
        this[key] = text;
      },
    },
    removeItem: {
      value(this: Record<string, string>, key: string) {
        Reflect.deleteProperty(this, key);
      },
    },
  };
  return Object.create(Object.defineProperties({}, methods)) as Storage & Record<string, string>;
}

/** Imitates the server: a change must name the version that it replaces. */
function createDesk() {
  const items = new Map<string, SavedItem>();
  const failures: Error[] = [];
  const problem = (
    type: string,
    errors?: readonly { readonly path: string; readonly detail: string }[],
  ): ProblemError =>
    new ProblemError(
      {
        type: `urn:perpdesk:problem:${type}`,
        title: type,
        status: 400,
        detail: type,
        instance: 'r',
        ...(errors && { errors: [...errors] }),
      },
      0,
      null,
    );
  return {
    items,
    failures,
    problem,
    put: ({
      name,
      text,
      before,
    }: {
      readonly name: string;
      readonly text: string;
      readonly before: number;
    }): Promise<SavedItem> => {
      const failure = failures.shift() ?? (items.get(name)?.version ?? 0) !== before;
      if (failure instanceof Error) return Promise.reject(failure);
      if (failure) return Promise.reject(problem('changed-meanwhile'));
      const item = { name, text, version: before + 1, saved_at: '2026-01-01T00:00:00Z' as Instant };
      items.set(name, item);
      return Promise.resolve(item);
    },
  };
}

function openBrowser(desk: ReturnType<typeof createDesk>, person = 'p') {
  const storage = createStorage();
  const written: string[] = [];
  let record: SavedRecord = NO_RECORD;
  let isReachable = true;
  const parts: SyncDeps = {
    local: createLocalItems(storage, (key) => void written.push(key)),
    owner: () => 'p',
    record: {
      read: () => record,
      write: (next) => {
        record = next;
      },
    },
    readDesk: () =>
      isReachable
        ? Promise.resolve({ person, items: [...desk.items.values()] })
        : Promise.reject(new NetworkError('unreachable')),
    putItem: desk.put,
    describe: ({ message }) => message,
  };
  return {
    storage,
    written,
    parts,
    sync: createSync(parts),
    record: () => record,
    reach: (can: boolean) => {
      isReachable = can;
    },
  };
}

const WATCHED = '{"version":1,"lists":[{"id":"favourites","name":"Favourites","products":[7]}]}';

describe('a browser and the desk', () => {
  it('agree: what is saved in one browser is there in the next', async () => {
    const desk = createDesk();
    const [one, two] = [openBrowser(desk), openBrowser(desk)];
    one.storage['perpdesk.watchlists'] = WATCHED;
    one.storage['perpdesk.last.product'] = '7';
    expect(isAhead(one.parts)).toBe(true);
    expect(await one.sync()).toBe(true);
    expect([...desk.items.keys()]).toEqual(['watchlists']);
    expect(isAhead(one.parts)).toBe(false);
    expect(await two.sync()).toBe(true);
    expect(two.storage['perpdesk.watchlists']).toBe(WATCHED);
    expect(two.written).toEqual(['perpdesk.watchlists']);
    two.storage.removeItem('perpdesk.watchlists');
    await two.sync();
    await one.sync();
    expect(one.storage.getItem('perpdesk.watchlists')).toBeNull();
  });

  it('store nothing where there is nothing', async () => {
    const browser = openBrowser(createDesk());
    expect(await browser.sync()).toBe(true);
    expect(browser.record()).toBe(NO_RECORD);
  });

  it('agree after a change from elsewhere came first', async () => {
    const desk = createDesk();
    const browser = openBrowser(desk);
    browser.storage['perpdesk.watchlists'] = WATCHED;
    desk.failures.push(desk.problem('changed-meanwhile'));
    expect(await browser.sync()).toBe(true);
    expect(desk.items.get('watchlists')?.text).toBe(WATCHED);
  });

  it('agree later where the desk is out of reach, and the browser knows why they do not yet', async () => {
    const desk = createDesk();
    const browser = openBrowser(desk);
    await browser.sync();
    browser.reach(false);
    expect(await browser.sync()).toBe(false);
    expect(browser.record().problem).toBe('');
    browser.storage['perpdesk.watchlists'] = WATCHED;
    expect(await browser.sync()).toBe(false);
    expect(browser.record().problem).toBe('unreachable Perpdesk tries again every 30 seconds.');
    browser.reach(true);
    expect(await browser.sync()).toBe(true);
    expect([browser.record().problem, desk.items.get('watchlists')?.text]).toEqual(['', WATCHED]);
  });

  it('agree in all else where one item is refused', async () => {
    const desk = createDesk();
    const browser = openBrowser(desk);
    browser.storage['perpdesk.markets.layout'] = '{"version":1}';
    browser.storage['perpdesk.watchlists'] = WATCHED;
    desk.failures.push(desk.problem('bad-body', [{ path: '$.text', detail: 'is too long' }]));
    expect(await browser.sync()).toBe(true);
    expect([...desk.items.keys()]).toEqual(['watchlists']);
    expect([browser.record().problem, isAhead(browser.parts)]).toEqual(['bad-body', true]);
  });

  it('have nothing to do with one another while somebody else signs in', async () => {
    const desk = createDesk();
    const browser = openBrowser(desk, 'another');
    browser.storage['perpdesk.watchlists'] = WATCHED;
    expect(await browser.sync()).toBe(true);
    expect([desk.items.size, browser.record()]).toEqual([0, NO_RECORD]);
  });
});

describe('preferences', () => {
  it('follow the person, apart from those of the machine', async () => {
    const desk = createDesk();
    const [one, two] = [openBrowser(desk), openBrowser(desk)];
    one.storage['perpdesk.preferences'] = '{"version":1,"theme":"dark","density":"compact","zone":"utc"}';
    two.storage['perpdesk.preferences'] = '{"version":1,"theme":"light","alertSound":"bell"}';
    await one.sync();
    await two.sync();
    expect(desk.items.get('preferences')?.text).toBe('{"version":1,"density":"compact"}');
    expect(JSON.parse(two.storage.getItem('perpdesk.preferences') ?? '')).toEqual({
      version: 1,
      theme: 'light',
      alertSound: 'bell',
      density: 'compact',
    });
    expect(isAhead(two.parts)).toBe(false);
  });

  it('of a machine stay when the person leaves', () => {
    expect(withPersonal('{"version":1,"theme":"dark","zone":"local"}', '')).toBe('{"version":1,"theme":"dark"}');
    expect(withPersonal('{"version":1,"zone":"local"}', '')).toBe('');
  });
});
