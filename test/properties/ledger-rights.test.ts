import { openLedger, PartyId, type Command, type ContractId, type Ledger } from '@coinlab/core';
import { GENERAL_RIGHTS, ledgerUserKey, PARTY_RIGHTS, type LedgerRight } from '@coinlab/core/contracts';
import { firstByKey } from '@coinlab/core/views';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';

/*
 * Grants and revocations for two users against a model: one set of texts for each user.
 */

const operator = PartyId.of('provider');
const participant = 'PAR::participant::1220ab';
const parties = ['alice', 'bob'].map(PartyId.of);

const right: fc.Arbitrary<LedgerRight> = fc.oneof(
  fc.record({ kind: fc.constantFrom(...GENERAL_RIGHTS) }),
  fc.record({ kind: fc.constantFrom(...PARTY_RIGHTS), party: fc.constantFrom(...parties) }),
);
const action = fc.record({
  type: fc.constantFrom('GrantLedgerRights', 'RevokeLedgerRights'),
  userId: fc.constantFrom('ann', 'ben'),
  rights: fc.array(right, { maxLength: 5 }),
});

const textOf = (one: LedgerRight): string => ('party' in one ? `${one.kind} ${one.party}` : one.kind);
const textsOf = (rights: readonly LedgerRight[]): readonly string[] => rights.map(textOf).sort();

it('a user has the rights that were granted and not revoked since, and each update names the changed rights', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      let ledger = openLedger();
      const submit = (command: Command): ReturnType<Ledger['submit']> => {
        const answer = ledger.submit(command, { now: ledger.state.time, actAs: [operator] });
        if (answer.ok) ({ ledger } = answer.value);
        return answer;
      };
      const userOf = (userId: string) => firstByKey(ledger.state, 'LedgerUser', ledgerUserKey(participant, userId));
      const model: Record<string, Set<string>> = { ann: new Set(), ben: new Set() };
      for (const userId of Object.keys(model)) submit({ type: 'CreateLedgerUser', operator, participant, userId });
      for (const { type, userId, rights } of actions) {
        const had = model[userId] ?? new Set();
        const grants = type === 'GrantLedgerRights';
        const changed = [...new Set(rights.map(textOf))].filter((text) => had.has(text) !== grants).sort();
        for (const text of changed)
          if (grants) had.add(text);
          else had.delete(text);
        const user: ContractId | undefined = userOf(userId)?.id;
        if (user === undefined) throw new Error(`${userId} was created`);
        const answer = submit({ type, user, rights });
        if (!answer.ok) throw new Error(answer.error.code);
        const { detail } = answer.value.update;
        const named = 'granted' in detail ? detail.granted : 'revoked' in detail ? detail.revoked : [];
        expect(textsOf(named)).toEqual(changed);
      }
      for (const [userId, rights] of Object.entries(model))
        expect(textsOf(userOf(userId)?.rights ?? [])).toEqual([...rights].sort());
    }),
    { numRuns: runs(150), seed },
  );
});
