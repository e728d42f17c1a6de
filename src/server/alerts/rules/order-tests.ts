import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { EXPRESSION_FIELDS, EXPRESSION_FUNCTIONS } from '#contract/desk/expression-fields.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { type OrderTest, toOrderTest } from '#model/rules/rule-subjects.ts';
import { setBounded } from '#server/core/maps.ts';

/** Creates the test of each rule once. Rules with the same filter and expression share a test. */
export function createTests(): (rule: Rule) => OrderTest {
  const known = new WeakMap<Rule, OrderTest>();
  const shared = new Map<string, OrderTest>();
  const create = (rule: Rule): OrderTest => {
    if (rule.about !== 'orders' && rule.about !== 'activity') return () => false;
    const [test, expression] = [
      toOrderTest(rule.filter),
      rule.expression === undefined ? null : toExpressionTest(rule.expression),
    ];
    return expression === null ? test : (order) => test(order) && expression(order);
  };
  return (rule) => {
    const own = known.get(rule);
    if (own !== undefined) return own;
    const condition = conditionOf(rule);
    const test = shared.get(condition) ?? create(rule);
    known.set(rule, test);
    setBounded(shared, condition, test, MOST_TESTS);
    return test;
  };
}

const MOST_TESTS = 1_000;

function conditionOf(rule: Rule): string {
  return rule.about === 'orders' || rule.about === 'activity'
    ? JSON.stringify([Object.entries(rule.filter).sort(), rule.expression ?? null])
    : '';
}

const MAX_NODES = 200;
const MAX_DEPTH = 20;
const MAX_ITEMS = 100;

/** Parses expressions: conditions on one order in the Common Expression Language. */
const environment = new Environment({
  limits: {
    maxAstNodes: MAX_NODES,
    maxDepth: MAX_DEPTH,
    maxListElements: MAX_ITEMS,
    maxMapEntries: 0,
    maxCallArguments: 2,
  },
}).registerVariable('order', 'map');

/**
 * The limits apply to parsing only, so functions that loop or match patterns, which could take any time per order, are
 * excluded.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(EXPRESSION_FUNCTIONS);
const FIELDS: ReadonlySet<string> = new Set(EXPRESSION_FIELDS.map(({ name }) => name));

/** Returns why an expression cannot be used; null if it can. */
export function findExpressionMistake(expression: string): string | null {
  try {
    const parsed = environment.parse(expression);
    const checked = parsed.check();
    if (!checked.valid) return `must be a condition on order: ${firstLine(checked.error)}`;
    if (checked.type !== 'bool' && checked.type !== 'dyn') return `must be true or false, not ${String(checked.type)}`;
    const unknown = functionsOf(parsed.ast).find((name) => !FUNCTIONS.has(name));
    if (unknown !== undefined) return `must not use ${unknown}, only ${[...FUNCTIONS].join(', ')}`;
    const field = fieldsOf(parsed.ast).find((name) => !FIELDS.has(name));
    return field === undefined ? null : `must not use order.${field}: an order has only ${[...FIELDS].join(', ')}`;
  } catch (error) {
    return `must be a condition on order: ${firstLine(error)}`;
  }
}

/**
 * Tests each order once, since orders do not change.
 *
 * @internal Exported for its test.
 */
export function toExpressionTest(expression: string): OrderTest {
  const evaluate = environment.parse(expression);
  const known = new WeakMap<Order, boolean>();
  return (order) => {
    const found = known.get(order) ?? isTrue(evaluate, order);
    known.set(order, found);
    return found;
  };
}

/** Thrown if an expression cannot be evaluated for an order, for example because the order lacks a field. */
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
    const reason = firstLine(error);
    throw new ExpressionFailure(reason.includes('null') ? `${reason}. ${EXCLUDE_NULL}` : reason);
  }
}

const EXCLUDE_NULL = 'A field that may be null must be excluded first, as in order.avg_price != null && ….';

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

/** Returns the fields of the order that are named in the text. */
function fieldsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(fieldsOf);
  if (!isNode(node)) return [];
  const [of, field] = Array.isArray(node.args) ? (node.args as readonly unknown[]) : [];
  const isOfOrder = node.op === '.' && isNode(of) && of.op === 'id' && of.args === 'order';
  return [...(isOfOrder ? [String(field)] : []), ...fieldsOf(node.args)];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
