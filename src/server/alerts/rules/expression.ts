import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Order } from '#contract/exchange/order.ts';
import type { OrderTest } from '#model/rules/match-orders.ts';

/** Conditions on one order in the Common Expression Language. */

const MAX_NODES = 200;
const MAX_DEPTH = 20;
const MAX_ITEMS = 100;

const environment = new Environment({
  limits: {
    maxAstNodes: MAX_NODES,
    maxDepth: MAX_DEPTH,
    maxListElements: MAX_ITEMS,
    maxMapEntries: 0,
    maxCallArguments: 2,
  },
}).registerVariable('order', 'map');

/** The limits hold at parsing only: what loops or searches by a pattern could take any time at each order. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'startsWith',
  'endsWith',
  'contains',
  'size',
  'has',
  'double',
  'int',
  'string',
  'timestamp',
  'duration',
]);

/** Why an expression cannot be used; null where it can. */
export function findExpressionMistake(expression: string): string | null {
  try {
    const parsed = environment.parse(expression);
    const checked = parsed.check();
    if (!checked.valid) return `must be a condition on order: ${firstLine(checked.error)}`;
    if (checked.type !== 'bool' && checked.type !== 'dyn') return `must be true or false, not ${String(checked.type)}`;
    const unknown = functionsOf(parsed.ast).find((name) => !FUNCTIONS.has(name));
    return unknown === undefined ? null : `must not use ${unknown}, only ${[...FUNCTIONS].join(', ')}`;
  } catch (error) {
    return `must be a condition on order: ${firstLine(error)}`;
  }
}

/** Each order is looked at once, since it does not change. */
export function toExpressionTest(expression: string): OrderTest {
  const evaluate = environment.parse(expression);
  const known = new WeakMap<Order, boolean>();
  return (order) => {
    const found = known.get(order) ?? isTrue(evaluate, order);
    known.set(order, found);
    return found;
  };
}

/** An expression that cannot be evaluated for an order, as where that lacks the field. */
export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
}

function isTrue(evaluate: ParseResult, order: Order): boolean {
  const found = evaluateFor(evaluate, order);
  if (typeof found !== 'boolean') throw new ExpressionFailure('The expression is neither true nor false.');
  return found;
}

function evaluateFor(evaluate: ParseResult, order: Order): unknown {
  try {
    return evaluate({ order });
  } catch (error) {
    throw new ExpressionFailure(firstLine(error));
  }
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}

interface Node {
  readonly op: string;
  readonly args: unknown;
}

function functionsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(functionsOf);
  if (!isNode(node)) return [];
  const own = node.op === 'call' || node.op === 'rcall' ? [String((node.args as readonly unknown[])[0])] : [];
  return [...own, ...functionsOf(node.args)];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
