/** The form of a rule. */
export function toRuleAddress(id: string): string {
  return `/rules/edit/${id}`;
}
