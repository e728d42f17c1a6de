import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createStoredValue, parseFields, type Frame } from './stored-value.ts';

const codec = { parse: (text: string | null) => text ?? 'default', format: (value: string) => value };

function createValue(frame: Frame, area?: 'sessionStorage') {
  return createStoredValue(frame, 'own', codec, area);
}

describe('a stored value', () => {
  it.each([undefined, 'sessionStorage'] as const)('is restored until it is cleared (%s)', (area) => {
    const { frame } = createFakeFrame();
    const value = createValue(frame, area);
    expect(value.read()).toBe('default');
    value.write('chosen');
    expect(createValue(frame, area).read()).toBe('chosen');
    value.clear();
    expect(value.read()).toBe('default');
    expect(createValue(frame, area).read()).toBe('default');
  });

  it('in sessionStorage is not shared with other tabs', () => {
    const { frame } = createFakeFrame();
    createValue(frame, 'sessionStorage').write('chosen');
    expect(createValue(frame).read()).toBe('default');
  });

  it('notifies of changes in this tab', () => {
    const { frame } = createFakeFrame();
    const value = createValue(frame);
    const seen: string[] = [];
    const leave = value.subscribe(() => seen.push(value.read()));
    value.write('chosen');
    value.clear();
    leave();
    value.write('unheard');
    expect(seen).toEqual(['chosen', 'default']);
  });

  it('follows changes of the same name in other tabs', () => {
    const { frame, changeStorage } = createFakeFrame();
    const value = createValue(frame);
    const seen: string[] = [];
    value.subscribe(() => seen.push(value.read()));
    changeStorage('other', 'other');
    changeStorage('own', 'chosen');
    changeStorage('own', null);
    changeStorage('own', 'again');
    changeStorage(null, null);
    expect(seen).toEqual(['chosen', 'default', 'again', 'default']);
  });

  it('is changed as another tab left it, even before that tab’s change is reported', () => {
    const { frame } = createFakeFrame();
    const [one, other] = [createValue(frame), createValue(frame)];
    one.update(() => 'a');
    other.update((stored) => `${stored}b`);
    expect(createValue(frame).read()).toBe('ab');
  });

  it('keeps its changes where they cannot be stored', () => {
    const { frame, forbidStorage } = createFakeFrame({ own: 'stored' });
    const value = createValue(frame);
    forbidStorage();
    value.update((before) => `${before}, changed`);
    value.update((before) => `${before}, again`);
    expect(value.read()).toBe('stored, changed, again');
  });

  it('listens to other tabs only while it has subscribers', () => {
    const { frame, listenerCount } = createFakeFrame();
    const value = createValue(frame);
    const leave = [value.subscribe(() => undefined), value.subscribe(() => undefined)];
    expect(listenerCount()).toBe(1);
    for (const one of leave) one();
    expect(listenerCount()).toBe(0);
  });

  it('lasts as long as the tab where storage is forbidden', () => {
    const { frame, forbidStorage } = createFakeFrame({ own: 'stored' });
    forbidStorage();
    const value = createValue(frame);
    expect(value.read()).toBe('default');
    value.write('chosen');
    expect(value.read()).toBe('chosen');
    value.clear();
    expect(value.read()).toBe('default');
  });
});

describe('fields', () => {
  it('are those of an object of the requested version', () => {
    expect(parseFields('{"version":1,"theme":"dark"}', 1)).toEqual({ version: 1, theme: 'dark' });
  });

  it.each([null, '', 'null', '[]', '{', '7', '{"version":2,"theme":"dark"}', '{"theme":"dark"}'])(
    'of %s are empty',
    (text) => {
      expect(parseFields(text, 1)).toEqual({});
    },
  );
});
