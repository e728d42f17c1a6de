import { EXPRESSION_FIELDS, EXPRESSION_FUNCTIONS, type ExpressionField } from '#contract/desk/expression-fields.ts';

const INTRODUCTION = `# Expressions of rules

A rule can have a condition on each order beyond its filters, in the [Common Expression Language](https://cel.dev). The form of a rule
completes fields and values as you type.

| Expression | Orders |
|---|---|
| \`order.quantity_requested > 100 && order.side == "Bid"\` | bids for more than 100 contracts |
| \`order.time_in_force == "GTC"\` | orders that rest until they are cancelled |
| \`order.symbol.startsWith("BTC")\` | orders in products whose symbol begins so |
| \`order.account_id in ["NORD-105", "NORD-109"]\` | orders of two accounts |
| \`order.avg_price != null && order.avg_price > 100.0\` | orders whose fills average more than 100 ticks |
| \`timestamp(order.time) < timestamp("2026-08-17T00:00:00Z")\` | orders accepted before an instant |

Prices are in **ticks**, as the exchange sends them. Age, distance from the market and size in USD are filters of the rule, not fields.
If a field is null, comparing it with a number fails: the rule then has no data. Exclude null first.

## Fields

| Field | Type | Unit | Meaning |
|---|---|---|---|
`;

/** Generates docs/expressions.md. */
export function writeExpressionReference(): string {
  const functions = EXPRESSION_FUNCTIONS.map((name) => `\`${name}\``).join(', ');
  return (
    `${INTRODUCTION}${EXPRESSION_FIELDS.map(describeField).join('\n')}\n\n## Functions\n\n` +
    `Besides operators, expressions can use ${functions}.\n`
  );
}

function describeField({ name, type, unit, values, isNullable, description }: ExpressionField): string {
  const known = values.length === 0 ? '' : ` ${values.map((value) => `\`${value}\``).join(', ')}.`;
  return `| \`order.${name}\` | ${type}${isNullable ? ' or null' : ''} | ${unit ?? ''} | ${description}${known} |`;
}
