import { expect, it } from 'vitest';
import { createOwnership } from './start-access.ts';

/** Imitates a browser's storage, whose keys are its own properties. */
function storageOf(values: Readonly<Record<string, string>>): Storage {
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
  return Object.assign(Object.create(Object.defineProperties({}, methods)) as object, values) as unknown as Storage;
}

function browserWith(local: Readonly<Record<string, string>>, session: Readonly<Record<string, string>> = {}) {
  const went: string[] = [];
  const localStorage = storageOf(local);
  const sessionStorage = storageOf(session);
  const location = {
    pathname: '/orders',
    search: '?q=x',
    replace: (to: string) => went.push(to),
  } as unknown as Location;
  return { went, localStorage, sessionStorage, ownership: createOwnership({ localStorage, sessionStorage, location }) };
}

it('leaves what is stored to the first person, and to the same one again', () => {
  const { ownership, localStorage, went } = browserWith({ 'perpdesk.orders.views': 'mine' });
  expect(ownership.take('p1', { hasShown: false })).toBe(false);
  expect(ownership.take('p1', { hasShown: true })).toBe(false);
  expect(localStorage.getItem('perpdesk.orders.views')).toBe('mine');
  expect(went).toEqual([]);
});

it('deletes what another person stored, apart from what is of this machine, and loads the page anew', () => {
  const { ownership, localStorage, sessionStorage, went } = browserWith(
    {
      'perpdesk.person': 'p1',
      'perpdesk.orders.views': 'theirs',
      'perpdesk.preferences': '{"version":1,"theme":"dark","density":"compact","zone":"chicago"}',
      'other.app': 'kept',
    },
    { 'perpdesk.rule-draft.new': 'theirs' },
  );
  expect(ownership.take('p2', { hasShown: false })).toBe(true);
  expect(localStorage).toEqual(
    expect.objectContaining({
      'perpdesk.person': 'p2',
      'perpdesk.preferences': '{"version":1,"theme":"dark"}',
      'other.app': 'kept',
    }),
  );
  expect(localStorage.getItem('perpdesk.orders.views')).toBeNull();
  expect(sessionStorage.getItem('perpdesk.rule-draft.new')).toBeNull();
  expect(went).toEqual(['/orders?q=x']);
});

it('leaves the address too where the other person had opened it, also in a tab whose storage only is theirs', () => {
  const { ownership, went } = browserWith({ 'perpdesk.person': 'p2' }, { 'perpdesk.person': 'p1' });
  expect(ownership.take('p2', { hasShown: true })).toBe(true);
  expect(went).toEqual(['/']);
});
