import type { DeskProduct } from '#contract/desk/desk.ts';
import { formatNumber } from '../../format/number.ts';
import {
  asText,
  type Term,
  type TermContext,
  type TermField,
  TERMS,
  toMissing,
  toTerm,
  withhold,
} from '../../markets/contract-terms.ts';
import { toDecimal } from '../../units/decimal.ts';

export interface SpecificationLine {
  readonly id: string;
  readonly name: string;
  readonly unit?: string;
  readonly term: Term;
}

/** The line’s text is the exchange’s own, in UTC. */
export const FINAL_SETTLEMENT = 'finalSettlement';

/** Lists a product’s specification in the order of contract sheets. Terms that its type cannot have get no line. */
export function listSpecification(
  product: DeskProduct,
  context: TermContext,
  sizeWithheld: string | null,
): readonly SpecificationLine[] {
  const size = TERMS.contractSize(product, context);
  const contractSize = size.text !== null && sizeWithheld !== null ? withhold(size, sizeWithheld) : size;
  const tickSize = TERMS.tickSize(product, context);
  const read = (field: TermField): Term => toTerm(product, field, context, asText);
  const count = (field: TermField): Term =>
    toTerm(product, field, context, (raw) => ({ text: formatNumber(toDecimal(raw)), unit: 'contracts' }));
  return [
    { id: 'type', name: 'Type', term: read('type') },
    { id: 'status', name: 'Status', term: read('product_status') },
    { id: 'series', name: 'Series', term: read('base_symbol') },
    { id: 'underlying', name: 'Underlying', term: read('contract_size_unit') },
    ...listOptionTerms(product, context),
    { id: 'contractSize', name: 'Contract size', term: contractSize },
    { id: 'quotation', name: 'Price quotation', term: read('price_quotation_unit') },
    { id: 'tickSize', name: 'Tick size', unit: 'USD', term: tickSize },
    { id: 'tickValue', name: 'Tick value', unit: 'USD per contract', term: toTickValue(tickSize, contractSize) },
    ...listDates(product, context),
    { id: 'opens', name: 'Session opens', unit: 'Chicago', term: TERMS.opens(product, context) },
    { id: 'settles', name: 'Session settles', unit: 'Chicago', term: TERMS.settles(product, context) },
    { id: 'settlement', name: 'Settlement method', term: read('settlement_method') },
    { id: 'maxOrder', name: 'Maximum order', unit: 'contracts', term: count('max_order_quantity') },
    { id: 'minBlock', name: 'Minimum block trade', unit: 'contracts', term: count('min_block_size') },
    { id: 'id', name: 'Product ID', term: read('product_id') },
  ];
}

function listOptionTerms(product: DeskProduct, context: TermContext): readonly SpecificationLine[] {
  if (product.type === 'spread') return [{ id: 'legs', name: 'Legs', term: TERMS.legs(product, context) }];
  if (product.type !== 'option') return [];
  return [
    { id: 'underlyingProduct', name: 'Underlying product', term: TERMS.underlyingProduct(product, context) },
    { id: 'right', name: 'Call / put', term: TERMS.right(product, context) },
    { id: 'strike', name: 'Strike', unit: 'USD', term: TERMS.strike(product, context) },
  ];
}

/** Lists the dates. A perpetual has a single line, which says that it does not expire. */
function listDates(product: DeskProduct, context: TermContext): readonly SpecificationLine[] {
  const expiry = { id: 'expiry', name: 'Expiry', term: TERMS.expiry(product, context) };
  if (product.type === 'perpetual') return [expiry];
  return [
    { id: 'firstDay', name: 'First trading day', term: TERMS.firstDay(product, context) },
    expiry,
    { id: 'daysLeft', name: 'Days to expiry', term: TERMS.daysLeft(product, context) },
    {
      id: FINAL_SETTLEMENT,
      name: 'Final settlement',
      term: toTerm(product, 'final_settle_time', context, (raw) => ({ text: raw, unit: 'time in UTC' })),
    },
  ];
}

/** Computes the value of one tick. */
function toTickValue(tickSize: Term, contractSize: Term): Term {
  const withheld = [tickSize, contractSize].find(({ isWithheld }) => isWithheld);
  if (withheld !== undefined) return withhold(toMissing(), withheld.missing);
  if (tickSize.value === null || contractSize.value === null)
    return toMissing('It is tick size × contract size, one of which is not published.');
  const value = toDecimal(String(tickSize.value)).times(toDecimal(String(contractSize.value)));
  return {
    ...toMissing(),
    missing: null,
    text: formatNumber(value),
    value: value.toFixed(),
    computed: `Tick size ${String(tickSize.text)} USD × contract size ${String(contractSize.text)}.`,
  };
}
