import type { ACCESS_ENDPOINTS } from './access.ts';
import type { RULE_ENDPOINTS } from './alerts.ts';
import type { SAVED_ENDPOINTS } from './saved.ts';
import type { DESK_ENDPOINTS } from './desk.ts';
import type { Endpoint } from '../exchange/endpoints.ts';
import type { Need } from './roles.ts';

/**
 * What a person needs in order to read each of Perpdesk's endpoints. Kept apart from the tables of endpoints, because
 * every page loads those.
 */
export const READ_NEEDS: Readonly<
  Record<
    | keyof typeof DESK_ENDPOINTS
    | keyof typeof RULE_ENDPOINTS
    | keyof typeof ACCESS_ENDPOINTS
    | keyof typeof SAVED_ENDPOINTS,
    Need
  >
> = {
  products: 'markets',
  funding: 'markets',
  estimates: 'markets',
  status: 'markets',
  policy: 'markets',
  journalPrices: 'markets',
  observedPrices: 'markets',
  working: 'orders',
  aliases: 'orders',
  journal: 'orders',
  journalChanges: 'orders',
  journalActivity: 'orders',
  journalOrder: 'orders',
  journalBook: 'orders',
  calls: 'operations',
  callDeliveries: 'operations',
  rules: 'operations',
  ruleChanges: 'operations',
  alerts: 'operations',
  alertHistory: 'operations',
  alertEvidence: 'operations',
  saved: 'signed in',
  sharedViews: 'orders',
  me: 'nothing',
  sessions: 'signed in',
  tokens: 'signed in',
  people: 'admin',
  credentials: 'admin',
  audit: 'admin',
};

/** Returns the need for an endpoint of the exchange. */
export function needOf({ access }: Pick<Endpoint, 'access'>): Need {
  return access === 'signed' ? 'orders' : 'markets';
}
