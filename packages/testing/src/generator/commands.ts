import { at, keysOf } from '@coinlab/core/workflows';
import { countOfTemplate } from '@coinlab/core/views';
import {
  Duration,
  formatCommand,
  Instant,
  prepare,
  type Command,
  type CommandType,
  type LedgerState,
  type Submission,
  type TemplateName,
} from '@coinlab/core';
import fc from 'fast-check';
import { Dice } from './dice.js';
import type { KeyHolder } from './keys.js';
import { delegations } from './recipes/delegations.js';
import { externalParties } from './recipes/external.js';
import { foreignContracts } from './recipes/foreign.js';
import { governance } from './recipes/governance.js';
import { ledgerUsers } from './recipes/ledger-users.js';
import { names } from './recipes/names.js';
import { network } from './recipes/network.js';
import { preapprovals } from './recipes/preapprovals.js';
import { rewards } from './recipes/rewards.js';
import { traffic } from './recipes/traffic.js';
import { transfers } from './recipes/transfers.js';
import { validators } from './recipes/validators.js';
import { wallet } from './recipes/wallet.js';
import type { Attempt, Drawn, Recipe } from './recipe.js';
import type { CommandOf } from '@coinlab/core';
import { SequenceArbitrary } from './sequence.js';
import { everybody, external, keyHolders, newcomer, provider } from './cast.js';
import { Draw } from './draw.js';
import { waited } from './moments.js';

export type { Drawn } from './recipe.js';

/** The recipe of each type of command. The compiler reports a missing type. */
export const RECIPES: { readonly [Type in CommandType]: Recipe<Type> } = {
  ...network,
  ...transfers,
  ...preapprovals,
  ...wallet,
  ...ledgerUsers,
  ...traffic,
  ...rewards,
  ...validators,
  ...governance,
  ...names,
  ...delegations,
  ...externalParties,
  ...foreignContracts,

  ExecuteBatch: {
    weight: 4,
    draw: (d) => {
      const owner = d.holder();
      const validator = d.dice.chance(20) ? owner : provider;
      const mine = d.as(owner);
      const count = d.dice.chance(3) ? d.dice.pick([0, 11]) : 1 + d.dice.roll(4);
      return {
        command: {
          type: 'ExecuteBatch',
          owner,
          validator,
          inputs: d.inputs(owner),
          operations: Array.from({ length: count ?? 1 }, () => operation(mine)),
        },
        actAs: [...new Set([owner, validator])],
      };
    },
  },

  SubmitOnce: {
    weight: 1,
    draw: (d) => {
      const type = d.dice.pick<CommandType>(['Tap', 'SelfTransfer', 'CreateForeignContract', 'SubmitPrepared']);
      const { command, actAs, at } = recipeOf(type).draw(d);
      const carried = d.dice.chance(5) ? {} : formatCommand(command);
      return {
        command: {
          type: 'SubmitOnce',
          userId: d.dice.chance(80) ? 'user' : 'other',
          actAs: command.type === 'SubmitPrepared' ? [command.party] : d.dice.chance(5) ? [] : actAs,
          commandId: String(d.dice.roll(20)),
          submissionId: '',
          workflowId: '',
          deduplicateAfter: d.dice.chance(10) ? d.state.offset : 0,
          command: carried,
        },
        actAs: command.type === 'SubmitPrepared' ? [] : actAs,
        ...(at === undefined ? {} : { at }),
      };
    },
  },

  SubmitPrepared: {
    weight: 1.5,
    draw: (d) => {
      const holder = d.dice.chance(10) ? newcomer : external;
      const type = d.dice.pick<CommandType>([
        'CreateTransferCommand',
        'SelfTransfer',
        'CreateOffer',
        'AcceptOffer',
        'AcceptExternalPartySetupProposal',
        'ProposeMintingDelegation',
        // `SubmitTopology` carries its own signatures, so it cannot be prepared.
        'SubmitTopology',
      ]);
      const { command } = recipeOf(type).draw(d.as(holder.party));
      const signer = d.dice.chance(5) ? keyHolders.find((other) => other !== holder) : holder;
      return signed(d, holder, command, signer) ?? { command: garbage(holder), actAs: [d.party()] };
    },
  },
};

type BatchOperation = CommandOf<'ExecuteBatch'>['operations'][number];

function operation(d: Draw): BatchOperation {
  const type = d.dice.pick<BatchOperation['type']>([
    'CompleteWalletOffer',
    'CompleteWalletOffer',
    'DirectTransfer',
    'DirectTransfer',
    'Tap',
    'Tap',
    'BuyMemberTraffic',
    'MergeHoldings',
    'TopUpTraffic',
    'CompleteTrafficRequest',
    'CreateExternalPartySetupProposal',
    'AcceptPreapprovalProposal',
    'RenewPreapproval',
    'PayAnsSubscription',
  ]);
  const command = recipeOf<BatchOperation['type']>(type ?? 'Tap').draw(d).command;
  switch (command.type) {
    case 'CompleteWalletOffer':
    case 'CompleteTrafficRequest': {
      const { walletProvider: _provider, inputs: _inputs, ...rest } = command;
      return rest;
    }
    case 'MergeHoldings':
      return { type: command.type };
    case 'BuyMemberTraffic': {
      const { payer: _payer, inputs: _inputs, ...rest } = command;
      return rest;
    }
    case 'CreateExternalPartySetupProposal': {
      const { validator: _validator, inputs: _inputs, ...rest } = command;
      return rest;
    }
    case 'DirectTransfer': {
      const { sender: _sender, inputs: _inputs, ...rest } = command;
      return rest;
    }
    case 'Tap':
      return { type: command.type, amount: command.amount };
    case 'TopUpTraffic':
    case 'AcceptPreapprovalProposal':
    case 'RenewPreapproval':
    case 'PayAnsSubscription': {
      const { inputs: _inputs, ...rest } = command;
      return rest;
    }
  }
}

function signed(
  d: Draw,
  holder: KeyHolder,
  command: Command,
  signer: KeyHolder = holder,
): Attempt<'SubmitPrepared'> | null {
  const { party, publicKey } = holder;
  const prepared = prepare({ party, command, now: d.now, salt: String(d.dice.roll(2)) }, d.state);
  if (!prepared.ok) return null;
  const { transaction, hash, expiresAt } = prepared.value;
  return {
    command: { type: 'SubmitPrepared', party, transaction, publicKey, signature: signer.sign(hash) },
    actAs: [d.dice.pick(everybody)],
    at: d.dice.chance(20) ? d.before(expiresAt) : d.now,
  };
}

function garbage({ party, publicKey, sign }: KeyHolder): CommandOf<'SubmitPrepared'> {
  return { type: 'SubmitPrepared', party, transaction: 'AAAA', publicKey, signature: sign('00') };
}

const EVERY_TYPE = keysOf(RECIPES);

/**
 * Returns an arbitrary of one command of the given types, weighted by their recipes. If the state lacks a
 * contract that the command needs, it is replaced by a command of any type that acts on an existing contract.
 * @param types default: all
 */
export function drawnOf(types: readonly CommandType[] = EVERY_TYPE): fc.Arbitrary<Drawn> {
  const weighted = types.map((type) => ({
    weight: Math.round(RECIPES[type].weight * 10),
    arbitrary: fc.constant(type),
  }));
  return fc.record({
    type: fc.oneof(...weighted),
    rolls: fc.array(fc.nat(0xf_ffff), { minLength: 0, maxLength: 24, size: 'max' }),
  });
}

/** Draws one command of any type. */
export const drawn: fc.Arbitrary<Drawn> = drawnOf();

/**
 * Returns an arbitrary of sequences of up to `most` commands. Each command refers to contracts that the
 * previous commands left active, also while a failing sequence shrinks.
 * @param types default: all
 */
export function sequences(most: number, types?: readonly CommandType[]): fc.Arbitrary<readonly Drawn[]> {
  return new SequenceArbitrary(drawnOf(types), most);
}

/**
 * Returns the submission of a random command in a state. About a fifth are wrong on purpose: an unauthorised
 * party, a time in the past, or a repeated command.
 * @param accepted accepted submissions, oldest first; default: none, so no command is repeated
 */
export function resolve({ type, rolls }: Drawn, state: LedgerState, accepted: readonly Submission[] = []): Submission {
  const dice = new Dice(rolls);
  const start = state.offset === 0 ? Instant.of('2026-01-01T00:00:00Z') : state.time;
  const mischief = dice.roll(60);
  const now = waited({ state, now: start, dice });
  if (mischief >= 36 && mischief < 42 && accepted.length > 0) return resent(accepted, now, dice);
  const draw = new Draw(state, now, dice);
  const attempt = recipeOf(hasChance(type, state) || dice.chance(10) ? type : carriedOn(state, dice)).draw(draw);
  const { command, actAs, at: time = now } = throughKey(draw, attempt) ?? attempt;
  if (mischief === 55) return { command, context: { now: Instant.plus(start, Duration.ofMicros(-1n)), actAs } };
  if (mischief >= 58) return { command, context: { now: time, actAs: [draw.party()] } };
  // One of several required parties is missing.
  if (mischief >= 56 || (mischief >= 42 && actAs.length > 1)) {
    const away = actAs.length - 1 - dice.roll(actAs.length);
    return { command, context: { now: time, actAs: actAs.filter((_, i) => i !== away) } };
  }
  return { command, context: { now: time, actAs } };
}

/** The repeated command usually refers to contracts that it has archived. */
function resent(accepted: readonly Submission[], now: Instant, dice: Dice): Submission {
  const back = Math.min(1 + dice.roll(4), accepted.length);
  const { command, context } = at(accepted, accepted.length - back);
  return { command, context: { now: Instant.later(now, context.now), actAs: context.actAs } };
}

function recipeOf<Type extends CommandType>(type: Type): Recipe<Type> {
  return RECIPES[type];
}

function hasChance(type: CommandType, state: LedgerState): boolean {
  const { needs } = recipeOf(type);
  return !needs || needs.some((template) => countOfTemplate(state, template) > 0);
}

type Continued = Exclude<TemplateName, 'Holding'>;

const CONTINUATIONS: ReadonlyMap<Continued, readonly CommandType[]> = continuations();

function continuations(): ReadonlyMap<Continued, readonly CommandType[]> {
  const byTemplate = new Map<Continued, CommandType[]>();
  for (const type of keysOf(RECIPES)) {
    for (const template of recipeOf(type).needs ?? [])
      byTemplate.set(template, [...(byTemplate.get(template) ?? []), type]);
  }
  return byTemplate;
}

/** Each template has the same probability, whatever its number of contracts. */
function carriedOn(state: LedgerState, dice: Dice): CommandType {
  const present = [...CONTINUATIONS.keys()].filter((template) => countOfTemplate(state, template) > 0);
  const template = dice.pick(present);
  return (template && dice.pick(CONTINUATIONS.get(template) ?? [])) ?? 'Tap';
}

/** Unsigned commands of external parties are refused, so most commands are signed. */
function throughKey(d: Draw, { command, actAs, at }: Attempt<CommandType>): Attempt<'SubmitPrepared'> | null {
  const holder = keyHolders.find(({ party }) => actAs.length === 1 && actAs[0] === party);
  if (!holder || d.dice.chance(10)) return null;
  const moved = at === undefined ? d : new Draw(d.state, at, d.dice);
  return signed(moved, holder, command);
}

/** Returns a submission as one line of text, with hints instead of party ids. */
export function describeSubmission({ command, context }: Submission): string {
  // `formatCommand` writes every command as an object.
  const { type, ...rest } = formatCommand(command) as { type: string };
  const names = (text: string): string => text.replaceAll(/::1220[0-9a-f]{64}/g, '');
  return names(`${Instant.format(context.now)} ${type} ${JSON.stringify(rest)} as ${context.actAs.join(' + ')}`);
}
