import { describe, expect, it } from 'vitest';
import { createKeyboard, LETTERS, type KeyBinding } from './keyboard.ts';

function startKeyboard(...all: string[]) {
  const ran: string[] = [];
  const bind = (keys: string): KeyBinding => ({ keys, label: keys, group: 'test', run: () => ran.push(keys) });
  const keyboard = createKeyboard();
  keyboard.add(all.map(bind));
  const press = (key: string, at = 0, { modified = false, repeated = false, single = true } = {}) =>
    keyboard.press({ key, modified, repeated, at, single });
  return { keyboard, press, ran, bind };
}

describe('the keyboard', () => {
  it('runs the binding of a key, and returns whether there was one', () => {
    const { press, ran } = startKeyboard('?');
    expect([press('?'), press('x')]).toEqual([true, false]);
    expect(ran).toEqual(['?']);
  });

  it('combines two keys in a row within a little more than a second', () => {
    const { press, ran } = startKeyboard('g m', 'm');
    press('g', 0);
    press('m', 1_200);
    press('g', 5_000);
    press('m', 6_300);
    expect(ran).toEqual(['g m', 'm']);
  });

  it('drops the first key when the second completes no sequence', () => {
    const { press, ran } = startKeyboard('g m');
    press('g', 0);
    press('x', 100);
    press('m', 200);
    expect(ran).toEqual([]);
  });

  it('handles only keys with Ctrl or Cmd while the user types', () => {
    const { press, ran } = startKeyboard('/', 'Mod+k');
    expect(press('/', 0, { single: false })).toBe(false);
    expect(press('K', 0, { single: false, modified: true })).toBe(true);
    expect(ran).toEqual(['Mod+k']);
  });

  it('prefers a binding that does not yield, whichever was added first', () => {
    const { keyboard, press, ran, bind } = startKeyboard('/');
    keyboard.add([{ ...bind('/'), run: () => ran.push('the one that yields'), yields: true }]);
    press('/');
    expect(ran).toEqual(['/']);
  });

  it('passes on unbound letters without taking them', () => {
    const { keyboard, press, ran, bind } = startKeyboard('g m', 'x');
    keyboard.add([{ ...bind(LETTERS), run: (key) => ran.push(`letter ${key}`) }]);
    expect([press('b'), press('g'), press('m'), press('x'), press('1')]).toEqual([false, true, true, true, false]);
    expect(ran).toEqual(['letter b', 'g m', 'x']);
    expect(press('b', 0, { single: false })).toBe(false);
    expect(press('b', 0, { modified: true })).toBe(false);
    expect(ran).toHaveLength(3);
  });

  it('runs once for a key held down, and takes its repeats', () => {
    const { press, ran } = startKeyboard('p', 'g m', 'Mod+k');
    expect([
      press('p'),
      press('p', 500, { repeated: true }),
      press('p', 530, { repeated: true, single: false }),
    ]).toEqual([true, true, true]);
    press('k', 600, { modified: true });
    press('k', 900, { modified: true, repeated: true });
    press('g', 1_000);
    press('g', 1_500, { repeated: true });
    expect([press('m', 1_600), press('m', 2_100, { repeated: true })]).toEqual([true, true]);
    expect(ran).toEqual(['p', 'Mod+k', 'g m']);
  });

  it('leaves repeats of an unbound letter to the focused element', () => {
    const { keyboard, press, ran, bind } = startKeyboard('p');
    keyboard.add([{ ...bind(LETTERS), run: (key) => ran.push(`letter ${key}`) }]);
    expect([
      press('b'),
      press('b', 500, { repeated: true }),
      press('p', 600, { single: false }),
      press('p', 900, { repeated: true, single: false }),
    ]).toEqual([false, false, false, false]);
    expect(ran).toEqual(['letter b']);
  });

  it('distinguishes Ctrl with a key from the key alone', () => {
    const { press, ran } = startKeyboard('k');
    expect(press('k', 0, { modified: true })).toBe(false);
    expect(ran).toEqual([]);
  });

  it('prefers the last binding, and the previous one after its removal', () => {
    const { keyboard, press, ran } = startKeyboard('/');
    const remove = keyboard.add([{ keys: '/', label: 'filter', group: 'screen', run: () => ran.push('filter') }]);
    press('/');
    remove();
    press('/');
    expect(ran).toEqual(['filter', '/']);
    expect(keyboard.list().map(({ keys }) => keys)).toEqual(['/']);
  });

  it('leaves a key that is only listed to the focused element', () => {
    const { keyboard, press, ran } = startKeyboard('i');
    keyboard.add(['i', 'Enter'].map((keys) => ({ keys, label: keys, group: 'grid' })));
    expect([press('Enter'), press('i')]).toEqual([false, true]);
    expect(ran).toEqual(['i']);
  });

  it('lists shared bindings once, while one owner remains', () => {
    const { keyboard, bind } = startKeyboard();
    const own = [bind('f'), bind('i')];
    const listed = () => keyboard.list().map(({ keys }) => keys);
    const [first, second] = [keyboard.add(own), keyboard.add(own)];
    expect(listed()).toEqual(['f', 'i']);
    first();
    expect(listed()).toEqual(['f', 'i']);
    second();
    expect(listed()).toEqual([]);
  });
});
