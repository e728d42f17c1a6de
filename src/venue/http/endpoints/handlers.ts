import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { Handler } from '../handler.ts';
import { handleChartPrice } from './chart-price.ts';
import { handleChartVoi } from './chart-voi.ts';
import { handleFundingEstimated } from './funding-estimated.ts';
import { handleFundingRates } from './funding-rates.ts';
import { handleOrdersWorking } from './orders-working.ts';
import { handleOrders } from './orders.ts';
import { handleProductData, handleProductDataAll } from './product-data.ts';
import { handleProductSpec, handleProductSpecs } from './product-specs.ts';
import { handleTrailingStats, handleTrailingStatsAll } from './trailing-stats.ts';

export const HANDLERS: { readonly [Name in EndpointName]: Handler<Name> } = {
  chartPrice: handleChartPrice,
  chartVoi: handleChartVoi,
  fundingRates: handleFundingRates,
  fundingEstimated: handleFundingEstimated,
  orders: handleOrders,
  ordersWorking: handleOrdersWorking,
  trailingStatsAll: handleTrailingStatsAll,
  trailingStats: handleTrailingStats,
  productSpecs: handleProductSpecs,
  productSpec: handleProductSpec,
  productDataAll: handleProductDataAll,
  productData: handleProductData,
};
