import type { EndpointName } from '#contract/endpoints.ts';
import type { Handler } from './ask.ts';
import { answerChartPrice } from './chart-price.ts';
import { answerChartVoi } from './chart-voi.ts';
import { answerFundingEstimated } from './funding-estimated.ts';
import { answerFundingRates } from './funding-rates.ts';
import { answerOrdersWorking } from './orders-working.ts';
import { answerOrders } from './orders.ts';
import { answerProductData, answerProductDataAll } from './product-data.ts';
import { answerProductSpec, answerProductSpecs } from './product-specs.ts';
import { answerTrailingStats, answerTrailingStatsAll } from './trailing-stats.ts';

/** One for each entry of the table. */
export const HANDLERS: { readonly [Name in EndpointName]: Handler<Name> } = {
  chartPrice: answerChartPrice,
  chartVoi: answerChartVoi,
  fundingRates: answerFundingRates,
  fundingEstimated: answerFundingEstimated,
  orders: answerOrders,
  ordersWorking: answerOrdersWorking,
  trailingStatsAll: answerTrailingStatsAll,
  trailingStats: answerTrailingStats,
  productSpecs: answerProductSpecs,
  productSpec: answerProductSpec,
  productDataAll: answerProductDataAll,
  productData: answerProductData,
};
