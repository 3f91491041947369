import { Duration, genesisConfig, Instant, PROFILES, type ProfileName, Round } from '@coinlab/core';
import { openRoundsOf } from '@coinlab/core/views';
import { dso } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const network: RecipesOf<
  'OpenLedger' | 'BootstrapRounds' | 'AllocateParty' | 'AdvanceOpenRounds' | 'AdvanceConfigStates'
> = {
  OpenLedger: {
    weight: 0.1,
    draw: (d) => {
      const name = d.dice.pick<ProfileName>(['feeless', 'legacy-fees', 'feeless-24h']);
      const command = { type: 'OpenLedger', dso, isDevNet: !d.dice.chance(5), seed: d.dice.roll(1000) } as const;
      return { command: { ...command, profile: PROFILES[name], config: genesisConfig(name) }, actAs: [dso] };
    },
  },

  BootstrapRounds: {
    weight: 0.1,
    draw: (d) => ({
      command: {
        type: 'BootstrapRounds',
        amuletPrice: d.price(),
        initialRound: Round.of(d.dice.roll(50)),
        round0Duration: Duration.seconds(600 + d.dice.roll(2) * 86_400),
      },
      actAs: [dso],
    }),
  },

  AllocateParty: {
    weight: 0.3,
    draw: (d) => {
      const party = d.party();
      return { command: { type: 'AllocateParty', party, displayName: d.text() }, actAs: [party] };
    },
  },

  AdvanceOpenRounds: {
    weight: 4,
    draw: (d) => {
      const [oldest, middle, newest] = openRoundsOf(d.state);
      const earliest =
        oldest && middle && newest
          ? Instant.later(
              Instant.later(oldest.targetClosesAt, newest.opensAt),
              Instant.plus(middle.opensAt, middle.tickDuration),
            )
          : d.now;
      return { command: { type: 'AdvanceOpenRounds', amuletPrice: d.price() }, actAs: [dso], at: d.after(earliest) };
    },
  },

  AdvanceConfigStates: {
    weight: 0.3,
    draw: (d) => ({
      command: { type: 'AdvanceConfigStates' },
      actAs: [dso],
      at: d.after(d.contract('ExternalPartyConfigState')?.targetArchiveAfter),
    }),
  },
};
