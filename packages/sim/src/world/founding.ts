import { Duration, genesisConfig, GENESIS_TIME, Instant, rulesOf } from '@coinlab/core';
import { drawnUnits } from '../chance/distributions.js';
import type { Streams } from '../chance/streams.js';
import { amountsFrom, valuesOf, type ScenarioFiles } from '../scenario/files.js';
import type { Scenario } from '../scenario/scenario.js';
import { openFeeSink } from './byte-fees.js';
import { delegate } from './delegation.js';
import type { LedgerDriver } from './driver.js';
import { DSO } from './network.js';
import type { Members, Population } from './population.js';
import type { Wallets } from './wallets.js';

interface Founding {
  readonly ledger: LedgerDriver;
  readonly scenario: Scenario;
  readonly population: Population;
  readonly streams: Streams;
  readonly files: ScenarioFiles;
  readonly wallets: Wallets;
}

export function populate(founding: Founding): void {
  const { ledger, scenario, population, streams, files, wallets } = founding;
  const { submit } = ledger;
  if (scenario.network.fees.perByte) openFeeSink(submit);
  for (const members of population.groups) {
    const { opening, openingFile, openingUnit, name } = members.group;
    const given = openingFile === null ? null : amountsFrom(files, openingFile, openingUnit);
    const draws = streams.ofEvents(`${name}/opening`);
    const draw = drawnUnits(opening.amount, draws, valuesOf(opening.amount, files));
    for (let number = members.start; number < members.start + members.count; number++) {
      const party = population.party(number);
      submit({ type: 'AllocateParty', party }, party);
      draws.moveTo(number - members.start, 0);
      if (given) for (const coin of given) wallets.mint(number, coin);
      else for (let coin = 0; coin < opening.coins; coin++) wallets.mint(number, draw());
      if (members.group.validator === null) preapprove(members, number, founding);
    }
  }
  // All validators exist only now; groups come in any order.
  for (const members of population.groups) if (members.group.validator !== null) onboard(members, founding);
  delegate(population, submit);
  if (population.groups.some(({ group }) => group.automation.preapprovals)) chargePreapprovals(ledger, scenario);
}

function onboard(members: Members, founding: Founding): void {
  const { population, ledger } = founding;
  for (let number = members.start; number < members.start + members.count; number++) {
    const endUser = population.party(number);
    const validator = population.party(population.hostOf(number));
    ledger.submit({ type: 'OnboardUser', validator, endUserName: endUser, endUser }, validator, endUser);
    preapprove(members, number, founding);
  }
}

function preapprove({ group }: Members, number: number, { population, ledger, wallets }: Founding): void {
  if (group.receives.offers) return;
  const host = population.hostOf(number);
  const [receiver, provider] = [population.party(number), population.party(host)];
  const { preapprovals } = population.membersOf(host).group.automation;
  const expiresAt = preapprovals ? Instant.plus(GENESIS_TIME, Duration.of(preapprovals.lifetime)) : Instant.latest;
  const parties = receiver === provider ? [receiver] : [receiver, provider];
  const created = ledger.submit({ type: 'CreatePreapproval', receiver, provider, expiresAt, inputs: [] }, ...parties);
  if (created?.kind === 'PreapprovalCreated') wallets.notePreapproval(number, created.detail);
}

/** The first preapprovals are free, so that a wallet starts with its full initial balance. */
function chargePreapprovals(ledger: LedgerDriver, { network }: Scenario): void {
  const baseConfig = rulesOf(ledger.state)?.config;
  if (!baseConfig) throw new RangeError('the ledger has no rules yet');
  const { transferPreapprovalFeeUsd } = genesisConfig(network.profile);
  const newConfig = { ...baseConfig, transferPreapprovalFeeUsd };
  ledger.submit({ type: 'ExecuteAction', action: { type: 'SetAmuletConfig', baseConfig, newConfig } }, DSO);
}
