/** Whose rows a stream may be sent, by the codes of their accounts. Each stream has one, and all that it is sent is made by it. */
export type Access = 'all' | ReadonlySet<string>;

/** `account` is a text of JSON, as written in a row; absent where the row names none. */
export function maySee(access: Access, account: string | undefined): boolean {
  return access === 'all' || (account !== undefined && access.has(String(JSON.parse(account))));
}
