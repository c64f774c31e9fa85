/** Rules of the policy are known by their ids: a person's own never begin like this. */
const prefix = 'policy:';

/** The id under which a rule of the policy is kept. `given`: as the policy has it. */
export function policyRuleId(given: string): string {
  return `${prefix}${given}`;
}

/** True for a rule that the policy has made: nobody else changes or removes it. */
export function isPolicyRule(ruleId: string): boolean {
  return ruleId.startsWith(prefix);
}
