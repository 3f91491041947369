import { nearestText } from '../input/document.js';
import { MOST_ACCEPTED_SENDERS } from './automation.js';
import { MOST_PARTIES } from './group.js';
import type { Scenario } from './scenario.js';

export interface CrossFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

export function crossFaults({ network, groups }: Scenario): readonly CrossFault[] {
  const faults: CrossFault[] = [];
  const names = new Set<string>();
  const known = groups.map(({ name }) => name);
  const demandGroup = (name: string, ...path: readonly (string | number)[]): void => {
    if (!known.includes(name))
      faults.push({
        path,
        reason: `got "${name}", expected one of the groups ${known.join(', ')}${nearestText(name, known)}`,
      });
  };
  groups.forEach(({ name, payments, receives, wallet, validator, automation }, i) => {
    if (names.has(name))
      faults.push({ path: ['parties', i, 'name'], reason: `got "${name}" twice, expected a name per group` });
    names.add(name);
    payments?.to.groups?.forEach((to, j) => demandGroup(to, 'parties', i, 'payments', 'to', 'groups', j));
    if (wallet.sweep) demandGroup(wallet.sweep.to, 'parties', i, 'wallet', 'sweep', 'to');
    if (wallet.merge.delegated)
      demandGroup(wallet.merge.delegated.operator, 'parties', i, 'wallet', 'merge', 'delegated', 'operator');
    if (validator !== null) demandGroup(validator, 'parties', i, 'validator');
    if (automation.sweep) demandGroup(automation.sweep.to, 'parties', i, 'automation', 'sweep', 'to');
    automation.accepts?.from.forEach((from, j) => demandGroup(from, 'parties', i, 'automation', 'accepts', 'from', j));
    const { offers } = receives;
    if (offers && offers.accepts + offers.rejects + offers.withdraws > 1)
      faults.push({
        path: ['parties', i, 'receives', 'offers'],
        reason: `got ${offers.accepts} + ${offers.rejects} + ${offers.withdraws}, expected accepts, rejects and withdraws to sum to at most 1`,
      });
  });
  const parties = groups.reduce((sum, { count }) => sum + count, 0);
  if (parties > MOST_PARTIES)
    faults.push({ path: ['parties'], reason: `got ${parties} parties, expected at most ${MOST_PARTIES} in total` });
  if (network.fees.perByte && network.profile === 'legacy-fees')
    faults.push({
      path: ['network', 'fees', 'perByte'],
      reason:
        'got a fee by size in addition to the fees of legacy-fees, expected a profile without fees, such as feeless',
    });
  return [...faults, ...automationFaults(groups)];
}

function automationFaults(groups: Scenario['groups']): readonly CrossFault[] {
  const faults: CrossFault[] = [];
  const operators = new Map<string, string>();
  groups.forEach(({ name, wallet, validator, automation }, i) => {
    const { delegated } = wallet.merge;
    if (delegated) {
      const habit = `above ${delegated.above} every ${delegated.every}`;
      const first = operators.get(delegated.operator) ?? habit;
      operators.set(delegated.operator, first);
      if (first !== habit)
        faults.push({
          path: ['parties', i, 'wallet', 'merge', 'delegated'],
          reason: `got ${habit}, expected ${first}: all users of a wallet provider share its settings`,
        });
    }
    if (validator === name)
      faults.push({
        path: ['parties', i, 'validator'],
        reason: `got "${name}", expected another group, or null for parties that run their own wallets`,
      });
    if (automation.mints && validator === null)
      faults.push({
        path: ['parties', i, 'automation', 'mints'],
        reason: 'got a delegation without a delegate, expected the group to have a validator',
      });
    const senders = groups
      .filter((group) => automation.accepts?.from.includes(group.name))
      .reduce((sum, { count }) => sum + count, 0);
    if (senders > MOST_ACCEPTED_SENDERS)
      faults.push({
        path: ['parties', i, 'automation', 'accepts', 'from'],
        reason: `got ${senders} parties, expected at most ${MOST_ACCEPTED_SENDERS} in total`,
      });
  });
  return faults;
}
