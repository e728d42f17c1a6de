import type { MarketRule, Rule } from '#contract/desk/rules.ts';
import { type Crossings, createCrossings } from '#model/rules/crossings.ts';
import { toDecimal } from '#model/units/decimal.ts';
import type { Store } from '#server/store/store.ts';
import { ruleSides } from '#server/store/tables.ts';

/** What rules about crossings know of earlier prices. It is stored, so that a restart misses no crossing. */
export interface CrossingMemory {
  readonly of: (rule: MarketRule) => Crossings;
  /** Takes what this desk, or the leader before it, has stored. */
  readonly load: () => Promise<void>;
  /** Stores what has changed since, and drops what is known of other rules than these. */
  readonly store: (enabled: readonly Rule[]) => Promise<void>;
}

interface KnownRule {
  /** Sides of another level, or of other products, say nothing. */
  readonly condition: string;
  readonly crossings: Crossings;
}

export function createCrossingMemory(
  { read, mustWrite }: Pick<Store, 'read' | 'mustWrite'>,
  scope: string,
): CrossingMemory {
  let known = new Map<string, KnownRule>();
  let stored = new Map<string, string>();
  const drop = (id: string) => ({
    name: 'drop rule sides',
    sql: 'DELETE FROM rule_side WHERE scope = $1 AND rule_id = $2',
    values: [scope, id],
  });
  return {
    of: (rule) => {
      const condition = conditionOf(rule);
      const last = known.get(rule.id);
      if (last?.condition === condition) return last.crossings;
      const { condition: before, sides } = parse(stored.get(rule.id));
      const crossings = createCrossings(toDecimal(String(rule.value)), before === condition ? sides : undefined);
      known.set(rule.id, { condition, crossings });
      return crossings;
    },
    load: async () => {
      const rows = await read((store) =>
        store.read({
          name: 'rule sides',
          sql: 'SELECT rule_id, body FROM rule_side WHERE scope = $1',
          values: [scope],
        }),
      );
      known = new Map();
      stored = new Map(rows.map(([id, body]) => [String(id), String(body)]));
    },
    store: async (enabled) => {
      const ids = new Set(enabled.map(({ id }) => id));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      const bodies = [...known].map(
        ([id, { condition, crossings }]) => [id, JSON.stringify({ condition, sides: crossings.write() })] as const,
      );
      const changed = bodies.filter(([id, body]) => stored.get(id) !== body);
      const gone = [...stored.keys()].filter((id) => !ids.has(id));
      if (changed.length === 0 && gone.length === 0) return;
      await mustWrite((store) =>
        store.write([{ table: ruleSides, rows: changed.map(([id, body]) => [scope, id, body]) }, ...gone.map(drop)]),
      );
      for (const [id, body] of changed) stored.set(id, body);
      for (const id of gone) stored.delete(id);
    },
  };
}

function conditionOf({ filter, value }: MarketRule): string {
  return JSON.stringify([filter, value]);
}

function parse(body: string | undefined): { readonly condition?: string; readonly sides?: string } {
  return body === undefined ? {} : (JSON.parse(body) as { readonly condition: string; readonly sides: string });
}
