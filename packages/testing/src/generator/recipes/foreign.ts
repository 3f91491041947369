import type { RecipesOf } from '../recipe.js';

export const foreignContracts: RecipesOf<'CreateForeignContract' | 'ArchiveForeignContract'> = {
  CreateForeignContract: {
    weight: 0.5,
    draw: (d) => {
      const initiator = d.party();
      return {
        command: {
          type: 'CreateForeignContract',
          templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
          arguments: d.dice.chance(5) ? '[]' : JSON.stringify({ id: String(d.dice.roll(10)), initiator }),
          signatories: d.dice.chance(5) ? [] : [initiator],
          observers: d.dice.chance(50) ? [d.party()] : [],
        },
        actAs: [initiator],
      };
    },
  },

  ArchiveForeignContract: {
    weight: 0.5,
    needs: ['ForeignContract'],
    draw: (d) => {
      const found = d.contract('ForeignContract');
      return {
        command: { type: 'ArchiveForeignContract', contract: d.ref(found) },
        actAs: [...(found?.signatories ?? [d.party()])],
      };
    },
  },
};
