const CHANGE = 'Last price compared with the latest settlement before it.';
const BASIS =
  'Settlement of the month minus the settlement of the perpetual of the same underlying in the same session.';
const USD =
  'Futures and perpetuals: notional. Options: premium. Spreads: price difference. They are never added ' +
  'up: a group’s total is its notional, or without one its premium or difference.';

/** Tooltips by column. */
export const headerTooltips: Readonly<Record<string, string>> = {
  trading: 'Whether the product trades now, by its published times; a closed one says when it opens.',
  settlementChange: 'Newest settlement compared with the one of the session before.',
  change24h: 'Last price compared with the last price that Perpdesk recorded 24 hours ago.',
  change7d: 'Newest settlement compared with the one 7 days before.',
  change30d: 'Newest settlement compared with the one 30 days before.',
  basisUsd: BASIS,
  basis: BASIS,
  basisYear: `${BASIS} Simple, actual/365 to the minute of expiry; none under 3 days.`,
  interestChange: 'Newest open interest compared with that of the session before.',
  turnover: 'Contracts traded in 24 hours as a percentage of open interest, which is that of an earlier session.',
  lastTrade: 'Time since the last trade, whose price is under Last.',
  change: CHANGE,
  changePercent: CHANGE,
  volumeUsd: USD,
  openInterestUsd: USD,
  funding: 'Last settled funding rate, already exchanged. The rate of the current interval is under Predicted.',
  estimate:
    'Predicted funding rate of the current interval. Before it: the minutes since it was read (4m), from one minute on.',
  apr: 'The last settled rate alone, annualised: one interval, not an average.',
  boundary: 'Time until the next funding.',
};
