import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createStoredValue, parseFields, type Frame } from './stored-value.ts';

const form = { parse: (text: string | null) => text ?? 'usual', format: (value: string) => value };

function keep(frame: Frame, area?: 'sessionStorage') {
  return createStoredValue(frame, 'own', form, area);
}

describe('a kept value', () => {
  it.each([undefined, 'sessionStorage'] as const)('is there again, until it is forgotten (%s)', (area) => {
    const { frame } = createFakeFrame();
    const value = keep(frame, area);
    expect(value.read()).toBe('usual');
    value.write('chosen');
    expect(keep(frame, area).read()).toBe('chosen');
    value.clear();
    expect(value.read()).toBe('usual');
    expect(keep(frame, area).read()).toBe('usual');
  });

  it('of one tab is not kept for the others', () => {
    const { frame } = createFakeFrame();
    keep(frame, 'sessionStorage').write('chosen');
    expect(keep(frame).read()).toBe('usual');
  });

  it('tells of what is chosen here', () => {
    const { frame } = createFakeFrame();
    const value = keep(frame);
    const told: string[] = [];
    const leave = value.subscribe(() => told.push(value.read()));
    value.write('chosen');
    value.clear();
    leave();
    value.write('unheard');
    expect(told).toEqual(['chosen', 'usual']);
  });

  it('follows other tabs, in nothing but itself', () => {
    const { frame, hear } = createFakeFrame();
    const value = keep(frame);
    const told: string[] = [];
    value.subscribe(() => told.push(value.read()));
    hear("somebody else's", 'other');
    hear('own', 'chosen');
    hear('own', null);
    hear('own', 'again');
    hear(null, null);
    expect(told).toEqual(['chosen', 'usual', 'again', 'usual']);
  });

  it('listens to other tabs only while somebody shows it', () => {
    const { frame, listening } = createFakeFrame();
    const value = keep(frame);
    const leave = [value.subscribe(() => undefined), value.subscribe(() => undefined)];
    expect(listening()).toBe(1);
    for (const one of leave) one();
    expect(listening()).toBe(0);
  });

  it('lasts as long as the tab where nothing may be stored', () => {
    const { frame, forbidStoring } = createFakeFrame({ own: 'stored' });
    forbidStoring();
    const value = keep(frame);
    expect(value.read()).toBe('usual');
    value.write('chosen');
    expect(value.read()).toBe('chosen');
    value.clear();
    expect(value.read()).toBe('usual');
  });
});

describe('fields', () => {
  it('are those of an object of the version asked for', () => {
    expect(parseFields('{"version":1,"theme":"dark"}', 1)).toEqual({ version: 1, theme: 'dark' });
  });

  it.each([null, '', 'null', '[]', '{', '7', '{"version":2,"theme":"dark"}', '{"theme":"dark"}'])('of %s are none', (text) => {
    expect(parseFields(text, 1)).toEqual({});
  });
});
