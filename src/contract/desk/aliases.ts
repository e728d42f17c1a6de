import { text } from '../exchange/fields.ts';
import { list, openEnum, row, type Static } from '../exchange/schema.ts';

/** The owner of an order: what an alias may stand for. */
export const ALIAS_KINDS = ['account', 'firm', 'connection'] as const;
export type AliasKind = (typeof ALIAS_KINDS)[number];

/** Filters of orders that name an owner. Their values never appear in an address that others may read. */
export const OWNER_FILTERS: Readonly<Record<string, AliasKind>> = {
  clearing_member_code: 'firm',
  account_id: 'account',
  connection_id: 'connection',
};

const OwnerAlias = row('OwnerAlias', 'An account, clearing firm or connection, and its alias.', {
  kind: openEnum(ALIAS_KINDS, 'What the code names.'),
  code: text('The code as in orders.'),
  alias: text('What stands for the code in links: a keyed hash, which is the same after a restart.'),
});
export type OwnerAlias = Static<typeof OwnerAlias>;

/**
 * `GET /api/desk/aliases`: aliases for accounts, clearing firms and connections in links, so that no address, history
 * or log contains their codes. Lists at most 10,000 codes, from orders that Perpdesk has read. Viewers who may not see
 * all orders get the codes in their scope and those in orders read since Perpdesk started. The list is complete and
 * takes no parameters, because a request that named a code would put it into a log.
 */
export const DeskAliases = row('DeskAliases', 'What stands for the owners of orders in links.', {
  aliases: list(OwnerAlias),
});
export type DeskAliases = Static<typeof DeskAliases>;
