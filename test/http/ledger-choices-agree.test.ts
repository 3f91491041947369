import {
  Amount,
  ContractId,
  find,
  formatCommand,
  holdingsOf,
  Instant,
  stateHash,
  type Command,
  type Contract,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { allOf } from '@coinlab/core/views';
import { CHOICES, createServer, exerciseOf, type CoinlabServer, type Exercised, type LedgerFacts } from '@coinlab/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';
import { RUNS } from './ledger-choice-runs.ts';
import { iso, ledgerServer, MERGES, PING, type LedgerServer } from './ledger-commands-fixture.ts';

/** Facts about a server's ledger before an update. */
function factsAt({ history }: CoinlabServer, offset: number): LedgerFacts {
  const state = history.stateAt(offset - 1);
  const [settings] = allOf(state, 'LedgerSettings');
  const [rules] = allOf(state, 'AmuletRules');
  const [factory] = allOf(state, 'ExternalPartyAmuletRules');
  const round = [...allOf(state, 'OpenMiningRound')].findLast(({ opensAt }) => opensAt <= history.timeAt(offset));
  if (!settings || !rules || !factory || !round) throw new Error('the ledger is open');
  const contract = (id: ContractId): Contract | null => {
    for (let at = offset; at > 0; at--) {
      const created = history.updateAt(at).created.find((each) => each.id === id);
      if (created) return created;
    }
    return null;
  };
  return { dso: settings.dso, amuletRules: rules.id, factory: factory.id, round, contract };
}

/** An update without the ids of its submission. */
function effectsOf({ kind, archived, created, detail }: Update): object {
  return { kind, archived, created: created.filter(({ template }) => template !== 'SubmittedCommand'), detail };
}

/** A server with the log before an update, which then executes an exercise as the acting party of the update. */
async function again({ server }: LedgerServer, update: Update, { choice, ...exercise }: Exercised): Promise<Update> {
  const headers = { authorization: `Bearer ${await server.token('ledger-api-user')}` };
  const log = await (await server.fetch(`/log`, { headers })).text();
  const lines = log
    .trimEnd()
    .split('\n')
    .slice(0, update.offset - 1);
  const copy = await createServer({ from: `${lines.join('\n')}\n`, automation: { dso: false } });
  const [party] = update.actAs;
  const name = party === server.validator ? 'ledger-api-user' : String(party).split('::')[0];
  const answer = await copy.fetch('/v2/commands/submit-and-wait', {
    method: 'POST',
    headers: { authorization: `Bearer ${await copy.token(String(name))}` },
    body: JSON.stringify({
      commandId: 'again',
      actAs: update.actAs,
      commands: [
        {
          ExerciseCommand: {
            templateId: choice.on,
            contractId: ContractId.format(exercise.contract),
            choice: choice.name,
            choiceArgument: exercise.argument,
          },
        },
      ],
      disclosedContracts: Array.from({ length: 400 }, (_, i) => ({
        contractId: ContractId.format(ContractId.of(i + 1)),
      })),
    }),
  });
  const body = (await answer.json()) as { completionOffset: number };
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return copy.history.updateAt(body.completionOffset);
}

const runsOfChoices = Object.entries(RUNS).filter(([, [kind]]) => CHOICES.some(({ kinds }) => kinds.includes(kind)));

describe('a choice that is derived from an update', () => {
  it.each(runsOfChoices.map(([name, [, run]]) => [name, run] as const))(
    'has the same effects when it is executed again: %s',
    async (_, run) => {
      const ledger = await ledgerServer();
      const kind = await run(ledger, 'alice');
      const { server } = ledger;
      const offset = server.history.head;
      const update = server.history.updateAt(offset);
      expect(update.kind).toBe(kind);
      const exercised = exerciseOf(update, factsAt(server, offset));
      if (!exercised) throw new Error(`no choice makes ${kind}`);
      expect(effectsOf(await again(ledger, update, exercised))).toEqual(effectsOf(update));
    },
  );

  it('has the result type that wallets of the network show as a label, such as mint for a tap', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('alice', '5');
    const offset = ledger.server.history.head;
    const update = ledger.server.history.updateAt(offset);
    const { choice, argument, result } = exerciseOf(update, factsAt(ledger.server, offset)) as Exercised;
    expect(choice.name).toBe('AmuletRules_DevNet_Tap');
    expect(argument).toEqual({ receiver: ledger.partyOf('alice'), amount: '5.0000000000', openRound: ledger.round });
    expect(result).toMatchObject({
      amuletSum: {
        amulet: ledger.coins('alice')[0],
        amuletPrice: '0.0050000000',
        round: { number: expect.any(String) },
      },
      meta: {
        values: {
          'splice.lfdecentralizedtrust.org/tx-kind': 'mint',
          'splice.lfdecentralizedtrust.org/reason': 'tapped faucet',
        },
      },
    });
  });

  it('is null for an update that no choice causes', async () => {
    const { server } = await ledgerServer();
    expect(exerciseOf(server.history.updateAt(1), factsAt(server, server.history.head))).toBeNull();
  });
});

type Local = 'alice' | 'bob';
type Step =
  | { readonly do: 'tap'; readonly user: Local; readonly cents: number }
  | { readonly do: 'self'; readonly user: Local; readonly cents: number }
  | { readonly do: 'offer'; readonly user: Local; readonly to: Local | 'dave'; readonly cents: number }
  | { readonly do: 'Accept' | 'Reject' | 'Withdraw'; readonly user: Local }
  | { readonly do: 'propose' | 'utility' | 'ping'; readonly user: Local };

const user = fc.constantFrom<Local>('alice', 'bob');
const cents = fc.integer({ min: 1, max: 900 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('tap' as const), user, cents }),
  fc.record({ do: fc.constant('self' as const), user, cents }),
  fc.record({
    do: fc.constant('offer' as const),
    user,
    to: fc.constantFrom('alice' as const, 'bob' as const, 'dave' as const),
    cents,
  }),
  fc.record({ do: fc.constantFrom('Accept' as const, 'Reject' as const, 'Withdraw' as const), user }),
  fc.record({ do: fc.constantFrom('propose' as const, 'utility' as const, 'ping' as const), user }),
);

const amountOf = (hundredths: number): string => Amount.short(Amount.ofUnits(BigInt(hundredths) * 100_000_000n));

/** Executes a step through the ledger API; a refusal leaves the ledger as it was. */
async function throughTable(ledger: LedgerServer, each: Step, commandId: string): Promise<void> {
  const ids = { commandId, submissionId: 's', workflowId: 'w' };
  const party = ledger.partyOf(each.user);
  const operator = ledger.server.validator;
  switch (each.do) {
    case 'tap':
      await ledger.exercise(each.user, ledger.tapOf(each.user, amountOf(each.cents)), ids);
      return;
    case 'self':
    case 'offer': {
      const to = each.do === 'self' ? each.user : each.to;
      await ledger.exercise(each.user, await ledger.transferOf(each.user, to, amountOf(each.cents)), ids);
      return;
    }
    case 'Accept':
    case 'Reject':
    case 'Withdraw':
      if ([...allOf(ledger.server.state, 'TransferInstruction')].length > 0)
        await ledger.exercise(each.user, await ledger.stepOf(each.do), ids);
      return;
    case 'propose': {
      const delegation = { operator, owner: party, meta: { values: {} } };
      await ledger.create(
        each.user,
        { templateId: `${MERGES}:MergeDelegationProposal`, createArguments: { delegation } },
        ids,
      );
      return;
    }
    case 'utility':
      await ledger.create(
        each.user,
        { templateId: `${MERGES}:BatchMergeUtility`, createArguments: { operator: party } },
        ids,
      );
      return;
    case 'ping':
      await ledger.create(each.user, { templateId: PING, createArguments: pingOf(party) }, ids);
  }
}

function pingOf(initiator: PartyId): { id: string; initiator: PartyId; responder: PartyId } {
  return { id: 'p', initiator, responder: initiator };
}

function coreCommand(ledger: LedgerServer, each: Step): Command | null {
  const { server } = ledger;
  const party = ledger.partyOf(each.user);
  switch (each.do) {
    case 'tap':
      return { type: 'Tap', receiver: party, amount: Amount.of(amountOf(each.cents)) };
    case 'self':
    case 'offer': {
      const terms = {
        sender: party,
        amount: Amount.of(amountOf(each.cents)),
        inputs: [...holdingsOf(server.state, party, 'oldest')].map(({ id }) => id),
        requestedAt: Instant.of(iso(server.now - 60_000_000n)),
        executeBefore: Instant.of(iso(server.now + 86_400_000_000n)),
      };
      const to = each.do === 'self' ? party : ledger.partyOf(each.to);
      if (to === party) return { type: 'SelfTransfer', ...terms };
      return { type: 'CreateOffer', receiver: to, ...terms };
    }
    case 'Accept':
    case 'Reject':
    case 'Withdraw': {
      const newest = [...allOf(server.state, 'TransferInstruction')].at(-1);
      const type = ({ Accept: 'AcceptOffer', Reject: 'RejectOffer', Withdraw: 'WithdrawOffer' } as const)[each.do];
      return newest && find(server.state, 'TransferInstruction', newest.id) ? { type, instruction: newest.id } : null;
    }
    case 'propose':
      return { type: 'ProposeMergeDelegation', owner: party, operator: server.validator };
    case 'utility':
      return { type: 'CreateBatchMergeUtility', operator: party };
    case 'ping':
      return {
        type: 'CreateForeignContract',
        templateId: PING,
        arguments: JSON.stringify(pingOf(party)),
        signatories: [party],
        observers: [party],
      };
  }
}

describe('a random run of choices', () => {
  it('leaves the state that the equivalent core commands leave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const [table, core] = [await ledgerServer(), await ledgerServer()];
        for (const [i, each] of steps.entries()) {
          const commandId = `c-${i}`;
          await throughTable(table, each, commandId);
          const command = coreCommand(core, each);
          const actAs = [core.partyOf(each.user)];
          const ids = { userId: each.user, actAs, commandId, submissionId: 's', workflowId: 'w', deduplicateAfter: 0 };
          if (command)
            await core.server.host.submit({ type: 'SubmitOnce', ...ids, command: formatCommand(command) }, actAs);
        }
        expect(stateHash(table.server.state)).toBe(stateHash(core.server.state));
      }),
      { numRuns: runs(8), seed },
    );
  }, 120_000);
});
