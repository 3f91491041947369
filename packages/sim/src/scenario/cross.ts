import type { Scenario } from './scenario.js';

/** What contradicts something elsewhere in the scenario. */
export interface CrossFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** Faults that no field has by itself: groups that are named and do not exist, shares above one. */
export function crossFaults({ groups }: Scenario): readonly CrossFault[] {
  const faults: CrossFault[] = [];
  const names = new Set<string>();
  const known = groups.map(({ name }) => name);
  const demandGroup = (name: string, ...path: readonly (string | number)[]): void => {
    if (!known.includes(name))
      faults.push({ path, reason: `got "${name}", expected one of the groups ${known.join(', ')}` });
  };
  groups.forEach(({ name, payments, receives, wallet, validator }, i) => {
    if (names.has(name))
      faults.push({ path: ['parties', i, 'name'], reason: `got "${name}" twice, expected a name per group` });
    names.add(name);
    payments?.to.groups?.forEach((to, j) => demandGroup(to, 'parties', i, 'payments', 'to', 'groups', j));
    if (wallet.sweep) demandGroup(wallet.sweep.to, 'parties', i, 'wallet', 'sweep', 'to');
    if (wallet.merge.delegated)
      demandGroup(wallet.merge.delegated.operator, 'parties', i, 'wallet', 'merge', 'delegated', 'operator');
    if (validator !== null) demandGroup(validator, 'parties', i, 'validator');
    const { offers } = receives;
    if (offers && offers.accepts + offers.rejects + offers.withdraws > 1)
      faults.push({
        path: ['parties', i, 'receives', 'offers'],
        reason: `got ${offers.accepts} + ${offers.rejects} + ${offers.withdraws}, expected accepts, rejects and withdraws to be 1 together at most`,
      });
  });
  return faults;
}
