import { describe, expect, it } from 'vitest';
import type { Rule } from '#contract/desk/rules.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { advance } from '#server/alerts/rules/alert-state.ts';
import { type Author, createRuleRegistry } from '#server/alerts/rules/rule-registry.ts';
import { createRuleStore, type RuleStore } from '#server/alerts/rules/rule-store.ts';
import type { NewLocation } from './store-location.ts';

const [first, second] = RULE_SUGGESTIONS as readonly [Rule, Rule];

const AUTHOR: Author = { name: 'local', person: '', scope: 'all' };

export function rulesSuite(newPlace: NewLocation): void {
  const openStore = async () => (await newPlace()).open();
  const open = async (): Promise<RuleStore> => createRuleStore(await openStore(), 'venue key');

  describe('rules', () => {
    it('are there after a restart, each as it was last, with every change', async () => {
      const place = await newPlace();
      const store = await place.open();
      const before = createRuleStore(store, 'venue key');
      await before.change(
        [
          { id: first.id, before: null, after: first },
          { id: second.id, before: null, after: second },
        ],
        1_000,
        'local',
      );
      const changed = { ...first, name: 'Renamed: “ü”' };
      await before.change([{ id: first.id, before: first, after: changed }], 2_000, 'local');
      await before.change([{ id: second.id, before: second, after: null }], 3_000, 'local');
      await store.close();
      const again = await place.open();
      const after = createRuleStore(again, 'venue key');
      expect(await after.rules()).toEqual([changed]);
      const changes = (await after.ruleChanges()).map(
        (text) =>
          JSON.parse(text) as { readonly at: string; readonly before: Rule | null; readonly after: Rule | null },
      );
      expect(changes[0]).toEqual({
        at: '1970-01-01T00:00:03.000Z',
        by: 'local',
        rule_id: second.id,
        before: second,
        after: null,
      });
      expect(changes).toHaveLength(4);
      expect(await createRuleStore(again, 'venue other').rules()).toEqual([]);
    });

    it('are all changed or none, as on a full disk', async () => {
      const database = await openStore();
      const store = createRuleStore(database, 'venue key');
      await database.stopWrites();
      await expect(store.change([{ id: first.id, before: null, after: first }], 1_000, 'local')).rejects.toMatchObject({
        problem: { type: 'desk-cannot-write' },
      });
      await database.allowWrites();
      expect([await store.rules(), await store.ruleChanges()]).toEqual([[], []]);
    });

    it('are edited by two at once without losing a change: the second one is shown that it is another rule by now', async () => {
      const store = await open();
      const book = createRuleRegistry(
        store,
        { rules: await store.rules(), authors: await store.authors() },
        () => 1_000,
      );
      await book.replace(first, null, '$.rule', AUTHOR);
      const [ours, theirs] = [
        { ...first, name: 'Ours' },
        { ...first, name: 'Theirs' },
      ];
      const edits = await Promise.allSettled([ours, theirs].map((rule) => book.replace(rule, first, '$.rule', AUTHOR)));
      expect(edits.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(edits[1]).toMatchObject({
        reason: {
          problem: {
            type: 'changed-meanwhile',
            detail: `The rule "Theirs" (${first.id}) has been changed meanwhile, so nothing was saved.`,
          },
        },
      });
      // A rule with its fields in another order is the same rule.
      await book.replace(
        theirs,
        { ...Object.fromEntries(Object.entries(ours).toReversed()) } as unknown as Rule,
        '$.rule',
        AUTHOR,
      );
      await book.remove(first.id, AUTHOR);
      await expect(book.replace(ours, theirs, '$.rule', AUTHOR)).rejects.toMatchObject({
        problem: { detail: `The rule "Ours" (${first.id}) has been deleted, so nothing was saved.` },
      });
      await expect(book.replace(ours, null, '$.rule', AUTHOR)).resolves.toHaveLength(1);
    });

    it('have an author, whoever saved them last, also after a restart; one person saves at most half of all, and none with channels without seeing all orders', async () => {
      const place = await newPlace();
      const database = await place.open();
      const store = createRuleStore(database, 'venue key');
      const book = createRuleRegistry(store, { rules: [], authors: new Map() }, () => 1_000);
      const ann: Author = {
        name: 'Ann',
        person: 'ann',
        scope: { accounts: new Set(), firms: new Set(), connections: new Set() },
      };
      const bob: Author = { name: 'Bob', person: 'bob', scope: 'all' };
      const market: Rule = {
        id: '',
        name: 'Volume',
        enabled: true,
        severity: 'warning',
        channels: [],
        for_seconds: 0,
        about: 'market',
        measure: 'volume',
        filter: {},
        comparison: 'over',
        value: 1,
        unit: 'contracts',
      };
      const many = Array.from({ length: 101 }, (_, index) => ({ ...market, id: `rule-${String(index)}` }));
      await expect(book.put(many, String, ann)).rejects.toMatchObject({
        problem: {
          type: 'bad-body',
          errors: [
            { path: '$', detail: 'must not make more than 100 rules that you saved last: delete some of them first' },
          ],
        },
      });
      await book.put(many.slice(0, 100), String, ann);
      const calling = { ...market, id: 'rule-1', channels: ['night'] };
      await expect(book.put([calling], String, ann)).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
      await book.put([calling], String, bob);
      await expect(book.put([calling], String, ann)).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
      await book.put(many.slice(100), String, ann);
      await book.remove('rule-2', ann);
      await database.close();
      const again = createRuleStore(await place.open(), 'venue key');
      const authors = await again.authors();
      expect([authors.get('rule-0'), authors.get('rule-1'), authors.get('rule-2'), authors.size]).toEqual([
        'ann',
        'bob',
        undefined,
        100,
      ]);
    });

    it('keep a chain of changes, however many come at once', async () => {
      const store = await open();
      const book = createRuleRegistry(
        store,
        { rules: await store.rules(), authors: await store.authors() },
        () => 1_000,
      );
      const names = Array.from({ length: 20 }, (_, index) => `Name ${String(index)}`);
      await Promise.all(names.map((name) => book.put([{ ...first, name }], () => '$.rule', AUTHOR)));
      const changes = (await store.ruleChanges())
        .map((text) => JSON.parse(text) as { readonly before: Rule | null; readonly after: Rule | null })
        .toReversed();
      expect(changes.map(({ after }) => after?.name)).toEqual(names);
      expect(changes.map(({ before }) => before?.name)).toEqual([undefined, ...names.slice(0, -1)]);
      expect(await store.rules()).toEqual(book.all());
    });

    it('remember what they said of each group, and forget it', async () => {
      const store = await open();
      const state = advance(null, true, 1_000, 0);
      await store.write(
        [
          { rule: first, group: 'NORD', state },
          { rule: first, group: '', state },
        ],
        [{ ruleId: 'a', body: '{"n":1}' }],
      );
      await store.write([{ rule: first, group: '', state: null }], []);
      expect(await store.states()).toEqual([{ ruleId: first.id, group: 'NORD', rule: first, state }]);
    });

    it('page through what alerts changed to, the newest first, of one rule or of all', async () => {
      const store = await open();
      const numbers = Array.from({ length: 7 }, (_, index) => index + 1);
      for (const n of numbers) await store.write([], [{ ruleId: n % 2 === 0 ? 'even' : 'odd', body: String(n) }]);
      const found: string[] = [];
      for (let before: number | null = null; ;) {
        const page = await store.alertChanges({ ruleId: null, before, limit: 3 });
        found.push(...page.changes.map(({ body }) => body));
        if (!page.hasMore) break;
        before = page.changes.at(-1)?.number ?? null;
      }
      expect(found).toEqual(numbers.map(String).toReversed());
      expect(
        (await store.alertChanges({ ruleId: 'even', before: null, limit: 10 })).changes.map(({ body }) => body),
      ).toEqual(['6', '4', '2']);
    });

    it('have fired last when their last firing says, however long ago and whatever came after', async () => {
      const store = await open();
      const change = (ruleId: string, second: number, state: string) => ({
        ruleId,
        body: JSON.stringify({
          at: new Date(second * 1_000).toISOString(),
          sentence: 'It says "state":"firing".',
          state,
        }),
      });
      await store.write([], [change('a', 1, 'firing'), change('a', 5, 'firing'), change('b', 6, 'no data')]);
      await store.write([], [change('a', 7, 'resolved'), change('c', 8, 'firing')]);
      expect(await store.lastFired()).toEqual(
        new Map([
          ['a', 5_000],
          ['c', 8_000],
        ]),
      );
    });

    it('keep the orders that met the condition of a rule, until they are dropped', async () => {
      const store = await open();
      const toBaseline = (rule: Rule) => ({ ruleId: rule.id, rule, orders: ['1', '2'] });
      await store.writeBaselines([toBaseline(first), toBaseline(second)], []);
      await store.writeBaselines([{ ...toBaseline(first), orders: ['3'] }], [second.id]);
      expect(await store.baselines()).toEqual([{ ...toBaseline(first), orders: ['3'] }]);
    });

    it('keep silences until they are ended', async () => {
      const store = await open();
      const silence = { id: 's', match: { group: 'NORD' }, until: 5_000, by: 'local', at: 1_000, note: '' };
      await store.putSilences([silence, { ...silence, id: 't' }]);
      await store.dropSilences(['s']);
      expect(await store.silences()).toEqual([{ ...silence, id: 't' }]);
    });

    it('keep what an alert was about when it began to fire, for as long as the alert', async () => {
      const store = await open();
      const firing = { group: 'A', at: 1_000, evidence: '{"total":1}' };
      const state = advance(null, true, 1_000, 0);
      const change = { ruleId: first.id, body: '{}' };
      await store.write([{ rule: first, group: 'A', state }], [{ ...change, firing }]);
      await store.write([], [{ ...change, firing: { ...firing, at: 2_000 } }, change]);
      expect(await store.evidence(first.id, 'A')).toEqual({ at: 2_000, body: '{"total":1}' });
      expect(await store.evidence(first.id, 'B')).toBeNull();
      await store.write([{ rule: first, group: 'A', state: null }], []);
      expect(await store.evidence(first.id, 'A')).toBeNull();
    });

    it('have one shift note, of which a version is replaced once', async () => {
      const store = await open();
      const note = { text: 'Back on Monday', by: 'Dana', at: 1_000, version: 1 };
      expect(await store.shiftNote()).toBeNull();
      expect(await store.putShiftNote({ ...note, version: 2 })).toBe(false);
      expect(await Promise.all([store.putShiftNote(note), store.putShiftNote(note)])).toEqual([true, false]);
      expect(await store.putShiftNote({ ...note, text: '', version: 2 })).toBe(true);
      expect(await store.shiftNote()).toEqual({ ...note, text: '', version: 2 });
    });
  });
}
