import { GENERAL_RIGHTS, PARTY_RIGHTS, type LedgerRight } from '@coinlab/core/contracts';
import { provider } from '../cast.js';
import type { Draw } from '../draw.js';
import type { RecipesOf } from '../recipe.js';

const PARTICIPANT = 'PAR::participant::1220ab';
const HASHES = ['ab'.repeat(32), 'cd'.repeat(32), 'ef'.repeat(32)] as const;

export const ledgerUsers: RecipesOf<
  | 'CreateLedgerUser'
  | 'UpdateLedgerUser'
  | 'DeleteLedgerUser'
  | 'GrantLedgerRights'
  | 'RevokeLedgerRights'
  | 'AnnotateParty'
  | 'RecordDar'
> = {
  CreateLedgerUser: {
    weight: 0.5,
    draw: (d) => {
      const operator = d.dice.chance(20) ? d.party() : provider;
      return {
        command: {
          type: 'CreateLedgerUser',
          operator,
          participant: PARTICIPANT,
          userId: d.dice.pick(['ann', 'ben', 'cid', 'auth0|dan', '']),
          ...(d.dice.chance(50) ? { primaryParty: d.party() } : {}),
          ...(d.dice.chance(50) ? { rights: rights(d) } : {}),
        },
        actAs: [operator],
      };
    },
  },

  UpdateLedgerUser: {
    weight: 0.3,
    needs: ['LedgerUser'],
    draw: (d) => {
      const user = d.contract('LedgerUser');
      return {
        command: {
          type: 'UpdateLedgerUser',
          user: d.ref(user),
          ...(d.dice.chance(50) ? { primaryParty: d.dice.chance(30) ? null : d.party() } : {}),
          ...(d.dice.chance(50) ? { isDeactivated: d.dice.chance(50) } : {}),
          ...(d.dice.chance(50) ? { annotations: { note: d.text() } } : {}),
        },
        actAs: [user?.operator ?? d.party()],
      };
    },
  },

  DeleteLedgerUser: {
    weight: 0.2,
    needs: ['LedgerUser'],
    draw: (d) => {
      const user = d.contract('LedgerUser');
      return { command: { type: 'DeleteLedgerUser', user: d.ref(user) }, actAs: [user?.operator ?? d.party()] };
    },
  },

  GrantLedgerRights: {
    weight: 0.5,
    needs: ['LedgerUser'],
    draw: (d) => {
      const user = d.contract('LedgerUser');
      return {
        command: { type: 'GrantLedgerRights', user: d.ref(user), rights: rights(d) },
        actAs: [user?.operator ?? d.party()],
      };
    },
  },

  RevokeLedgerRights: {
    weight: 0.3,
    needs: ['LedgerUser'],
    draw: (d) => {
      const user = d.contract('LedgerUser');
      const own = user?.rights ?? [];
      return {
        command: {
          type: 'RevokeLedgerRights',
          user: d.ref(user),
          rights: d.dice.chance(50) ? own.slice(0, 1 + d.dice.roll(2)) : rights(d),
        },
        actAs: [user?.operator ?? d.party()],
      };
    },
  },

  AnnotateParty: {
    weight: 0.3,
    draw: (d) => {
      const operator = d.dice.chance(20) ? d.party() : provider;
      const annotations = d.dice.chance(30) ? {} : { note: d.text() };
      return {
        command: { type: 'AnnotateParty', operator, participant: PARTICIPANT, party: d.party(), annotations },
        actAs: [operator],
      };
    },
  },

  RecordDar: {
    weight: 0.2,
    draw: (d) => ({
      command: {
        type: 'RecordDar',
        operator: provider,
        participant: PARTICIPANT,
        hash: d.dice.pick(HASHES),
        packages: d.dice.chance(10) ? [] : [d.dice.pick(HASHES), d.dice.pick(HASHES)],
      },
      actAs: [provider],
    }),
  },
};

function rights(d: Draw): readonly LedgerRight[] {
  return Array.from({ length: d.dice.roll(4) }, () => right(d));
}

function right(d: Draw): LedgerRight {
  return d.dice.chance(60)
    ? { kind: d.dice.pick(PARTY_RIGHTS), party: d.party() }
    : { kind: d.dice.pick(GENERAL_RIGHTS) };
}
