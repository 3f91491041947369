import type { TemplateName } from '../contracts/contract.js';
import type { ContractId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';

export function notFound(
  contract: ContractId,
  ...templates: readonly [TemplateName, ...TemplateName[]]
): Rejected<'CONTRACT_NOT_FOUND'> {
  const wanted = templates.map((template) => `${/^[AEIOU]/.test(template) ? 'an' : 'a'} ${template}`);
  return { code: 'CONTRACT_NOT_FOUND', contract, wanted: wanted.join(' or ') };
}

export function notDecimal(field: string, units: bigint): Rejected<'INVALID_DECIMAL'> {
  return { code: 'INVALID_DECIMAL', field, units, expected: 'a Decimal of at most 38 digits' };
}

export function refuseMismatch(
  contract: ContractId | null,
  field: string,
  expected: string,
  actual: string,
): Rejected<'GROUP_MISMATCH'> | null {
  return expected === actual ? null : { code: 'GROUP_MISMATCH', contract, field, expected, actual };
}
